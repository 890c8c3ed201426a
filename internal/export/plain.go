package export

import (
	"fmt"
	"strings"

	"github.com/charmbracelet/x/ansi"
	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/markup"
	"viewer/internal/words"
	"viewer/normalize"
)

// Plain returns terminal text without escape sequences. Of a line that was overwritten, the last text stays.
func Plain(s string) string {
	s = ansi.Strip(s)
	if strings.IndexByte(s, '\r') < 0 {
		return s
	}
	s = strings.ReplaceAll(s, "\r\n", "\n")
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		line = strings.TrimRight(line, "\r")
		lines[i] = line[strings.LastIndexByte(line, '\r')+1:]
	}
	return strings.Join(lines, "\n")
}

// diff returns hunks in the format of patches.
func diff(hunks []markup.Hunk) string {
	var b strings.Builder
	for _, h := range hunks {
		old, new := 0, 0
		for _, l := range h.Lines {
			if !strings.HasPrefix(l, "+") {
				old++
			}
			if !strings.HasPrefix(l, "-") {
				new++
			}
		}
		fmt.Fprintf(&b, "@@ -%d,%d +%d,%d @@\n%s\n", h.OldStart, old, h.NewStart, new, strings.Join(h.Lines, "\n"))
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// rawOf returns the part of a record with its content.
func rawOf(m *normalize.Message) jsontext.Value {
	switch r := m.Record; {
	case r.Attachment != nil:
		return r.Attachment.Raw
	case m.Block != nil:
		return m.Block.Raw
	case r.Data != nil:
		return r.Data
	default:
		return r.Raw
	}
}

// linesText returns the numbers of added and removed lines: "+3 −1".
func linesText(added, removed int) string {
	switch {
	case removed == 0:
		return "+" + words.Count(added)
	case added == 0:
		return "−" + words.Count(removed)
	}
	return "+" + words.Count(added) + " −" + words.Count(removed)
}
