// Package storage reads and writes the objects of a bucket, given an address such as s3://bucket/prefix. It never knows
// what they contain. The drivers are in package cloud, which only some builds of the program contain.
package storage
