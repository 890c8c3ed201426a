package all_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"runtime"
	"slices"
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
	b, ends := bytes.NewBuffer(bytes.Clone(head)), g.ends(part)
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
	b.Write(tail)
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

// TestLong reads long sessions of all sources. Twice as many records may take only about twice the memory, whether all
// ids are equal, all are different, or all records have the same parent.
func TestLong(t *testing.T) {
	ways, size := []repetition{numbered}, 64<<10
	if corpus.Full() {
		ways, size = []repetition{repeated, numbered, adopted}, 160<<10
	}
	cases := golden.Sections(t, "../../../normalize/testdata/sources/*.txtar", "in.jsonl")
	for _, name := range corpus.Share(slices.Sorted(maps.Keys(cases))) {
		for _, g := range ways {
			n := max(2, size/len(cases[name]))
			once, twice := allocated(g.lengthen(cases[name], n)), allocated(g.lengthen(cases[name], 2*n))
			if limit := once*5/2 + 256<<10; twice > limit {
				t.Errorf("%s, %s: %d copies take %d KB, but twice as many %d KB", name, g, n, once>>10, twice>>10)
			}
		}
	}
}
