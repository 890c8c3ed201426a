package sitegen

import (
	"fmt"

	"viewer/internal/failure"
	"viewer/internal/fingerprint"
	"viewer/internal/smallfile"
	"viewer/internal/stats"
)

const pricesHint = "--pricing names a table of prices, see the README"

// readPrices reads the file that replaces the list prices, "" for none. The digest identifies the prices.
func readPrices(name string) (stats.Prices, fingerprint.Digest, error) {
	if name == "" {
		return stats.ListPrices(), fingerprint.Digest{}, nil
	}
	data, err := smallfile.Read(name)
	if err != nil {
		return stats.Prices{}, fingerprint.Digest{}, failure.New(fmt.Errorf("reading %s: %w", name,
			failure.Cause(err)), pricesHint)
	}
	p, err := stats.ParsePrices(data)
	if err != nil {
		return p, fingerprint.Digest{}, failure.New(fmt.Errorf("reading %s: %w", name, err),
			pricesHint)
	}
	return p, fingerprint.Of(data), nil
}
