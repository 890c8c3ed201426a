package sitegen

import (
	"encoding/json"
	"slices"

	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/state"
)

// sourcesUnchanged reports whether the sources are the same as at the last build. It reads a few files whose times have
// changed, or were so recent that another change could have left the same time.
func (b *builder) sourcesUnchanged(files []file) bool {
	if len(files) != len(b.old.Files) {
		return false
	}
	var touched []file
	for _, f := range files {
		known, ok := b.old.Files[f.id]
		switch {
		case !ok:
			return false
		case known.Stamp == f.Stamp:
		case known.Size != f.Size || len(touched) == maxTouched || b.builtBefore:
			return false // with the cache, less is read of files that grew
		default:
			touched = append(touched, f)
		}
	}
	contents := make([]fingerprint.Digest, len(touched))
	for i, f := range touched {
		var err error
		if contents[i], err = f.hash(); err != nil || contents[i] != b.old.Files[f.id].Content {
			return false
		}
		b.bytesRead.Add(f.Size)
	}
	for i, f := range touched {
		if b.old.SetFile(f.id, f.Stamp, contents[i], b.start); b.old.Files[f.id].Stamp == f.Stamp {
			b.restamped = true
		}
	}
	if b.listing != (fingerprint.Digest{}) && b.old.Listing != b.listing {
		b.old.Listing, b.restamped = b.listing, true
	}
	return true
}

// unread stands in the state for a file that could not be read: the next build reads it again, or notices that it is
// gone.
var unread = state.File{Stamp: fingerprint.Stamp{Mod: -1}}

// maxTouched limits how many files are read to see whether anything has changed. If more have new times, something
// probably has.
const maxTouched = 16

// reuseReport returns the report of the last build if the sources are unchanged, and whether all files of the site are.
func (b *builder) reuseReport() (Report, bool) {
	var report Report
	if b.Force || b.Verify || b.Compare != nil || b.prefetched != nil || len(b.old.Report) == 0 || !b.out.AllIntact() {
		return report, false
	}
	if json.Unmarshal([]byte(b.old.Report), &report) != nil || b.Prune && report.Kept > 0 ||
		!report.isOf(b.Filter) || !slices.Equal(report.found(), b.problems) {
		return Report{}, false
	}
	report.Read = b.bytesRead.Load()
	report.Rendered, report.Drawn, report.Reused, report.Written, report.Removed, report.Fresh = 0, 0, report.Sessions+
		report.Empty, 0, 0, ""
	return report, true
}
