// Package parquet writes tables of facts in Parquet. It is only part of programs built with the tag "parquet".
package parquet
