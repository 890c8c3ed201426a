package changes

import (
	"strings"
	"testing"

	"viewer/internal/tools"
)

// FuzzReplay: for any log, nothing panics, and the net diff turns the first text of a file into the last one.
func FuzzReplay(f *testing.F) {
	f.Add("1\n2\n", "1\n3\n", "2", "3", " 1\n-2\n+3", 1, uint64(0xb1))
	f.Add("", "x", "", "x\r\n", "+x\n\\ No newline", 0, uint64(0x7245))
	f.Add("\ufeffa\r\nb\r\n", "}\n}\n", "}", "", "-}\n }", -1, uint64(0x3f1c))
	f.Add("1\n2", "1\n3\n", "2", "3", " 1\n-2\n+3", 1, uint64(0x4eb6d7))
	f.Add("1\n2\n", "1\n3", "2", "3", " 1\n-2\n+3", 1, uint64(0x6b8e73b))
	f.Fuzz(func(t *testing.T, before, after, from, to, patch string, at int, plan uint64) {
		hunks := patchOf(at, strings.Split(patch, "\n")...)
		choices := []fileOp{
			{Kind: observe, Load: func() texts { return texts{Before: &before} }},
			{Kind: observe, Load: func() texts { return texts{Before: &after} }},
			{Kind: change, Load: func() texts { return texts{Before: &before, After: &after} }},
			{Kind: change, Load: func() texts { return texts{Absent: true, After: &after} }},
			{Kind: change, Load: func() texts { return texts{Edits: replaced(from, to, false)} }},
			{Kind: change, Load: func() texts { return texts{Edits: replaced(from, to, true), Hunks: hunks} }},
			{Kind: change, Load: func() texts { return texts{Hunks: hunks, Proposed: []string{to}} }},
			{Kind: change, Load: func() texts { return texts{After: &before, Hunks: hunks} }},
			{Kind: tools.DeleteFile}, {Kind: tools.RenameFile, To: "b"},
			{Kind: change, Load: func() texts { return texts{} }},
			{Kind: observe, Load: func() texts { return texts{Before: &before, EndUnknown: true} }},
			{Kind: observe, Load: func() texts { return texts{} }},
			{Kind: tools.DeleteFile, IfKnown: true}, {Kind: tools.RestoreFile, IfKnown: true},
			{Kind: tools.AlterFile, IfKnown: plan%2 == 0},
		}
		var steps []Step
		for i := 0; plan > 0; i++ {
			op := choices[plan%16%uint64(len(choices))]
			op.Path = []string{"a", "b"}[plan>>3&1]
			steps = append(steps, Step{Call{Turn: i / 3, Prompt: i / 3}, []fileOp{op}})
			plan >>= 4
		}
		for _, o := range []Options{{Texts: true}, {Texts: true, Prompt: new(int)}} {
			for _, file := range Replay(steps, o).Files {
				checkNet(t, &file)
			}
		}
	})
}

func checkNet(t *testing.T, f *File) {
	t.Helper()
	var p Patch
	p.Add(f, "")
	if f.Begin == Unclear || f.End == Unclear {
		return
	}
	plain := func(text string) string { // as lines of the diff are; a text in which all ends are \r\n may have no form
		if f.BOM {
			text = strings.TrimPrefix(text, byteOrderMark)
		}
		if f.CRLF {
			text = strings.ReplaceAll(text, "\r\n", "\n")
		}
		return text
	}
	old, want := plain(f.Before), plain(f.After)
	got, ok := exchange(split(old), f.Net.Hunks, false)
	if text := strings.Join(got, ""); !ok || text != want {
		t.Errorf("the net diff of %q gives %q, want %q", f.Before, text, f.After)
	}
	if f.End == Present && len(f.Writers) != CountLines(f.After) {
		t.Errorf("got %d writers for %d lines", len(f.Writers), CountLines(f.After))
	}
}
