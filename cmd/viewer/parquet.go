//go:build parquet

package main

import (
	"viewer/internal/facts"
	"viewer/internal/facts/parquet"
)

var _ = facts.Register(parquet.Tables{})
