package state

import (
	"github.com/cespare/xxhash/v2"

	"viewer/internal/codec"
)

// details are what a session has encoded, in this order, each a text. While a site is built for the first time, all are
// in a spool. Of a state that was read, those that a build needs of each session are in memory, too.
type details struct {
	spooled
	ends                  [detailCount]int32 // where each ends
	filesKey, insightsKey uint64             // hashes
}

// The order of details. A build with changes needs those up to the ledger of all sessions, the others of few.
const (
	outputsDetail = iota
	summaryDetail
	ledgerDetail
	filesDetail
	insightsDetail
	detailCount
)

func decodeDetails(f *codec.Decoder) (d details) {
	all := f.Rest
	for which := range d.ends {
		text := f.Text()
		switch which {
		case filesDetail:
			d.filesKey = xxhash.Sum64String(text)
		case insightsDetail:
			d.insightsKey = xxhash.Sum64String(text)
		}
		d.ends[which] = int32(len(all) - len(f.Rest))
	}
	d.memory = all[:len(all)-len(f.Rest)]
	return d
}

// of returns one of the details, encoded.
func (d *details) of(which int) string {
	var start int32
	if which > 0 {
		start = d.ends[which-1]
	}
	f := codec.Decoder{Rest: d.between(int(start), int(d.ends[which]))}
	return f.Text()
}
