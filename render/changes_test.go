package render

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"viewer/internal/testing/golden"
	"viewer/internal/testing/htmlcheck"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// An editLog writes the log of a session that changes files, and keeps the contents of the files.
type editLog struct {
	lines []string
	files map[string]string
	calls int
}

func (l *editLog) record(body string) {
	n := len(l.lines) + 1
	l.lines = append(l.lines, fmt.Sprintf(
		`{"uuid":"%08d-0000-4000-8000-000000000000","sessionId":"s","timestamp":"2026-03-02T%02d:%02d:00Z","cwd":"/tide",%s}`,
		n, 9+n/60, n%60, body))
}

func (l *editLog) prompt(text string) {
	l.record(`"type":"user","message":{"role":"user","content":` + quoted(text) + `}`)
}

func quoted(s string) string {
	b, err := json.Marshal(s)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// call appends a call with its result.
func (l *editLog) call(tool, input, result string) {
	l.calls++
	id := fmt.Sprintf("t%d", l.calls)
	l.record(fmt.Sprintf(`"type":"assistant","message":{"id":"m%d","role":"assistant","content":[{"type":"tool_use","id":%q,"name":%q,"input":%s}]}`,
		l.calls, id, tool, input))
	l.record(fmt.Sprintf(`"type":"user","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":%q,"content":"done"}]},"toolUseResult":%s`,
		id, result))
}

func (l *editLog) write(path, text string) {
	kind, before := "create", "null"
	if old, ok := l.files[path]; ok {
		kind, before = "update", quoted(old)
	}
	l.call("Write", fmt.Sprintf(`{"file_path":%s,"content":%s}`, quoted(path), quoted(text)),
		fmt.Sprintf(`{"type":%q,"filePath":%s,"content":%s,"originalFile":%s,"structuredPatch":[]}`, kind, quoted(path),
			quoted(text), before))
	if l.files == nil {
		l.files = make(map[string]string)
	}
	l.files[path] = text
}

// edit replaces a text. If the log does not have the file, its earlier contents are unknown.
func (l *editLog) edit(path, old, new string) {
	text, known := l.files[path]
	input := fmt.Sprintf(`{"file_path":%s,"old_string":%s,"new_string":%s}`, quoted(path), quoted(old), quoted(new))
	before := "null"
	if known {
		before = quoted(text)
		l.files[path] = strings.Replace(text, old, new, 1)
	}
	l.call("Edit", input, fmt.Sprintf(`{"filePath":%s,"oldString":%s,"newString":%s,"originalFile":%s}`, quoted(path),
		quoted(old), quoted(new), before))
}

func (l *editLog) session() Session {
	f := transcript.Options{Originals: true}.Read("s.jsonl", []byte(strings.Join(l.lines, "\n")+"\n"))
	return Session{Conversation: normalize.Build(normalize.Input{ID: "s", Main: &f}), Main: &f, Folder: "s"}
}

// TestChanges draws the net diffs of a session that changes files in all ways that the page distinguishes.
func TestChanges(t *testing.T) {
	a := golden.Open(t, "testdata/changes/session.txtar")
	l := editLog{lines: strings.Split(strings.TrimSpace(a.Section(t, "in.jsonl")), "\n")}
	d := DrawSession(l.session())
	page := string(d.Pages[0].HTML)
	section := page[strings.Index(page, `<section class="changes"`):]
	section = section[:strings.Index(section, "</section>")+len("</section>\n")]
	a.Compare(t, "want.html", section)
	htmlcheck.Run(t, page,
		htmlcheck.In(".story .file", htmlcheck.HasText("image.bin")),
		htmlcheck.In(".story dd a[href='#page-changes']", htmlcheck.IsText("5 files +7 −1")),
		htmlcheck.In(".story", htmlcheck.HasText("including 1 file +1 −1 outside of the project")),
		htmlcheck.In("#o-files + ul", htmlcheck.HasText("table.go")),
		htmlcheck.In(".toc li", htmlcheck.HasText("+7 −1")),
		htmlcheck.In(".turn .foot", htmlcheck.HasText("3 files +7 −1")),
		htmlcheck.Count(".left", 8), // none of the failed call, and of the removal of a draft
	)
	var listed []string
	for _, f := range d.Files {
		listed = append(listed, fmt.Sprintf("%s +%d −%d unknown +%d −%d calls %d undone %t", f.Path, f.Added, f.Removed,
			f.UnknownAdded, f.UnknownRemoved, f.Calls, f.Undone))
	}
	want := []string{
		"image.bin +0 −0 unknown +0 −0 calls 1 undone false",
		"notes.txt +0 −0 unknown +0 −0 calls 1 undone false",
		"scratch.txt +1 −0 unknown +0 −0 calls 1 undone false",
		"table.go +5 −0 unknown +1 −0 calls 3 undone false",
		"/srv/other.conf +1 −1 unknown +0 −0 calls 1 undone false",
		"draft.txt +0 −0 unknown +0 −0 calls 2 undone true",
	}
	if !slices.Equal(listed, want) {
		t.Errorf("got files\n%s\nwant\n%s", strings.Join(listed, "\n"), strings.Join(want, "\n"))
	}
	checkLines(t, d)
}

// TestAlteredFiles: the page says which files a command may have changed before or after what the log has.
func TestAlteredFiles(t *testing.T) {
	const before, after = "before the log first has its text", "A command may have changed it in the end"
	run := func(l *editLog, command string) { l.call("Bash", `{"command":`+quoted(command)+`}`, `{"stdout":""}`) }
	for _, c := range []struct {
		first, last string
		want        []string
	}{
		{"go vet", "go vet", nil},
		{"go vet", "sed -i s/a/b/ /tide/a.go", []string{after}},
		{"rm /tide/a.go", "go fmt", []string{before, after}},
	} {
		l := new(editLog)
		l.prompt("Go on")
		run(l, c.first)
		l.write("/tide/a.go", "a\n")
		run(l, c.last)
		page := string(DrawSession(l.session()).Pages[0].HTML)
		var got []string
		for _, note := range []string{before, after} {
			if strings.Contains(page, note) {
				got = append(got, note)
			}
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s, %s: got notes %q, want %q", c.first, c.last, got, c.want)
		}
	}
}

var (
	linesLink  = regexp.MustCompile(`<p class="lab left"><a href="([^"]*)">`)
	openedCall = regexp.MustCompile(`<details class="tool[^"]*" id="([^"]*)"`)
	callLink   = regexp.MustCompile(`id="by-([^"]*)" href="([^"]*)"`)
)

// checkLines follows each link from a call to its lines and back.
func checkLines(t *testing.T, d Drawing) (links int) {
	t.Helper()
	pages := make(map[string]string)
	for _, p := range d.Pages {
		pages[p.Name] = string(p.HTML)
	}
	for _, p := range d.Pages {
		html := string(p.HTML)
		for _, m := range linesLink.FindAllStringSubmatchIndex(html, -1) {
			href := html[m[2]:m[3]]
			name, id, _ := strings.Cut(href, "#")
			if name == "" {
				name = p.Name
			}
			calls := openedCall.FindAllStringSubmatch(html[:m[0]], -1)
			call := calls[len(calls)-1][1]
			if !strings.Contains(pages[name], `id="`+id+`"`) {
				t.Errorf("%s: #%s links to %s, which does not exist", p.Name, call, href)
			}
			if strings.HasPrefix(id, "by-") && id != "by-"+call {
				t.Errorf("%s: #%s links to %s, the lines of another call", p.Name, call, href)
			}
			links++
		}
		for _, m := range callLink.FindAllStringSubmatch(html, -1) {
			name, id, _ := strings.Cut(m[2], "#")
			if name == "" {
				name = p.Name
			}
			if id != m[1] || !strings.Contains(pages[name], ` id="`+id+`"`) {
				t.Errorf("%s: the lines of %s link to %s", p.Name, m[1], m[2])
			}
		}
	}
	return links
}

// TestChangesPages: large diffs are on separate pages, none of which is too large. What is cut there is in a file.
func TestChangesPages(t *testing.T) {
	l := new(editLog)
	l.prompt("Write much")
	for i := range 60 {
		var b strings.Builder
		for j := range 200 + 40*i {
			fmt.Fprintf(&b, "line %d of <file> %d & more of it\n", j, i)
		}
		l.write(fmt.Sprintf("/tide/f%02d.txt", i), b.String())
	}
	d := DrawSession(l.session())
	own, names := 0, make(map[string]bool)
	for _, p := range d.Pages {
		names[p.Name] = true
		if len(p.HTML) > 600<<10 {
			t.Errorf("%s has %d bytes, want less", p.Name, len(p.HTML))
		}
		if strings.HasPrefix(p.Name, "changes") {
			own++
		}
	}
	if own < 3 || !names["changes.html"] || !names["changes-2.html"] {
		t.Errorf("got %d pages of changes: %v", own, names)
	}
	if len(d.Media) == 0 {
		t.Error("no diff is in a file, want those that are too long for a page")
	}
	if n := checkLines(t, d); n != 60 {
		t.Errorf("%d calls link to their lines, want 60", n)
	}
	for _, f := range d.Files {
		if page, _, _ := strings.Cut(f.Page, "#"); !names[page] {
			t.Errorf("%s is on %q, which is not a page", f.Path, f.Page)
		}
	}
}

// TestChangesSecrets: a secret that only two edits together form is redacted.
func TestChangesSecrets(t *testing.T) {
	for secret, in := range map[string]string{"begin-end": "[key 1]", "begin-end\nmiddle": "[redacted]"} {
		l := new(editLog)
		l.prompt("Write the key")
		l.write("/tide/key.txt", "key = begin\nmiddle\nlast\n")
		l.edit("/tide/key.txt", "begin", "begin-end")
		s := l.session()
		s.Redact = func(text string) string { return strings.ReplaceAll(text, secret, "[key 1]") }
		page := string(DrawSession(s).Pages[0].HTML)
		section := marks.ReplaceAllString(page[strings.Index(page, `<section class="changes"`):], "")
		isShown := strings.Contains(section, "begin-end") ||
			strings.Contains(secret, "middle") && strings.Contains(section, "middle")
		if isShown || !strings.Contains(section, in) || !strings.Contains(section, "last") {
			t.Errorf("the net diff is %s, want the secret redacted", section)
		}
	}
}

// TestChangesOfCommands: changes of a command are not said to be those of the prompt before it.
func TestChangesOfCommands(t *testing.T) {
	var l editLog
	l.prompt("<command-name>/tidy</command-name>")
	l.write("/tide/a.go", "one\n")
	alone := string(DrawSession(l.session()).Pages[0].HTML)
	l.prompt("Count the boats")
	l.write("/tide/b.go", "two\n")
	l.prompt("<command-name>/tidy</command-name>")
	l.edit("/tide/b.go", "two", "three")
	l.write("/tide/c.go", "four\n")
	html := string(DrawSession(l.session()).Pages[0].HTML)
	for _, c := range []struct{ html, want string }{
		{alone, "in the margin: the call that wrote the line"},
		{html, "#n in the margin: a call of prompt n wrote the line"},
		{html, `title="Write in /tidy"`}, {html, `title="Edit in /tidy"`}, {html, ">1 edit<"}, {html, ">2 edits<"},
	} {
		if !strings.Contains(c.html, c.want) {
			t.Errorf("%s is missing", c.want)
		}
	}
	if strings.Contains(alone, "#1 in") || strings.Contains(html, "in prompt 1") {
		t.Error("a call of a command is said to be one of prompt 1")
	}
}
