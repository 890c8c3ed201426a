package corpusgen_test

import (
	"bytes"
	"crypto/sha256"
	"path"
	"strings"
	"testing"

	"viewer/internal/testing/corpusgen"
	"viewer/internal/transcript"
)

func sum(o corpusgen.Options) [32]byte {
	h := sha256.New()
	for f := range corpusgen.Folder(o) {
		h.Write([]byte(f.Path))
		h.Write(f.Data)
	}
	return [32]byte(h.Sum(nil))
}

func TestSameSeedSameBytes(t *testing.T) {
	o := corpusgen.Options{Seed: 3, Bytes: 3_000_000, Sessions: 40}
	if one, two := sum(o), sum(o); one != two {
		t.Error("two folders of one seed differ")
	}
	other := o
	other.Seed = 4
	if sum(o) == sum(other) {
		t.Error("two seeds give the same folder")
	}
	if !bytes.Equal(corpusgen.Session(5, 300_000), corpusgen.Session(5, 300_000)) {
		t.Error("two sessions of one seed differ")
	}
}

// TestSizes: Folder writes as many sessions and bytes as requested.
func TestSizes(t *testing.T) {
	for _, o := range []corpusgen.Options{
		{Seed: 1, Bytes: 20_000_000, Sessions: 150}, {Seed: 2, Bytes: 5_000_000, Sessions: 300},
	} {
		sessions, written := 0, 0
		for f := range corpusgen.Folder(o) {
			written += len(f.Data)
			if dir, base := path.Split(f.Path); path.Ext(base) == ".jsonl" && !strings.HasPrefix(base, "agent-") &&
				strings.Count(dir, "/") == 1 {
				sessions++
			}
		}
		if sessions != o.Sessions {
			t.Errorf("%d sessions, want %d", sessions, o.Sessions)
		}
		if off := written - o.Bytes; off < -o.Bytes/50 || off > o.Bytes/50 {
			t.Errorf("%d bytes, want %d", written, o.Bytes)
		}
	}
	if got := len(corpusgen.Session(1, 8_000_000)); got < 8_000_000 || got > 8_400_000 {
		t.Errorf("a session of %d bytes, want 8,000,000 to 8,400,000", got)
	}
}

// read counts what the records of a folder contain.
type read struct {
	records, calls, failed int
	kinds, tools, versions map[string]int
	endings                map[string]int // extensions of the files that calls read and change
	outputs                map[string][]int
	places                 map[string]int // of agents' files, by their last folder
}

func readFolder(t *testing.T, o corpusgen.Options) read {
	t.Helper()
	r := read{
		kinds: map[string]int{}, tools: map[string]int{}, versions: map[string]int{}, endings: map[string]int{},
		outputs: map[string][]int{}, places: map[string]int{},
	}
	for f := range corpusgen.Folder(o) {
		if path.Ext(f.Path) != ".jsonl" {
			r.kinds["beside "+path.Ext(f.Path)]++
			continue
		}
		if strings.Contains(f.Path, "agent-") {
			r.places[path.Base(path.Dir(f.Path))]++
		}
		r.file(t, f)
	}
	return r
}

func (r *read) file(t *testing.T, f corpusgen.File) {
	t.Helper()
	file := transcript.Read(f.Path, f.Data)
	for _, p := range file.Problems {
		t.Errorf("problem: %v", p)
	}
	known := map[string]bool{"": true}
	names := map[string]string{}
	for i := range file.Records {
		rec := &file.Records[i]
		r.records++
		kind := rec.Type
		if rec.Subtype != "" {
			kind += " " + rec.Subtype
		}
		if a := transcript.Field(transcript.Field(rec.Raw, "attachment"), "type"); a != nil {
			kind += " " + transcript.String(a)
		}
		if d := transcript.Field(transcript.Field(rec.Raw, "data"), "type"); d != nil {
			kind += " " + transcript.String(d)
		}
		r.kinds[kind]++
		r.versions[rec.Version]++
		if rec.UUID == "" {
			continue
		}
		if !known[rec.ParentUUID] {
			t.Errorf("%s: record %s has parent %s, which is not before it", f.Path, rec.UUID, rec.ParentUUID)
		}
		if known[rec.UUID] {
			t.Errorf("%s: two records have the id %s", f.Path, rec.UUID)
		}
		known[rec.UUID] = true
		if rec.Message != nil {
			r.blocks(t, f.Path, names, rec)
		}
	}
}

func (r *read) blocks(t *testing.T, name string, names map[string]string, rec *transcript.Record) {
	t.Helper()
	for _, b := range rec.Message.Content {
		r.kinds[rec.Type+" block "+b.Type]++
		switch b.Type {
		case "tool_use":
			r.calls++
			r.tools[b.Name]++
			names[b.ID] = b.Name
			if ending := path.Ext(transcript.String(transcript.Field(b.Input, "file_path"))); ending != "" {
				r.endings[ending]++
			}
		case "tool_result":
			if names[b.ToolUseID] == "" {
				t.Errorf("%s: a result for %s, which is not a call", name, b.ToolUseID)
			}
			if b.IsError {
				r.failed++
			}
			for _, part := range b.Content {
				r.kinds["result "+part.Type]++
				r.outputs[names[b.ToolUseID]] = append(r.outputs[names[b.ToolUseID]], len(part.Text))
			}
			delete(names, b.ToolUseID)
		}
	}
}
