package markup

import (
	"html/template"
	"strconv"
	"strings"
	"testing"
)

func TestEdits(t *testing.T) {
	many := ""
	for i := range 40 {
		many += strconv.Itoa(i) + "\n"
	}
	for _, test := range []struct{ name, old, new, want string }{
		{"same", "a\nb\n", "a\nb\n", ""},
		{"both empty", "", "", ""},
		{"new file", "", "a\nb\n", "@1,1|+a|+b"},
		{"emptied", "a\n", "", "@1,1|-a"},
		{"middle", "a\nb\nc\n", "a\nB\nc\n", "@1,1| a|-b|+B| c"},
		{"parts of a file", "a\nb", "a\nc", "@1,1| a|-b|+c"},
		{"newline added", "a\nb", "a\nb\n", `@1,1| a|-b|\ No newline at end of file|+b`},
		{"newline lost", "a\n", "a", `@1,1|-a|+a|\ No newline at end of file`},
		{"context", many, strings.Replace(many, "20\n", "x\n", 1), "@18,18| 17| 18| 19|-20|+x| 21| 22| 23"},
		{"two hunks", many, strings.NewReplacer("5\n6\n", "5\nx\n6\n", "30\n", "").Replace(many),
			"@4,4| 3| 4| 5|+x| 6| 7| 8@28,29| 27| 28| 29|-30| 31| 32| 33"},
		{"near", "1\n2\n3\n4\n5\n6\n7\n8\n", "x\n2\n3\n4\n5\n6\n7\ny\n", "@1,1|-1|+x| 2| 3| 4| 5| 6| 7|-8|+y"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := outline(Edits(test.old, test.new)); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func outline(hunks []Hunk) string {
	var b strings.Builder
	for _, h := range hunks {
		b.WriteString("@" + strconv.Itoa(h.OldStart) + "," + strconv.Itoa(h.NewStart))
		for _, l := range h.Lines {
			b.WriteString("|" + l)
		}
	}
	return b.String()
}

// apply applies a patch to the old text.
func apply(t *testing.T, old string, hunks []Hunk) string {
	t.Helper()
	lines := splitLines(old)
	var b strings.Builder
	at := 0
	for _, h := range hunks {
		for ; at < h.OldStart-1; at++ {
			b.WriteString(lines[at])
		}
		if got := strings.Count(b.String(), "\n") + 1; got != h.NewStart {
			t.Fatalf("a hunk starts at line %d of the new text, but has %d", got, h.NewStart)
		}
		for i, l := range h.Lines {
			line := l[1:] + "\n"
			if i+1 < len(h.Lines) && h.Lines[i+1] == noNewline {
				line = l[1:]
			}
			switch l[0] {
			case ' ', '-':
				if at >= len(lines) || strings.TrimSuffix(lines[at], "\n") != strings.TrimSuffix(line, "\n") {
					t.Fatalf("a hunk has %q, which is not in the old text", l)
				}
				at++
			}
			if l[0] == ' ' || l[0] == '+' {
				b.WriteString(line)
			}
		}
	}
	for ; at < len(lines); at++ {
		b.WriteString(lines[at])
	}
	return b.String()
}

func TestDiff(t *testing.T) {
	for _, test := range []struct {
		name, lang string
		hunks      []Hunk
		want       template.HTML
		gutter     string
	}{
		{"word", "", []Hunk{{41, 41, []string{" a", "-the old word here", "+the new word here", " b"}}},
			"a\n<del>the <em>old</em> word here</del>\n<ins>the <em>new</em> word here</ins>\nb\n", "41\n42\n42\n43"},
		{"different lines", "", []Hunk{{1, 1, []string{"-alpha beta", "+one two three"}}},
			"<del>alpha beta</del>\n<ins>one two three</ins>\n", "1\n1"},
		{"code", "go", []Hunk{{1, 1, []string{"-x := f(1)", "+x := g(1)"}}},
			`<del>x := <em><kbd>f</kbd></em>(<b>1</b>)</del>` + "\n" +
				`<ins>x := <em><kbd>g</kbd></em>(<b>1</b>)</ins>` + "\n", "1\n1"},
		{"comment of two lines", "go", []Hunk{{1, 1, []string{" /* a", "+b", " c */"}}},
			"<small>/* a</small>\n<ins><small>b</small></ins>\n<small>c */</small>\n", "1\n2\n3"},
		{"two hunks", "", []Hunk{{1, 1, []string{"+a"}}, {9, 10, []string{"-b"}}},
			"<ins>a</ins>\n<small>⋯</small>\n<del>b</del>\n", "1\n \n9"},
		{"no newline", "", []Hunk{{1, 1, []string{"-a", noNewline, "+a b"}}},
			"<del>a</del>\n<small>\\ No newline at end of file</small>\n<ins>a<em> b</em></ins>\n", "1\n \n1"},
		{"escapes", "", []Hunk{{1, 1, []string{"+<b>\u202e"}}}, "<ins>&lt;b&gt;<span class=\"u\">U+202E</span></ins>\n",
			"1"},
		{"dos", "", []Hunk{{1, 1, []string{" a\r", "+b\r"}}}, "a\n<ins>b</ins>\n", "1\n2"},
		{"line end changed", "", []Hunk{{1, 1, []string{"-a b c\r", "+a b c"}}},
			"<del>a b c<em><span class=\"u\">U+000D</span></em></del>\n<ins>a b c</ins>\n", "1\n1"},
		{"odd lines", "", []Hunk{{1, 1, []string{"", "no sign", "+"}}}, "\nno sign\n<ins></ins>\n", "1\n2\n3"},
		{"none", "", nil, "", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			got, gutter := Diff(test.hunks, test.lang)
			if got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
			if gutter != test.gutter {
				t.Errorf("got gutter %q, want %q", gutter, test.gutter)
			}
		})
	}
}

func FuzzDiff(f *testing.F) {
	seeds := append([]string{goSource, strings.Replace(goSource, "Push", "Put", 1)}, texts...)
	if len(seeds) < 2 {
		f.Fatal("no seeds found, want some")
	}
	for i := range seeds {
		f.Add(seeds[i], seeds[(i+1)%len(seeds)])
	}
	f.Fuzz(func(t *testing.T, old, new string) {
		if len(old)+len(new) > 4<<10 {
			t.Skip()
		}
		hunks := Edits(old, new)
		if got := apply(t, old, hunks); got != new && got != new+"\n" {
			t.Fatalf("Edits(%q, %q) gives %q", old, new, got)
		}
		code, gutter := Diff(hunks, "go")
		if Lines(code) != Lines(gutter) {
			t.Fatalf("got %d lines of code, %d of the gutter %q", Lines(code), Lines(gutter), gutter)
		}
		checkLines(t, code)
		var want []string
		crlf := isCRLF(hunks)
		for i, h := range hunks {
			if i > 0 {
				want = append(want, "⋯")
			}
			for _, l := range h.Lines {
				if l[0] != '\\' {
					l = l[1:]
				}
				if crlf {
					l = strings.TrimSuffix(l, "\r")
				}
				want = append(want, valid(l))
			}
		}
		got := strings.Split(strings.TrimSuffix(textOf(t, code), "\n"), "\n")
		if len(want) > 0 && strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Fatalf("text of Diff\n got %q\nwant %q", got, want)
		}
	})
}

func BenchmarkDiff(b *testing.B) {
	old := strings.Repeat(goSource, 10)
	new := strings.ReplaceAll(old, "r.next++", "r.next += step")
	hunks := Edits(old, new)
	b.Run("Edits", func(b *testing.B) {
		b.SetBytes(int64(len(old)))
		b.ReportAllocs()
		for b.Loop() {
			Edits(old, new)
		}
	})
	for _, lang := range []string{"", "go"} {
		b.Run("Diff lang="+lang, func(b *testing.B) {
			b.SetBytes(int64(len(old)))
			b.ReportAllocs()
			for b.Loop() {
				Diff(hunks, lang)
			}
		})
	}
}
