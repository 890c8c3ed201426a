// Package parquet writes tables of facts in Parquet. It is never part of a program that was built without the tag
// "parquet".
package parquet
