package render

import (
	"bytes"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/markup"
	"viewer/internal/stats"
	"viewer/internal/transcript"
	"viewer/normalize"
)

func emptyPage() *pageState { return newPageState(new(sessionData), "", false) }

func emptyDrawer() *drawer { return newDrawer(emptyPage(), nil, time.Time{}) }

// testDrawer draws a conversation on a page without other pages.
func testDrawer(c *normalize.Conversation, prices stats.Prices) *drawer {
	d := newDrawer(newPageState(newSessionData(c, prices), "", false), nil, dayOf(c.Facts.Start))
	d.root = ""
	return d
}

// TestLongText draws texts that are too long for a page, or become too much HTML: the page has the beginning, and a
// media file has all of it.
func TestLongText(t *testing.T) {
	for _, test := range []struct {
		name, text string
		used, most int // bytes of HTML: used on the page before, and most for the text
		cut        bool
	}{
		{"a text of the longest that stays", strings.Repeat("high\n", maxText/5), 0, maxBlockHTML, false},
		{"one more", strings.Repeat("high\n", maxText/5+1), 0, 2 * excerptText, true},
		{"controls, each of which becomes thirty bytes", strings.Repeat("\x01", 20_000), 0, maxBlockHTML, true},
		{"no controls", strings.Repeat("a", 20_000), 0, maxBlockHTML, false},
		{"on a page that has quota left", strings.Repeat("low\n", 5000), maxTextHTML - 50_000, 50_000, false},
		{"on a page that has little", strings.Repeat("low\n", 5000), maxTextHTML - 18_000, 18_000, true},
		{"on one that has none", strings.Repeat("low\n", 5000), maxTextHTML, 2 * minText, true},
		{"a short text on one that has none", "low", maxTextHTML, 100, false},
	} {
		t.Run(test.name, func(t *testing.T) {
			d := emptyDrawer()
			d.quota.textBytes = test.used
			got := string(d.markdown(test.text, "x"))
			if link := strings.Contains(got, "The whole text"); link != test.cut ||
				(len(d.media.files) == 1) != test.cut {
				t.Fatalf("linked: %v, with %d files; want cut: %v", link, len(d.media.files), test.cut)
			}
			if test.cut && string(d.media.files[0].Data) != test.text {
				t.Errorf("the file has %d bytes, want all %d", len(d.media.files[0].Data), len(test.text))
			}
			if len(got) > test.most+200 {
				t.Errorf("got %d bytes of HTML, want at most %d", len(got), test.most)
			}
			if d.quota.textBytes == test.used {
				t.Error("the used bytes of the page did not change")
			}
		})
	}
}

func TestLongDiff(t *testing.T) {
	d := emptyDrawer()
	o := d.diff(markup.Edits(strings.Repeat("same\nold\n", 8000), strings.Repeat("same\nnew\n", 8000)), "a.txt")
	if o.FullText == nil || o.All != "more" || len(d.media.files) != 1 {
		t.Fatalf("Whole %v, All %q, %d files; want a link to one", o.FullText, o.All, len(d.media.files))
	}
	if n := len(o.Head) + len(o.Rest) + len(o.HeadGutter) + len(o.RestGutter); n > maxBlockHTML {
		t.Errorf("got %d bytes of HTML on the page, want at most %d", n, maxBlockHTML)
	}
	file := string(d.media.files[0].Data)
	if !strings.HasPrefix(file, "@@ -1,") || strings.Count(file, "\n-old") != 8000 ||
		strings.Count(file, "\n+new") != 8000 {
		t.Errorf("the file has %d old and %d new lines, want 8000 each: %.60q", strings.Count(file, "\n-old"),
			strings.Count(file, "\n+new"), file)
	}
	line := d.diff([]markup.Hunk{{OldStart: 1, NewStart: 1, Lines: []string{"+" + strings.Repeat("x", 2*maxText)}}}, "")
	if line.FullText == nil || len(line.Head) < excerptText || len(line.Head) > 2*excerptText {
		t.Errorf("a long line: Whole %v, %d bytes; want a link, and its beginning", line.FullText, len(line.Head))
	}
}

func TestPatchText(t *testing.T) {
	h := []markup.Hunk{{OldStart: 3, NewStart: 4,
		Lines: []string{" a", "-b", "+c", "+d", `\ No newline at end of file`}},
		{OldStart: 9, NewStart: 11, Lines: []string{"-e"}}}
	const want = "@@ -3,2 +4,3 @@\n a\n-b\n+c\n+d\n\\ No newline at end of file\n@@ -9,1 +11,0 @@\n-e\n"
	if got := patchText(h); got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
	for most, want := range map[int]int{3: 1, 6: 2, 9: 3, 12: 4, 41: 5, 100: 6} {
		n := 0
		for _, h := range cutPatch(h, most) {
			n += len(h.Lines)
		}
		if n != want {
			t.Errorf("cutPatch to %d bytes keeps %d lines, want %d", most, n, want)
		}
	}
	if len(h[0].Lines) != 5 {
		t.Error("cutPatch changes its argument")
	}
}

func TestWideFields(t *testing.T) {
	d := emptyDrawer()
	var object strings.Builder
	object.WriteString(`{"` + strings.Repeat("n", 2*longName) + `":"<long>"`)
	for i := range 1000 {
		fmt.Fprintf(&object, `,"k%d":%d`, i, i)
	}
	all := d.fields(jsontext.Value(object.String() + `,"k":null}`))
	if len(all) != maxFields+1 || all[0].Name != "k0" || all[maxFields].Name != "and 801 more" {
		t.Fatalf("%d fields from %q to %q, want %d from k0 to the rest", len(all), all[0].Name, all[len(all)-1].Name,
			maxFields+1)
	}
	rest := all[maxFields]
	if !rest.Long || !strings.Contains(rest.Value, `"<long>"`) || !strings.Contains(rest.Value, `"k999": 999`) {
		t.Errorf("got the rest %.100q", rest.Value)
	}
}

// TestFullPage draws more than a page can take. An item without space must be counted, be in a file, and leave its
// anchors on the page.
func TestFullPage(t *testing.T) {
	d := emptyDrawer()
	messages := build([]string{
		`{"type":"user","uuid":"00000001-aaaa-4111-8111-111111111111","message":{"role":"user","content":"one"}}`,
		`{"type":"user","uuid":"00000002-aaaa-4111-8111-111111111111","message":{"role":"user","content":"two"}}`,
	}).Messages
	place := func(size int) (template.HTML, bool) {
		return d.itemWithinQuota(messages[0], func() template.HTML { return template.HTML(strings.Repeat("x", size)) })
	}
	if _, ok := place(maxItemHTML + 1); ok {
		t.Error("an item that is too large is on the page")
	}
	if _, ok := place(maxItemHTML); !ok {
		t.Error("an item that fits is not on the page")
	}
	if html, ok := place(maxItemHTML); ok || html != template.HTML(`<span id="`+messages[0].Anchor+`"></span>`) {
		t.Errorf("an item that does not fit is drawn as %.100q, want its anchors only", html)
	}
	if d.quota.full() {
		t.Error("the page is full, but small items still fit")
	}
	for range 100 {
		place(4000)
	}
	if !d.quota.full() {
		t.Error("the page is not full")
	}
	d.quota.overflow = nil
	turn := &normalize.Turn{Prompt: messages[:1], Items: []normalize.Item{messages[1]}}
	html := d.turn(turnPart{turn, turn.Items, true, true, 1}, "You").HTML
	if string(html) != `<span id="`+messages[0].Anchor+`"></span><span id="`+messages[1].Anchor+`"></span>` {
		t.Errorf("a turn on a full page is drawn as %.200q, want its anchors only", html)
	}
	rest := string(d.flushOverflow())
	want := string(messages[0].Record.Raw) + "\n" + string(messages[1].Record.Raw) + "\n"
	if !strings.Contains(rest, "2 more records") || string(d.media.files[0].Data) != want {
		t.Errorf("got a link %s to a file %q", rest, d.media.files[0].Data)
	}
	for _, m := range messages {
		if !d.entries[m].generic {
			t.Errorf("%s is not counted as without space", m.Anchor)
		}
	}
}

// TestTooLargeForDrawing: an input with a list of thousands is drawn like that of an unknown tool.
func TestTooLargeForDrawing(t *testing.T) {
	input := `{"todos":[` + strings.Repeat(`{"content":"mark the tide","status":"pending"},`, 20_000) +
		`{"content":"last","status":"completed"}]}`
	c := build([]string{`{"type":"assistant","uuid":"00000001-aaaa-4111-8111-111111111111","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"TodoWrite","input":` + input + `}]}}`})
	d := testDrawer(c, stats.Prices{})
	for g := range c.Groups() {
		html := string(d.group(g).html)
		if len(html) > maxBlockHTML || !strings.Contains(html, "The whole text") {
			t.Errorf("got %d bytes of HTML, want the beginning of the input and a link", len(html))
		}
		if m := d.entries[g.Call]; !m.generic || m.kind != "tool TodoWrite, too large to be drawn" {
			t.Errorf("the item is counted as %+v", m)
		}
	}
	if len(d.media.files) != 1 || !bytes.Contains(d.media.files[0].Data, []byte(`"last"`)) {
		t.Errorf("got %d files, want one with the whole list", len(d.media.files))
	}
}

// TestManyHooks: of thousands of hooks, the first ones are in the box of the call.
func TestManyHooks(t *testing.T) {
	lines := []string{`{"type":"assistant","uuid":"00000000-aaaa-4111-8111-111111111111","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Bash","input":{"command":"x"}}]}}`}
	for i := range maxAlike + 50 {
		lines = append(lines, fmt.Sprintf(`{"type":"attachment","uuid":"%08d-bbbb-4111-8111-111111111111","attachment":{"type":"hook_success","hookEvent":"PreToolUse","hookName":"PreToolUse:Bash","toolUseID":"toolu_1","content":"said"}}`, i))
	}
	c := build(lines)
	d := testDrawer(c, stats.Prices{})
	for g := range c.Groups() {
		html := string(d.group(g).html)
		if n := strings.Count(html, `<details class="hook`); n != maxAlike ||
			!strings.Contains(html, "50 more records") {
			t.Errorf("%d hooks are drawn, want %d and a link to 50", n, maxAlike)
		}
	}
	if l := newLedger(c, nil, d.entries); l.Missed != 0 || l.Generic[tooMuch] != 50 {
		t.Errorf("the ledger has %d missed and %v, want 50 kept", l.Missed, l.Generic)
	}
}

// TestOverflowOnce: of a record with many calls, only those without space go into the file. Its other contents go with
// the first of them.
func TestOverflowOnce(t *testing.T) {
	var calls []string
	lines := []string{""}
	const n = 40
	for i := range n {
		calls = append(calls, fmt.Sprintf(`{"type":"tool_use","id":"t%d","name":"Bash","input":{"command":"ls %[1]d"}}`,
			i))
		lines = append(lines, fmt.Sprintf(`{"type":"user","uuid":"%08d-bbbb-4111-8111-111111111111","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t%[1]d","content":"ok"}]}}`, i))
	}
	lines[0] = `{"type":"assistant","uuid":"00000000-aaaa-4111-8111-111111111111","cwd":"/w","message":{"id":"m","role":"assistant","content":[` +
		strings.Join(calls, ",") + `]}}`
	c := build(lines)
	d := testDrawer(c, stats.Prices{})
	var all []*normalize.Message
	for g := range c.Groups() {
		all = append(all, g.Messages()...)
	}
	keep := func(messages []*normalize.Message) string {
		d.media.files = nil
		d.overflowFile(messages)
		return string(d.media.files[0].Data)
	}
	whole := keep(all)
	if size := len(strings.Join(lines, "\n")) + 1; len(whole) != size || !strings.HasPrefix(whole, lines[0]+"\n") {
		t.Errorf("the file has %d bytes for records of %d, want less", len(whole), size)
	}
	first, rest := keep(all[:n]), keep(all[n:])
	if !strings.Contains(first, `"cwd":"/w"`) || !strings.Contains(first, `"ls 0"`) ||
		strings.Contains(first, `"ls 30"`) {
		t.Errorf("the file has the first half of the parts as %.300s", first)
	}
	if !strings.HasPrefix(rest, `{"type":"assistant","uuid":"00000000-aaaa-4111-8111-111111111111","message":{"content":[{"type":"tool_use","id":"t20"`) ||
		strings.Contains(rest, `"ls 0"`) || !strings.Contains(rest, `"ls 39"`) {
		t.Errorf("the file has the second half of the parts as %.300s", rest)
	}
	for line := range strings.Lines(first + rest) {
		if !jsontext.Value(line).IsValid() {
			t.Errorf("a line is not JSON: %.300s", line)
		}
	}
}

// TestOverflowSharedValue: a line of a log that became many records goes into the file once, with the records that are
// only there in part.
func TestOverflowSharedValue(t *testing.T) {
	line := jsontext.Value(`{"role":"user","content":["a","b","c"]}`)
	var all []*normalize.Message
	for range 3 {
		blocks := []transcript.Block{
			{Type: "text", Raw: jsontext.Value(`"a"`)}, {Type: "text", Raw: jsontext.Value(`"b"`)},
		}
		r := &transcript.Record{Raw: line, Message: &transcript.Message{Role: "user", Content: blocks}}
		all = append(all, &normalize.Message{Record: r, Block: &r.Message.Content[0]})
	}
	other := &normalize.Message{Record: &transcript.Record{Raw: slices.Clone(line)}}
	d := emptyDrawer()
	html := d.overflowFile(slices.Insert(all, 1, other))
	if got, want := string(d.media.files[0].Data), string(line)+"\n"+string(line)+"\n"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if !strings.Contains(string(html), "2 more records") {
		t.Errorf("got %s, want 2 more records", html)
	}
}

// TestOverflowOtherShape: parts of a record that the log does not list in message.content go into the file with all of
// the record.
func TestOverflowOtherShape(t *testing.T) {
	for _, raw := range []jsontext.Value{
		jsontext.Value(`{"id":"a","type":"user","content":[{"text":"x"},{"text":"y"}]}`),
		jsontext.Value(`{"type":"user","message":{"content":[{"text":"x"},{"text":"y"}]}}`),
	} {
		blocks := []transcript.Block{{Type: "text", Raw: raw, Text: "x"}, {Type: "text", Raw: raw, Text: "y"}}
		r := &transcript.Record{Raw: raw, Message: &transcript.Message{Role: "user", Content: blocks}}
		d := emptyDrawer()
		d.overflowFile([]*normalize.Message{{Record: r, Block: &r.Message.Content[1], Part: 1}})
		if got, want := string(d.media.files[0].Data), string(raw)+"\n"; got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// TestOverflowTextApart: the file has the texts of a result that its record does not repeat, and they are part of the
// signature of a page.
func TestOverflowTextApart(t *testing.T) {
	const text = "a \"lamp\" that\nis lit"
	record := func(texts ...string) *transcript.Record {
		var blocks []transcript.Block
		for _, s := range texts {
			blocks = append(blocks, transcript.Block{Type: "text", Text: s})
		}
		raw := jsontext.Value(`{"type":"function_call_output"}`)
		result := transcript.Block{Type: "tool_result", Raw: raw, ToolUseID: "c", Content: blocks}
		return &transcript.Record{Raw: raw, TextApart: true,
			Message: &transcript.Message{Role: "user", Content: []transcript.Block{result}}}
	}
	r := record(text, "more")
	d := emptyDrawer()
	d.overflowFile([]*normalize.Message{{Record: r, Block: &r.Message.Content[0]}})
	const want = `{"type":"function_call_output","call_id":"c","output":["a \"lamp\" that\nis lit","more"]}` + "\n"
	if got := string(d.media.files[0].Data); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if string(r.Raw) != `{"type":"function_call_output"}` {
		t.Errorf("the record was changed to %s", r.Raw)
	}
	sign := func(contents bool, texts ...string) signature {
		s := signer{data: &sessionData{signContents: contents}}
		s.record(record(texts...))
		return s.signature()
	}
	if sign(true, "one") == sign(true, "two") || sign(false, "one") == sign(false, "longer") {
		t.Error("pages with other texts have the same signature")
	}
}
