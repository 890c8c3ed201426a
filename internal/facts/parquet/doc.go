// Package parquet writes tables of facts in Parquet. It never reaches a program that was built without the tag
// "parquet".
package parquet
