package changes

import (
	"slices"
	"strings"
	"testing"
)

// TestRedact redacts secrets that only two edits together form, on either side of a hunk, and each line of a secret
// with several lines.
func TestRedact(t *testing.T) {
	redact := func(s string) string {
		s = strings.ReplaceAll(s, "tide-4711-4712", "[tide-key 1]")
		return strings.ReplaceAll(s, "BEGIN\nsand\nEND", "[private-key 1]")
	}
	lines := func(all ...string) []Line {
		var list []Line
		for _, l := range all {
			list = append(list, Line{Sign: l[0], Text: l[1:]})
		}
		return list
	}
	for _, c := range []struct {
		name      string
		file      File
		got, want []Line
	}{
		{"one line", File{Steps: []int{0, 1}}, lines("-key = none", "+key = tide-4711-4712", " end"),
			lines("-key = none", "+key = [tide-key 1]", " end")},
		{"what was there before", File{Steps: []int{0, 1}}, lines("-key = tide-4711-4712", "+key = none"),
			lines("-key = [tide-key 1]", "+key = none")},
		{"several lines", File{Steps: []int{0, 1}}, lines(" a", "+BEGIN", "-shell", "+sand", "+END", " b"),
			lines(" a", "+[redacted]", "-shell", "+[redacted]", "+[redacted]", " b")},
		{"one call wrote it whole", File{Steps: []int{0}, Begin: Absent}, lines("+tide-4711-4712"),
			lines("+tide-4711-4712")},
	} {
		given := slices.Clone(c.got)
		f := c.file
		f.Net.Hunks = []Hunk{{Lines: c.got}}
		f.Alone = []Alone{{Hunks: []Hunk{{Lines: c.got}}}}
		f.Redact(redact)
		for _, h := range []Hunk{f.Net.Hunks[0], f.Alone[0].Hunks[0]} {
			if !slices.Equal(h.Lines, c.want) {
				t.Errorf("%s: got %+v, want %+v", c.name, h.Lines, c.want)
			}
		}
		if !slices.Equal(c.got, given) {
			t.Errorf("%s: the input lines changed", c.name)
		}
		f.Redact(nil)
	}
}
