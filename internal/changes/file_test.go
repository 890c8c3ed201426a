package changes

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"viewer/internal/tools"
)

func p(s string) *string { return &s }

// do returns a step with one operation.
func do(kind tools.FileKind, path string, t texts) Step {
	return Step{Ops: []fileOp{{Kind: kind, Path: path, Load: func() texts { return t }}}}
}

func in(turn int, s Step) Step {
	s.Turn, s.Prompt = turn, turn
	return s
}

func rename(path, to string) Step {
	return Step{Ops: []fileOp{{Kind: tools.RenameFile, Path: path, To: to}}}
}
func remove(path string) Step { return Step{Ops: []fileOp{{Kind: tools.DeleteFile, Path: path}}} }

// TestLeft tells files whose changes were undone from those of which the log does not show the changes.
func TestLeft(t *testing.T) {
	write := do(change, "a", texts{After: p("1\n2\n")})
	edit, back := texts{Edits: replaced("2", "3", false)}, texts{Edits: replaced("3", "2", false)}
	for _, c := range []struct {
		name  string
		steps []Step
		want  bool
	}{
		{"an edit and its reversal", []Step{do(observe, "a", texts{Before: p("1\n2\n")}), do(change, "a", edit),
			do(change, "a", back)}, false},
		{"a file written whole, of which no text is known", []Step{write}, true},
		{"the same, edited and restored later", []Step{write, do(change, "a", edit), do(change, "a", back)}, true},
		{"the same, read before", []Step{do(observe, "a", texts{Before: p("1\n2\n")}), write}, false},
		{"the same, and removed in the end", []Step{write, remove("a")}, false},
		{"one that was edited without its text, and removed", []Step{
			do(change, "a", texts{Hunks: patchOf(2, " x", "-y", "+z")}), remove("a")}, true},
		{"an edit whose texts are not in the log", []Step{do(change, "a", texts{})}, true},
		{"the same, of a file that is later as before", []Step{do(observe, "a", texts{Before: p("1\n")}),
			do(change, "a", texts{}), do(observe, "a", texts{Before: p("1\n")})}, false},
	} {
		if f := Replay(c.steps, Options{}).Files; len(f) != 1 || f[0].Left() != c.want {
			t.Errorf("%s: got %+v, want left %t", c.name, f, c.want)
		}
	}
}

// TestManyFolders: operations on folders with many files are replayed up to a limit.
func TestManyFolders(t *testing.T) {
	var steps []Step
	for i := range 1000 {
		steps = append(steps, do(change, fmt.Sprintf("a/%d", i), texts{After: p("1\n")}))
	}
	for range 1000 {
		steps = append(steps, known(tools.DeleteFile, "a"), known(tools.RestoreFile, "a"))
	}
	n := 0
	for _, f := range traces(steps, "") {
		n += len(f.touches)
	}
	if n < 100_000 || n > 200_000 {
		t.Errorf("got %d operations on files, want at most 200,000", n)
	}
}

// known returns a step with an operation that matters only for files that other calls touched.
func known(kind tools.FileKind, path string) Step {
	return Step{Ops: []fileOp{{Kind: kind, Path: path, IfKnown: true}}}
}

// TestCommands replays what commands did to files and folders.
func TestCommands(t *testing.T) {
	made := do(change, "/w/d/a", texts{Absent: true, After: p("1\n2\n")})
	there := do(observe, "/w/d/b", texts{Before: p("1\n2\n")})
	edit := edited3("/w/d/b")
	patch := do(change, "/w/d/c", texts{Hunks: patchOf(2, " x", "-y", "+z")})
	for _, c := range []struct {
		name  string
		steps []Step
		want  []string
	}{
		{"a file that no other call touched", []Step{known(tools.DeleteFile, "/w/d/a")}, nil},
		{"a file that was read", []Step{there, known(tools.DeleteFile, "/w/d/b")},
			[]string{"/w/d/b present to absent +0 -2"}},
		{"the files in a folder", []Step{made, there, do(observe, "/w/db", texts{Before: p("1\n")}),
			known(tools.DeleteFile, "/w/d/")},
			[]string{"/w/d/a absent to absent +0 -0", "/w/d/b present to absent +0 -2"}},
		{"a file that was renamed out of the folder", []Step{there, rename("/w/d/b", "/w/b"), edited3("/w/b"),
			known(tools.DeleteFile, "/w/d")}, []string{"/w/b present to present +1 -1 from /w/d/b [-1 2]"}},
		{"an edited file is restored", []Step{there, edit, known(tools.RestoreFile, "/w/d/b")},
			[]string{"/w/d/b present to present +0 -0 [-1 2]"}},
		{"a removed one", []Step{there, remove("/w/d/b"), known(tools.RestoreFile, ".")},
			[]string{"/w/d/b present to present +0 -0 [2 2]"}},
		{"one whose text is unknown", []Step{patch, known(tools.RestoreFile, "/w/d/c")},
			[]string{"/w/d/c unclear to unclear +0 -0"}},
		{"and edited again", []Step{patch, known(tools.RestoreFile, "/w/d/c"), patch},
			[]string{"/w/d/c unclear to unclear +0 -0 alone 2 +1 -1"}},
		{"a new file has no committed text", []Step{made, known(tools.RestoreFile, "/w/d")},
			[]string{"/w/d/a absent to present +2 -0 [0 0]"}},
	} {
		var got []string
		for _, f := range Replay(c.steps, Options{Folder: "/w"}).Files {
			got = append(got, describe(f))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// TestAltered replays what commands may have done to files.
func TestAltered(t *testing.T) {
	alter := func(path string) Step { return Step{Ops: []fileOp{{Kind: tools.AlterFile, Path: path}}} }
	format := func(path, ending string) Step {
		return Step{Ops: []fileOp{{Kind: tools.AlterFile, Path: path, IfKnown: true, Formats: true, Ending: ending}}}
	}
	text := "1\n2\n"
	made := do(change, "/w/a", texts{Absent: true, After: &text})
	there := do(observe, "/w/a", texts{Before: &text})
	edit := edited3("/w/a")
	moved := Step{Ops: []fileOp{{Kind: tools.RenameFile, Path: "/w/a", To: "/w/b", IfKnown: true}}}
	for _, c := range []struct {
		name  string
		steps []Step
		want  []string
	}{
		{"a file that no other call touched", []Step{alter("/w/a")}, nil},
		{"a file that was only read", []Step{there, alter("/w/a")}, nil},
		{"an edited file", []Step{there, edit, alter("/w/a")},
			[]string{"/w/a present to present +1 -1 [-1 1] altered"}},
		{"and read again", []Step{there, edit, alter("/w/a"), there},
			[]string{"/w/a present to present +0 -0 foreign 0 [{1 3 1 1}] [-1 -2]"}},
		{"one in a folder", []Step{there, edit, format("/w", "")},
			[]string{"/w/a present to present +1 -1 [-1 1] altered"}},
		{"one in another folder", []Step{there, edit, format("/x", "")},
			[]string{"/w/a present to present +1 -1 [-1 1]"}},
		{"one with another ending", []Step{there, edit, format("/w", ".go")},
			[]string{"/w/a present to present +1 -1 [-1 1]"}},
		{"any", []Step{there, edit, known(tools.AlterFile, "/")},
			[]string{"/w/a present to present +1 -1 [-1 1] altered"}},
		{"a file before its text is known", []Step{alter("/w/a"), there, edit},
			[]string{"/w/a unclear to present +1 -1 [-1 2] late"}},
		{"its folder", []Step{alter("/w"), there, edit}, []string{"/w/a unclear to present +1 -1 [-1 2] late"}},
		{"a file that is made later", []Step{alter("/w/a"), made}, []string{"/w/a absent to present +2 -0 [1 1]"}},
		{"one that was removed and is made again", []Step{known(tools.DeleteFile, "/w/a"), made},
			[]string{"/w/a unclear to present +2 -0 [1 1] late"}},
		{"a removed file, which may be there again", []Step{there, remove("/w/a"), alter("/w/a")},
			[]string{"/w/a present to unclear +0 -0 altered"}},
		{"one that cannot be formatted", []Step{there, remove("/w/a"), format("/w", "")},
			[]string{"/w/a present to absent +0 -2"}},
		{"one that the session had made", []Step{made, remove("/w/a"), known(tools.AlterFile, "/")},
			[]string{"/w/a absent to absent +0 -0"}},
		{"one that is renamed before it is known", []Step{moved, do(observe, "/w/b", texts{Before: &text}),
			edited3("/w/b")}, []string{"/w/b present to present +1 -1 from /w/a [-1 2]"}},
		{"one that is renamed and restored", []Step{there, moved, edited3("/w/b"), known(tools.RestoreFile, "/w")},
			[]string{"/w/b present to present +1 -1 from /w/a [-1 2] altered"}},
		{"one that an unknown file replaces", []Step{do(observe, "/w/b", texts{Before: &text}), edited3("/w/b"), moved},
			[]string{"/w/b present to present +1 -1 [-1 1] altered"}},
	} {
		var got []string
		for _, f := range Replay(c.steps, Options{Folder: "/w"}).Files {
			got = append(got, describe(f))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got\n%s\nwant\n%s", c.name, strings.Join(got, "\n"), strings.Join(c.want, "\n"))
		}
	}
}

// edited3 returns an edit that replaces 2 by 3.
func edited3(path string) Step { return do(change, path, texts{Edits: replaced("2", "3", false)}) }

// describe describes the result of a file in one line.
func describe(f File) string {
	words := []string{"unclear", "absent", "present"}
	s := fmt.Sprintf("%s %s to %s +%d -%d", f.Path, words[f.Begin], words[f.End], f.Net.Added, f.Net.Removed)
	if f.From != "" {
		s += " from " + f.From
	}
	if f.Net.ForeignAdded > 0 || len(f.Foreign) > 0 {
		s += fmt.Sprintf(" foreign %d %v", f.Net.ForeignAdded, f.Foreign)
	}
	for _, a := range f.Alone {
		s += fmt.Sprintf(" alone %d +%d -%d", a.Step, a.Added, a.Removed)
	}
	if f.Writers != nil {
		s += fmt.Sprint(" ", f.Writers)
		if !slices.Equal(f.Writers, f.Words) {
			s += fmt.Sprint(" words ", f.Words)
		}
	}
	if f.Binary {
		s += " binary"
	}
	if f.Late && len(f.Alone) == 0 {
		s += " late"
	}
	if f.Altered {
		s += " altered"
	}
	return s
}

func TestReplay(t *testing.T) {
	long := "a line that is long enough to be no chance\n"
	prompt := 1
	for _, c := range []struct {
		name  string
		steps []Step
		o     Options
		want  []string
	}{
		{"a file is made and edited", []Step{
			do(change, "a", texts{Absent: true, After: p("1\n2\n")}),
			do(change, "a", texts{Edits: replaced("2", "3", false)}),
		}, Options{Folder: "/w"}, []string{"/w/a absent to present +2 -0 [0 1]"}},
		{"an edit that is undone does not count", []Step{
			do(change, "a", texts{Before: p("1\n2\n"), Edits: replaced("2", "3", false)}),
			do(change, "a", texts{Edits: replaced("3", "2", false)}),
		}, Options{}, []string{"a present to present +0 -0 [-1 1]"}},
		{"a whole file that hardly changes", []Step{do(change, "a", texts{Before: p("1\n2\n3\n"),
			After: p("1\n4\n3\n")})},
			Options{}, []string{"a present to present +1 -1 [-1 0 -1]"}},
		{"a file that was not read, by hunks", []Step{do(change, "a", texts{Hunks: patchOf(3, " x",
			"-y", "+z", "+")})},
			Options{}, []string{"a unclear to unclear +0 -0 alone 0 +2 -1"}},
		{"one that is read later: the patches are undone", []Step{
			do(change, "a", texts{Hunks: patchOf(2, " x", "-y", "+z"), Edits: replaced("y", "z",
				false)}),
			do(observe, "a", texts{Before: p("1\nx\nz\n")}),
		}, Options{}, []string{"a present to present +1 -1 [-1 -1 0]"}},
		{"a file whose patch does not fit later contents", []Step{
			do(change, "a", texts{Hunks: patchOf(2, " x", "-y", "+z")}),
			do(observe, "a", texts{Before: p("1\nx\nq\n")}),
		}, Options{}, []string{"a unclear to present +0 -0 alone 0 +1 -1 [-1 -1 -1]"}},
		{"a part that is read in between", []Step{
			do(change, "a", texts{Hunks: patchOf(2, " x", "-y", "+z")}), do(observe, "a", texts{}),
			do(observe, "a", texts{Before: p("1\nx\nz\n")}),
		}, Options{}, []string{"a present to present +1 -1 [-1 -1 0]"}},
		{"a text shown by lines ends like the next one", []Step{
			do(observe, "a", texts{Before: p("1\n2"), EndUnknown: true}), do(change, "a", texts{After: p("1\n3")}),
		}, Options{}, []string{"a present to present +1 -1 [-1 1]"}},
		{"like the one before", []Step{
			do(change, "a", texts{Absent: true, After: p("1\n2")}),
			do(observe, "a", texts{Before: p("1\n2"), EndUnknown: true}), do(change, "a", texts{After: p("1\n2\n")}),
		}, Options{}, []string{"a absent to present +2 -0 [0 2]"}},
		{"or in a line end", []Step{
			do(observe, "a", texts{Before: p("1\n2"), EndUnknown: true}),
			do(change, "a", texts{Edits: replaced("1", "3", false)}),
			do(observe, "a", texts{Before: p("3\n2"), EndUnknown: true}),
		}, Options{}, []string{"a present to present +1 -1 [1 -1]"}},
		{"and shown after a patch", []Step{
			do(change, "a", texts{Hunks: patchOf(2, " x", "-y", "+z")}),
			do(observe, "a", texts{Before: p("1\nx\nz"), EndUnknown: true}),
		}, Options{}, []string{"a present to present +1 -1 [-1 -1 0]"}},
		{"a formatter writes between two calls", []Step{
			do(change, "a", texts{Absent: true, After: p("if x {\ny\n}\n")}),
			do(change, "a", texts{Before: p("if x {\n\ty\n}\n"), Edits: replaced("y", "z", false)}),
		}, Options{}, []string{"a absent to present +3 -0 foreign 0 [{0 1 1 1}] [0 1 0]"}},
		{"and one joins and parts lines", []Step{
			do(change, "a", texts{Absent: true, After: p("f(1,\n2)\ng(3,\n")}),
			do(change, "a", texts{After: p("f(1,\n2)\ng(3,\n4)\n")}),
			do(observe, "a", texts{Before: p("f(1, 2)\ng(3, 4)\n")}),
		}, Options{}, []string{"a absent to present +2 -0 foreign 1 [{1 2 2 4}] [-2 -2] words [0 -2]"}},
		{"and one writes a line, too", []Step{
			do(change, "a", texts{Absent: true, After: p("if x {\ny\n}\n")}),
			do(observe, "a", texts{Before: p("if x {\n\ty\n\tz\n}\n")}),
		}, Options{}, []string{"a absent to present +4 -0 foreign 1 [{0 1 2 1}] [0 -2 -2 0] words [0 0 -2 0]"}},
		{"a line of another writer that equals one of the call", []Step{
			do(change, "a", texts{Absent: true, After: p("1\n}\n")}),
			do(observe, "a", texts{Before: p("1\n}\n}\n")}),
		}, Options{}, []string{"a absent to present +3 -0 foreign 1 [{0 1 1 0}] [0 -2 -2]"}},
		{"one that can, by how people write", []Step{
			do(change, "a", texts{Absent: true, After: p("f {\n}\n")}),
			do(observe, "a", texts{Before: p("f {\n}\ng {\n}\n")}),
		}, Options{}, []string{"a absent to present +4 -0 foreign 2 [{0 1 2 0}] [0 0 -2 -2]"}},
		{"a line that went, and reads like the one that stayed", []Step{
			do(change, "a", texts{Before: p("1\n}\n"), After: p("1\n}\n}\n2\n")}),
			do(observe, "a", texts{Before: p("1\n}\n2\n")}),
		}, Options{}, []string{"a present to present +1 -0 foreign 0 [{0 1 0 1}] [-1 -1 0]"}},
		{"a text that no longer exists", []Step{
			do(change, "a", texts{Absent: true, After: p("1\n")}),
			do(change, "a", texts{Edits: replaced("5", "6", false)}),
		}, Options{}, []string{"a absent to unclear +1 -0 alone 1 +1 -1"}},
		{"and is read again", []Step{
			do(change, "a", texts{Absent: true, After: p("1\n")}),
			do(change, "a", texts{Edits: replaced("5", "6", false)}),
			do(observe, "a", texts{Before: p("1\n6\n")}),
		}, Options{}, []string{"a absent to present +2 -0 foreign 1 [{1 2 1 0}] [0 -2]"}},
		{"a patch that shows another place", []Step{
			do(change, "a", texts{Absent: true, After: p("1\n2\n")}),
			do(change, "a", texts{Edits: replaced("2", "3", false), Hunks: patchOf(7, " 1", "-2",
				"+3")}),
		}, Options{}, []string{"a absent to unclear +2 -0"}},
		{"a patch that shows blanks for tabs", []Step{
			do(change, "a", texts{Absent: true, After: p("\t1\n\t2\n")}),
			do(change, "a", texts{Edits: replaced("2", "3", false), Hunks: patchOf(1, "   1",
				"-  2", "+  3")}),
		}, Options{}, []string{"a absent to present +2 -0 [0 1]"}},
		{"a diff adds lines that were there, because others equal them", []Step{
			do(change, "a", texts{Before: p("f {\nfor\nx\n}\nreturn\n}\nz\n"),
				Edits: replaced("f {\nfor\nx\n}\nreturn\n}\n", "f {\nq\n}\ng {\nfor\ny\n}\nr\n}\n", false)}),
			do(change, "a", texts{Edits: replaced("f {\nq\n}\n", "f {\nfor\nx\n}\nreturn\n}\n", false)}),
		}, Options{}, []string{"a present to present +6 -0 [-1 1 1 1 1 0 0 -1 0 -1 0 -1 -1]"}},
		{"a block moves", []Step{
			do(change, "a", texts{Absent: true, After: p(long + "1\n2\n3\n")}),
			do(change, "a", texts{After: p("1\n2\n3\n" + long)}),
		}, Options{}, []string{"a absent to present +4 -0 [0 0 0 0]"}},
		{"a block is cut, and put elsewhere by the next call", []Step{
			do(change, "a", texts{Absent: true, After: p(long + "1\n2\n3\n")}),
			do(change, "a", texts{After: p("1\n2\n3\n")}), do(change, "a", texts{After: p("1\n2\n3\n" + long)}),
		}, Options{}, []string{"a absent to present +4 -0 [0 0 0 0]"}},
		{"the user changes what is written", []Step{
			do(change, "a", texts{Before: p("1\n"), After: p("1\n2\n3\n"), Proposed: []string{"2\n"}}),
		}, Options{}, []string{"a present to present +2 -0 foreign 1 [] [-1 0 -2]"}},
		{"renamed, and another made in its place", []Step{
			do(change, "a", texts{Before: p("1\n"), After: p("2\n")}), rename("a", "b"), do(change, "b",
				texts{Edits: replaced("2", "4", false)}),
			do(change, "a", texts{Absent: true, After: p("3\n")}),
		}, Options{}, []string{"b present to present +1 -1 from a [2]", "a absent to present +1 -0 [3]"}},
		{"renamed over another", []Step{
			do(observe, "a", texts{Before: p("1\n")}), do(observe, "b", texts{Before: p("2\n")}), rename("a", "b"),
		}, Options{}, []string{"b present to present +0 -0 from a [-1]", "b present to absent +0 -1"}},
		{"taken away, with its text", []Step{
			do(observe, "a", texts{Before: p("1\n")}), do(tools.DeleteFile, "a", texts{Before: p("1\n2\n")}),
		}, Options{}, []string{"a present to absent +0 -1 foreign 0 [{0 1 1 0}]"}},
		{"taken away after a change alone", []Step{
			do(change, "a", texts{Edits: replaced("1", "2", false)}),
			do(tools.DeleteFile, "a", texts{Before: p("2\n3\n")}),
		}, Options{}, []string{"a unclear to absent +0 -2 alone 0 +1 -1"}},
		{"taken away, known by its end only", []Step{do(tools.DeleteFile, "a", texts{Before: p("2\n3\n")})},
			Options{}, []string{"a present to absent +0 -2"}},
		{"taken away", []Step{do(observe, "a", texts{Before: p("1\n")}), remove("a")}, Options{},
			[]string{"a present to absent +0 -1"}},
		{"taken away, and made again by somebody", []Step{
			do(observe, "a", texts{Before: p("1\n")}), remove("a"), do(observe, "a", texts{Before: p("2\n")}),
		}, Options{}, []string{"a present to present +1 -1 foreign 1 [{1 2 1 0}] [-2]"}},
		{"made, and taken away by somebody", []Step{
			do(change, "a", texts{Absent: true, After: p("1\n")}), do(observe, "a", texts{Absent: true}),
		}, Options{}, []string{"a absent to absent +0 -0 foreign 0 [{0 1 0 1}]"}},
		{"and made again", []Step{
			do(change, "a", texts{Absent: true, After: p("1\n")}),
			do(change, "a", texts{Absent: true, After: p("2\n")}),
		}, Options{}, []string{"a absent to present +1 -0 foreign 0 [{0 1 0 1}] [1]"}},
		{"a change that cannot be replayed, and changed nothing", []Step{
			do(change, "a", texts{Absent: true, After: p("1\n")}),
			do(change, "a", texts{Edits: replaced("5", "6", false)}),
			do(observe, "a", texts{Before: p("1\n")}),
		}, Options{}, []string{"a absent to present +1 -0 [0]"}},
		{"a text that became too large, and is read again", []Step{
			do(change, "a", texts{Absent: true, After: p("1\n")}),
			do(change, "a", texts{After: p(strings.Repeat("2\n", MaxLines+1))}),
			do(observe, "a", texts{Before: p("3\n")}),
		}, Options{}, []string{"a absent to unclear +0 -0"}},
		{"only read", []Step{do(observe, "a", texts{Before: p("1\n")})}, Options{}, nil},
		{"one turn", []Step{
			in(0, do(change, "a", texts{Before: p("1\n"), After: p("2\n")})), in(1, do(change, "a",
				texts{After: p("2\n3\n")})),
			in(2, do(change, "a", texts{After: p("4\n")})), in(0, do(change, "b", texts{After: p("4\n")})),
		}, Options{Prompt: &prompt}, []string{"a present to present +1 -0 [0 1]"}},
		{"binary", []Step{do(change, "a", texts{Before: p("\x001\n"), After: p("2\n")})}, Options{},
			[]string{"a unclear to unclear +0 -0 binary"}},
		{"nothing is known of a cell", []Step{
			do(observe, "a", texts{Before: p("1\n")}), do(change, "a", texts{}),
		}, Options{}, []string{"a present to unclear +0 -0 alone 1 +0 -0"}},
		{"all places", []Step{do(change, "a", texts{Before: p("1 1\n1\n"), Edits: replaced("1", "2", true)})},
			Options{}, []string{"a present to present +2 -2 [0 0]"}},
		{"a line is taken away with its end", []Step{do(change, "a", texts{Before: p("1\n2\n"), Edits: replaced("1", "",
			false)})},
			Options{}, []string{"a present to present +0 -1 [-1]"}},
		{"an end of line is missing", []Step{do(change, "a", texts{Before: p("1\n2"), After: p("1\n2\n")})}, Options{},
			[]string{"a present to present +1 -1 [-1 0]"}},
		{"CRLF, while the call says LF", []Step{do(change, "a", texts{Before: p("1\r\n2\r\n"), Edits: replaced("1\n2",
			"1\n3", false)})},
			Options{}, []string{"a present to present +1 -1 [-1 0]"}},
		{"spellings of a path", []Step{
			do(change, "/w/./x/../a", texts{Absent: true, After: p("1\n")}), do(change, "a", texts{After: p("2\n")}),
		}, Options{Folder: "/w"}, []string{"/w/a absent to present +1 -0 [1]"}},
		{"paths of Windows", []Step{
			do(change, `c:\w\a`, texts{Absent: true, After: p("1\n")}), do(change, `a`, texts{After: p("2\n")}),
		}, Options{Folder: `C:\w`}, []string{"C:/w/a absent to present +1 -0 [1]"}},
		{"redacted paths", []Step{
			do(change, `~/w/a`, texts{Absent: true, After: p("1\n")}), do(change, `a`, texts{After: p("2\n")}),
			do(change, `~\w\b`, texts{Absent: true, After: p("1\n")}),
		}, Options{Folder: `~/w`}, []string{"~/w/a absent to present +1 -0 [1]", "~/w/b absent to present +1 -0 [2]"}},
		{"no paths", []Step{do(change, "", texts{After: p("1\n")}), do(change, "a\x00b", texts{After: p("1\n")})},
			Options{}, nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got []string
			for _, f := range Replay(c.steps, c.o).Files {
				got = append(got, describe(f))
			}
			if !reflect.DeepEqual(got, c.want) {
				t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(c.want, "\n"))
			}
		})
	}
}

// TestTurns: turns have the net changes of calls in all files, including those of a text that is not known.
func TestTurns(t *testing.T) {
	r := Replay([]Step{
		in(0, do(change, "a", texts{Absent: true, After: p("1\n2\n")})),
		in(0, do(change, "a", texts{After: p("1\n3\n")})),
		in(1, do(change, "b", texts{Hunks: patchOf(3, " x", "-y", "+z", "+")})),
		in(2, do(change, "a", texts{Before: p("0\n1\n3\n"), After: p("0\n4\n")})),
		in(2, do(change, "b", texts{Hunks: patchOf(9, " x", "-y")})),
	}, Options{})
	turns := make([]Part, 3)
	for _, f := range r.Files {
		for _, part := range f.Turns {
			sum := &turns[part.Turn]
			*sum = Part{part.Turn, sum.Added + part.Added, sum.Removed + part.Removed, false}
		}
	}
	want := []Part{{Turn: 0, Added: 2}, {Turn: 1, Added: 2, Removed: 1}, {Turn: 2, Added: 1, Removed: 3}}
	if !slices.Equal(turns, want) {
		t.Errorf("got turns %+v, want %+v", turns, want)
	}
	if got, want := r.Net(), (Net{Files: 2, Added: 3, Removed: 2, UnknownAdded: 1}); got != want {
		t.Errorf("got %+v, want %+v", got, want)
	}
}

// TestReplayBounded: a small log can ask for any amount of work, which is limited.
func TestReplayBounded(t *testing.T) {
	work := budget(100)
	text := strings.Repeat("1\n", 30)
	steps := []Step{do(change, "a", texts{Before: &text, After: p("1\n")}), do(change, "a", texts{Before: &text,
		After: p("1\n")})}
	f := replay(traces(steps, "")[0], inOrder(steps), nil, Options{}, &work)
	if got, want := describe(*f), "a unclear to unclear +0 -0"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestRemovedAgain: a folder that is removed twice counts once for each file, so that the work grows with the log.
func TestRemovedAgain(t *testing.T) {
	made := do(change, "/w/d/a", texts{Absent: true, After: p("1\n")})
	gone := known(tools.DeleteFile, "/w/d")
	f := Replay([]Step{made, gone, gone, made, gone}, Options{}).Files
	if want := []int{0, 1, 3, 4}; len(f) != 1 || !slices.Equal(f[0].Steps, want) {
		t.Errorf("got %+v, want one file with the steps %v", f, want)
	}
}

// TestManyRewrites: a turn that writes a file anew many times keeps only so many of the lines that it removed, and
// still finds those that moved.
func TestManyRewrites(t *testing.T) {
	r := replayer{left: make(map[int32]Writer)}
	r.set("", Unknown)
	for i := range 2000 {
		var text strings.Builder
		for line := range 20 {
			fmt.Fprintf(&text, "line %d of the text that was written as number %d\n", line, i)
		}
		r.set(text.String(), Writer(i))
	}
	kept := 0
	for _, b := range r.cut {
		kept += len(b)
	}
	if kept > maxCut+20 || kept < maxCut-20 {
		t.Errorf("%d lines are kept, want about %d", kept, maxCut)
	}
	r.set("line 3 of the text that was written as number 1990\nline 4 of the text that was written as number 1990\n",
		Writer(2000))
	if by := r.lines[0].by; by != Writer(1990) {
		t.Errorf("a line that came back is of %d, want 1990", by)
	}
}

// TestFewAdded: what a turn removed costs no memory when only a few lines are added.
func TestFewAdded(t *testing.T) {
	var b block
	for i := range maxCut {
		b = append(b, entry{text: fmt.Sprintf("line %d of what was removed", i)})
	}
	lines := []string{b[7].text}
	cost := testing.AllocsPerRun(10, func() {
		if m := moved([]block{b}, lines, []span{{0, 0, 0, 1}}, 1); len(m) != 1 {
			t.Errorf("got %d moved lines, want 1", len(m))
		}
	})
	if cost > 10 {
		t.Errorf("a line costs %.0f allocations, want a few", cost)
	}
}

// TestPart: a read of some lines tells that somebody else changed the file, if they are not those that are known.
func TestPart(t *testing.T) {
	there := do(observe, "a", texts{Before: p("1\n2\n4\n5\n")})
	edit := do(change, "a", texts{Edits: replaced("2", "3", false)}) // 1, 3, 4, 5
	long := strings.Repeat("x", maxWholeLine)
	part := func(first int, text string) Step { return do(observe, "a", texts{Part: &text, First: first}) }
	unclear := "a present to unclear +1 -1"
	for _, c := range []struct {
		name  string
		steps []Step
		want  string
	}{
		{"the same lines", []Step{part(2, "3\n4")}, "a present to present +1 -1 [-1 1 -1 -1]"},
		{"to the end", []Step{part(4, "5\n"), part(5, ""), part(4, "5\r\n")}, "a present to present +1 -1 [-1 1 -1 -1]"},
		{"other lines", []Step{part(2, "3\n6")}, unclear},
		{"lines that moved", []Step{part(2, "4\n5")}, unclear},
		{"more lines", []Step{part(4, "5\n6\n")}, unclear},
		{"a line that is cut off", []Step{part(2, long+"\n4\n")}, "a present to present +1 -1 [-1 1 -1 -1]"},
		{"a change after it", []Step{part(2, "6"), do(change, "a", texts{Edits: replaced("4", "7", false)})},
			unclear + " alone 3 +1 -1"},
		{"the whole text after it", []Step{part(2, "6"), do(observe, "a", texts{Before: p("1\n6\n4\n5\n")})},
			"a present to present +1 -1 foreign 1 [{1 3 1 1}] [-1 -2 -1 -1]"},
		{"the same text after it", []Step{part(2, "6"), do(observe, "a", texts{Before: p("1\n3\n4\n5\n")})},
			"a present to present +1 -1 [-1 1 -1 -1]"},
	} {
		files := Replay(append([]Step{there, edit}, c.steps...), Options{}).Files
		if len(files) != 1 || describe(files[0]) != c.want {
			t.Errorf("%s: got %+v, want %s", c.name, files, c.want)
		}
	}
	if files := Replay([]Step{part(1, "1"), part(1, "2")}, Options{}).Files; files != nil {
		t.Errorf("a file that was only read has changed: %+v", files)
	}
}
