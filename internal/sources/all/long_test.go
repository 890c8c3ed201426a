package all_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"

	"viewer/internal/sources"
	"viewer/internal/sources/all"
	"viewer/internal/testing/corpus"
	"viewer/internal/testing/golden"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// identifiers matches members whose strings are an id of a record, a call or a message, or refer to one.
var identifiers = regexp.MustCompile(`"(\w*[iI][dD]|uuid|parent\w*|` + parents + `)"\s*:\s*"([^"\\]+)"`)

const parents = `parentId|parent_id|parentUuid|parentUUID`

var parentMembers = regexp.MustCompile(`^"(` + parents + `)"`)

// values matches members with a string or a number.
var values = regexp.MustCompile(`("\w+"\s*:)\s*(?:"(?:[^"\\]|\\.)*"|-?[0-9.]+)`)

// kinds matches members that say what a record is.
var kinds = regexp.MustCompile(`^"(?:type|subtype|kind|role|event|method|sessionUpdate|_tag)"`)

// lookOf returns what lines of the same kind have in common. Lines of text are all different.
func lookOf(line []byte) string {
	if line[0] != '{' {
		return string(line)
	}
	return string(values.ReplaceAllFunc(line, func(v []byte) []byte {
		if kinds.Match(v) {
			return v
		}
		return values.ReplaceAll(v, []byte("$1"))
	}))
}

// A repetition is a way to make a file long.
type repetition string

const (
	repeated repetition = "repeated" // all records are repeated with the same ids
	numbered repetition = "numbered" // each copy has other ids
	adopted  repetition = "adopted"  // each copy has other ids, but the parents of the first copy
)

// ends returns the places in a part of a file at which a copy gets its number: the ends of ids.
func (g repetition) ends(part []byte) (ends []int) {
	if g == repeated {
		return nil
	}
	for _, m := range identifiers.FindAllIndex(part, -1) {
		if g != adopted || !parentMembers.Match(part[m[0]:m[1]]) {
			ends = append(ends, m[1]-1)
		}
	}
	return ends
}

// lengthen repeats the lines of a file, or the elements of the longest list of a document, n times.
func (g repetition) lengthen(data []byte, n int) []byte {
	part, head, tail, between := data, []byte(nil), []byte(nil), ""
	if sources.IsDocument(data) || bytes.Count(bytes.TrimSpace(data), []byte("\n")) == 0 {
		list := longestList(data)
		at := bytes.Index(data, list)
		part = list[1 : len(list)-1]
		head, tail, between = data[:at+1], data[at+len(part)+1:], ","
	} else if !bytes.HasSuffix(data, []byte("\n")) {
		between = "\n"
	}
	return slices.Concat(head, g.copies(part, between, n), tail)
}

// copies returns a part of a file n times.
func (g repetition) copies(part []byte, between string, n int) []byte {
	b, ends := new(bytes.Buffer), g.ends(part)
	for i := range n {
		if i > 0 {
			b.WriteString(between)
		}
		from := 0
		if i > 0 {
			for _, end := range ends {
				b.Write(part[from:end])
				fmt.Fprintf(b, "-%d", i)
				from = end
			}
		}
		b.Write(part[from:])
	}
	return b.Bytes()
}

// longestList returns the longest list of objects in a value, or an empty one.
func longestList(v json.RawMessage) json.RawMessage {
	longest := json.RawMessage("[]")
	try := func(l json.RawMessage) {
		if len(l) > len(longest) {
			longest = l
		}
	}
	var list []json.RawMessage
	var object map[string]json.RawMessage
	if json.Unmarshal(v, &list) == nil {
		if len(list) > 0 && list[0][0] == '{' {
			return bytes.TrimSpace(v)
		}
		for _, e := range list {
			try(longestList(e))
		}
	} else if json.Unmarshal(v, &object) == nil {
		for _, e := range object {
			try(longestList(e))
		}
	}
	return longest
}

// allocated returns the number of bytes allocated to read a file and to group its records.
func allocated(data []byte) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f := all.Sources.Read("in", data, transcript.Options{})
	normalize.Build(normalize.Input{ID: "in", Main: &f})
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestLongRuns reads files in which one line comes again and again, such as the parts of a streamed answer, and lines
// with a long list. If one text is copied for each of them, memory grows with the square of their number. Of lines of a
// source that look alike, one is tried.
func TestLongRuns(t *testing.T) {
	tried := make(map[string]bool)
	cases := golden.Sections(t, "../../../normalize/testdata/sources/*.txtar", "in.jsonl")
	for _, name := range corpus.Share(slices.Sorted(maps.Keys(cases))) {
		source, _, _ := strings.Cut(name, "_")
		before := []byte{}
		for line := range bytes.Lines(cases[name]) {
			line = append(bytes.TrimSuffix(line, []byte("\n")), '\n')
			look := source + lookOf(line)
			if !tried[look] && !sources.IsDocument(cases[name]) {
				tried[look] = true
				compareRuns(t, name, len(line), func(n int) []byte {
					return slices.Concat(before, numbered.copies(line, "", n))
				})
				if list := longestList(bytes.TrimSpace(line)); len(list) > len("[]") {
					compareRuns(t, name+", list", len(list), func(n int) []byte {
						return slices.Concat(before, numbered.lengthen(bytes.TrimSpace(line), n), []byte("\n"))
					})
				}
			}
			before = append(slices.Clip(before), line...)
		}
	}
}

// compareRuns reads a file with n copies of a part, and one with 16 times as many. The latter may take up to 32 times
// the memory, because maps and slices grow in steps.
func compareRuns(t *testing.T, name string, size int, file func(n int) []byte) {
	t.Helper()
	n := max(2, 10<<10/size)
	once, more := allocated(file(n)), allocated(file(16*n))
	if limit := once*32 + 256<<10; more > limit {
		part := bytes.TrimSpace(file(1))
		part = part[bytes.LastIndexByte(part, '\n')+1:]
		t.Errorf("%s: %d copies take %d KB, but 16 times as many %d KB: %.200s", name, n, once>>10, more>>10, part)
	}
}

// TestLong reads long sessions of all sources. Four times as many records may take up to eight times the memory,
// because slices grow in steps, whether all ids are equal, all are different, or all records have the same parent.
func TestLong(t *testing.T) {
	ways, size := []repetition{numbered}, 40<<10
	if corpus.Full() {
		ways, size = []repetition{repeated, numbered, adopted}, 96<<10
	}
	cases := golden.Sections(t, "../../../normalize/testdata/sources/*.txtar", "in.jsonl")
	for _, name := range corpus.Share(slices.Sorted(maps.Keys(cases))) {
		for _, g := range ways {
			n := max(2, size/len(cases[name]))
			once, more := allocated(g.lengthen(cases[name], n)), allocated(g.lengthen(cases[name], 4*n))
			if limit := once*8 + 256<<10; more > limit {
				t.Errorf("%s, %s: %d copies take %d KB, but four times as many %d KB", name, g, n, once>>10, more>>10)
			}
		}
	}
}
