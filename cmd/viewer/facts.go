package main

import (
	"errors"

	"github.com/spf13/cobra"

	"viewer/internal/facts"
	"viewer/internal/failure"
)

// addFacts adds the flag for tables of sessions and calls.
func addFacts(c *cobra.Command, to *string) {
	c.Flags().StringVar(to, "facts", "", "also write tables of all sessions and calls in `FORMAT`: parquet")
}

// withTables applies --facts to the options.
func withTables(format string) (bool, error) {
	switch {
	case format == "":
		return false, nil
	case format != "parquet":
		return false, usagef("--facts %s is invalid: parquet is the one format", format)
	case facts.Parquet() == nil:
		return false, failure.New(errors.New("--facts parquet: this viewer was built without Parquet"),
			"use a released one, or build it with: go build -tags parquet ./cmd/viewer")
	}
	return true, nil
}
