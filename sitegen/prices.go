package sitegen

import (
	"fmt"
	"os"

	"viewer/stats"
)

// readPrices reads the file that replaces the list prices, "" keeps those.
func readPrices(name string) (stats.Prices, error) {
	if name == "" {
		return stats.ListPrices(), nil
	}
	data, err := os.ReadFile(name)
	if err != nil {
		return stats.Prices{}, fmt.Errorf("reading %s: %w", name, cause(err))
	}
	p, err := stats.ParsePrices(data)
	if err != nil {
		return p, &Error{fmt.Errorf("reading %s: %w", name, err), "the README says what a table of prices looks like"}
	}
	return p, nil
}
