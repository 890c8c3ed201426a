package shell

import (
	"slices"
	"strconv"
	"strings"
	"testing"
)

// TestWritten: the words of a command, whatever their quotes and letters are.
func TestWritten(t *testing.T) {
	for command, want := range map[string][]string{
		`cat /tmp/свет.txt 'два'" слова"\ 三`: {"cat", "/tmp/свет.txt", "два слова 三"},
		`echo "a \"b\" $c $(d "e f") \\" ''`: {"echo", `a "b" $c $(d "e f") \`, ""},
		`a "b\`:                              {"a", `b\`},
		`echo "\n C:\w \a" '\n' \n`:          {"echo", `\n C:\w \a`, `\n`, "n"},
		"echo \"a\\\nb \\`c\\`\"":            {"echo", "ab `c`"},
		`a>b 2>&1 &>c <d`:                    {"a"},
		`a "$b" c`:                           {"a", "$b", "c"},
		`a $'it\'s\n\\n\x41' b$'$c' "$'d" $`: {"a", "it's\n\\n\\x41", "b$c", "$'d", "$"},
		`a $'b\`:                             {"a", `b\`},
		`a 'b c`:                             {"a", "b c"},
		"a @'\nit's >b;\n'c'\n'@ d":          {"a", "it's >b;\n'c'", "d"},
		"a @\"\n\"@ @'b'; #":                 {"a", "", "@b"},
		"a @'\nb":                            {"a", "@\nb"},
		"a '\nb\n'@ c":                       {"a", "\nb\n@", "c"},
		`a#b ${C}d{e,f} # g`:                 {"a#b", "${C}d{e,f}"},
	} {
		got := Written(command)
		if len(got) > 1+strings.Count(command, "$(") || !slices.Equal(got[len(got)-1].Words, want) {
			t.Errorf("%s: got %v, want %q", command, got, want)
		}
	}
}

// TestSaved: a success of the whole command says that a simple command succeeded, unless that is marked with "*".
func TestSaved(t *testing.T) {
	for command, want := range map[string]string{
		"a && b && c":             "a b c",
		"a && b; c":               "a* b* c",
		"a && b\nc\n":             "a* b* c",
		"a &&\n\n b;":             "a b",
		"a || b && c":             "a* b c",
		"a && b || c":             "a* b* c",
		"a & b":                   "a* b",
		"(a; b) && c":             "a* b c",
		"(a && b) 2>&1 | c":       "a* b* c",
		"(a && b) && c | d":       "a b c d",
		"a && b | c":              "a b c",
		"a # b; c && d\ne":        "a* e",
		"a && b & c":              "a* b* c",
		"a & b; c":                "a* b* c",
		"{ a && b; } | c; d":      "a* b* c* d",
		"((a)) || b":              "a* b",
		"a $(b) && c":             "b* a c",
		"if a; then b; fi":        "a* b* fi",
		"for x in y; do a; done":  "for* a* done",
		"a && (b; c && (d || e))": "a b* c d* e",
		"a) b; (c":                "a* b* c",
		"a && b > c 2>&1; d; # e": "a* b* d",
	} {
		got := ""
		for _, c := range Commands(command) {
			got += " " + c.Words[0]
			if c.Saved {
				got += "*"
			}
		}
		if strings.TrimSpace(got) != want {
			t.Errorf("%s: got%s, want %s", command, got, want)
		}
	}
}

// TestUse: how commands are used, with "|" for those whose output another one reads, "?" for those with output in a
// file, that file, and the here document.
func TestUse(t *testing.T) {
	for command, want := range map[string]string{
		"a | b |& c && d || e; f\ng & h":   "a| b| c&& d|| e; f; g h",
		"a &&\nb ||\n c |\nd":              "a&& b|| c| d",
		"(a; b) && c":                      "a; b c",
		"a > b; c >> d; e 2> f; g 1>h":     "a?>b; c?; e?; g?>h",
		"a 2>&1 | b >&2; c &> d":           "a| b; c?>d",
		"a >| b; c &>> d; e 2> f >g":       "a?>b; c?; e?>g",
		"a >b >>c; d >e 1>&2; f >&g":       "a?; d?; f?>g",
		"a '>' b; c \\>b; d \">c\"; e=>f":  "a; c; d;",
		"a <<'B' <c\nx\nB\nd 3<<B\nx\nB\n": "a; d;",
		"a <b <<B >'c d'\nx\nB\n":          `a?>c d"x\n";`,
		"a <<B | c\nx\nB\nd":               `a"x\n"| c; d`,
		"a <<B c\n$x\nB\nd <<'E'\n$x\nE\n": `a; d"$x\n";`,
		"a <<B <<C\nx\nB\ny\nC\nd":         `a"y\n"; d`,
		"bash <<B; d\nx\ny\nB\ne":          "bash; d; x; y; e",
		"a <<<b; c":                        "a; c",
		"a <<-'B'|c\n\tx\n\tB\nd":          `a"x\n"| c; d`,
		"a|b>c":                            "a| b?>c",
		"a 0<<'B'; c << 2\nx\nB\nd":        `a"x\n"; c; d`,
		"((1 << N))\na":                    "1 a",
	} {
		got := ""
		for _, c := range Commands(command) {
			got += " " + c.Words[0]
			if c.Quiet {
				got += "?"
			}
			if c.Output != "" {
				got += ">" + c.Output
			}
			if c.Document != nil {
				got += strconv.Quote(*c.Document)
			}
			if c.Piped {
				got += "|"
			}
			got += [...]string{"", "&&", "||", ";"}[c.Then]
		}
		if strings.TrimSpace(got) != want {
			t.Errorf("%q: got%s, want %s", command, got, want)
		}
	}
}

// TestLayers: what remains of a command without the programs that run it.
func TestLayers(t *testing.T) {
	for command, want := range map[string]string{
		"sudo -u me env A=1 /bin/npm test": "sudo -u me env A=1 /bin/npm test|env A=1 /bin/npm test|npm test",
		"uv run pytest":                    "uv run pytest|pytest",
		`'C:\bin\git.exe' log`:             "git log",
		"A=1":                              "",
	} {
		var got []string
		for words := range Layers(Written(command)[0].Words) {
			got = append(got, strings.Join(words, " "))
		}
		if strings.Join(got, "|") != want {
			t.Errorf("%s: got %q, want %s", command, got, want)
		}
	}
}

// TestFolders: where the last command runs. Parentheses are a shell of their own, braces are not.
func TestFolders(t *testing.T) {
	for command, want := range map[string]string{
		"ls":                           "",
		"cd a && ls":                   "a",
		"cd a\n A=1 cd b; ls":          "a b",
		"(cd a; cd b); ls":             "",
		"(cd a; cd b; ls":              "a b",
		"cd a; (cd b); (cd c && ls)":   "a c",
		"cd a; (cd b; (cd c); ls":      "a b",
		"{ cd a; }; ls":                "a",
		"x=$(cd a && pwd); ls":         "",
		"cd; ls":                       "~",
		"cd - && ls":                   "-",
		"pushd a; popd; ls":            "a -",
		"if x; then cd a; fi; echo cd": "a",
		"echo cd a; ls":                "",
		"> cd; ls":                     "",
	} {
		all := Commands(command)
		if got := strings.Join(all[len(all)-1].Folders, " "); got != want {
			t.Errorf("%s: got %q, want %q", command, got, want)
		}
	}
}

// TestDocumentsWithoutEnd: the rest of a command is not searched again and again for ends that it does not have.
func TestDocumentsWithoutEnd(t *testing.T) {
	r := shellReader{text: strings.Repeat("<<a\n", 1000), closed: -1, lists: make([]list, 1)}
	for r.at < len(r.text) {
		r.next()
	}
	if r.open != maxOpen || len(r.docs) != 0 {
		t.Errorf("searched for the ends of %d here documents, want %d", r.open, maxOpen)
	}
}

// FuzzCommands: no command makes the parser of commands panic or run forever.
func FuzzCommands(f *testing.F) {
	for _, s := range []string{
		"cat <<A <<-'B' | x\n1\nA\n\tB\ny", "\"$(a <<B\n'\nB\n)\"", "((1<<n))\n", "sh <<A\n<<A",
		"", `a 'b" c`, "a && b || c; d | e & f\n(g)", `\`, "a >&2 2>&1 <b", "sudo", "timeout 5", "python -m",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, c := range Commands(s) {
			if len(c.Words) == 0 {
				t.Fatal("got a command without words")
			}
			for range Layers(c.Words) {
			}
		}
	})
}
