package changes

import (
	"viewer/internal/markup"
	"viewer/internal/tools"
)

// Short names for types that tests use often.
type (
	fileOp = tools.FileOp
	texts  = tools.FileTexts
)

const (
	observe = tools.ReadFile
	change  = tools.ChangeFile
)

func replaced(old, new string, all bool) []tools.Replacement {
	return []tools.Replacement{{Old: old, New: new, All: all}}
}

// patchOf returns a patch of one hunk in the form of a log.
func patchOf(start int, lines ...string) []markup.Hunk {
	return []markup.Hunk{{OldStart: start, NewStart: start, Lines: lines}}
}

// plainHunks returns hunks in the form of a log.
func plainHunks(hunks []Hunk) []markup.Hunk {
	var all []markup.Hunk
	for _, h := range hunks {
		plain := markup.Hunk{OldStart: h.OldStart, NewStart: h.NewStart}
		for _, l := range h.Lines {
			plain.Lines = append(plain.Lines, string(l.Sign)+l.Text)
			if l.NoEnd {
				plain.Lines = append(plain.Lines, `\ No newline at end of file`)
			}
		}
		all = append(all, plain)
	}
	return all
}
