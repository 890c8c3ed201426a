package sitegen

import (
	"fmt"

	"viewer/internal/failure"
	"viewer/internal/stats"
)

// readPrices reads the file that replaces the list prices, "" keeps those. The
// digest tells one table from another.
func readPrices(name string) (stats.Prices, digest, error) {
	if name == "" {
		return stats.ListPrices(), digest{}, nil
	}
	data, err := ReadSmall(name)
	if err != nil {
		return stats.Prices{}, digest{}, fmt.Errorf("reading %s: %w", name, Cause(err))
	}
	p, err := stats.ParsePrices(data)
	if err != nil {
		return p, digest{}, failure.New(fmt.Errorf("reading %s: %w", name, err),
			"the README says what a table of prices looks like")
	}
	return p, digestOf(data), nil
}
