package sitegen

import (
	"bufio"
	"bytes"
	"fmt"
	"io"

	"viewer/internal/failure"
	"viewer/internal/sitegen/input"
	"viewer/internal/sources"
)

// foreignSize is how much of a file is read for the first line of JSON. A shell may have written messages before it.
const foreignSize = 1 << 20

// isForeign reports whether a source is a file that no agent wrote, such as a text: no source recognizes it, and no
// line of it begins like JSON. A log by its name is read in any case, so that its problems are listed.
func isForeign(src *input.Source, folders []*folder) bool {
	if len(folders) != 1 || len(folders[0].sessions) != 1 {
		return false
	}
	one, list := folders[0].sessions[0], src.SourceList()
	if one.main.path != src.Only || one.writer != list[len(list)-1] || sources.IsLog(src.Only) {
		return false
	}
	f, err := src.FS.Open(src.Only)
	if err != nil {
		return false // reported where it is read
	}
	defer f.Close()
	lines := bufio.NewReaderSize(io.LimitReader(f, foreignSize), sources.HeadSize)
	begins, empty := true, true // whether the next piece begins a line; whether there is no text
	for {
		piece, err := lines.ReadSlice('\n')
		text := bytes.TrimLeft(bytes.TrimPrefix(piece, []byte("\ufeff")), " \t\r\n")
		if begins && len(text) > 0 && (text[0] == '{' || text[0] == '[') {
			return false
		}
		empty = empty && len(text) == 0
		begins = err == nil
		if err != nil && err != bufio.ErrBufferFull {
			return err == io.EOF && !empty
		}
	}
}

// foreign returns the error for such a file.
func foreign(name string) error {
	return failure.New(none{fmt.Errorf("%s is not a session: it has no line of JSON", name)},
		"give a session file, which mostly ends in .jsonl, or a folder of them")
}
