package changes

import (
	"slices"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// Steps are the calls of a session and its agents that touched files, in the order in which they happened: that of
// their results. Calls that failed or did not run are left out, and attempts that were taken back.
//
// Texts of whole files before an edit are read with transcript.Options.Originals only.
func Steps(c *normalize.Conversation) []Step {
	var w walker
	prompt := 0
	for _, t := range c.Turns {
		if t.Asked() {
			prompt++
		}
		w.starts = append(w.starts, turnStart{t.Index, prompt, t.Head().Time()})
		w.turn(t, "", t.Index, prompt, time.Time{})
	}
	w.flush(time.Time{})
	for _, a := range c.Agents { // that no call could be found for
		turn, prompt := w.during(a.Conversation)
		w.agent(a, turn, prompt, time.Time{})
	}
	slices.SortStableFunc(w.all, func(a, b Step) int { return a.Time.Compare(b.Time) })
	return w.all
}

// A walker collects the steps of conversations, one after the other.
type walker struct {
	all    []Step
	own    []placed // of the conversation that it is in
	agents []func()
	starts []turnStart
}

type turnStart struct {
	turn, prompt int
	time         time.Time
}

// A placed is a step and the place of what it is known by in the file.
type placed struct {
	Step
	offset int64
}

// turn takes the steps of one turn, or of all of an agent's conversation.
func (w *walker) turn(t *normalize.Turn, agent string, turn, prompt int, from time.Time) {
	for _, item := range t.Items {
		switch it := item.(type) {
		case *normalize.Group:
			w.group(it, agent, turn, prompt)
			for _, a := range it.Agents {
				at := it.Head().Time()
				w.agents = append(w.agents, func() { w.agent(a, turn, prompt, at) })
			}
		case *normalize.Message:
			w.attached(it, agent, turn, prompt)
		}
	}
}

// agent takes the steps of an agent and of those that it started.
func (w *walker) agent(a *normalize.Agent, turn, prompt int, from time.Time) {
	for _, t := range a.Conversation.Turns {
		w.turn(t, a.ID, turn, prompt, from)
	}
	w.flush(from)
}

// flush puts the steps of one conversation in order and gives them times that do not go back, which those of logs do.
func (w *walker) flush(from time.Time) {
	slices.SortStableFunc(w.own, func(a, b placed) int { return int(a.offset - b.offset) })
	for _, s := range w.own {
		if s.Time.Before(from) {
			s.Time = from
		}
		from = s.Time
		w.all = append(w.all, s.Step)
	}
	agents := w.agents
	w.own, w.agents = nil, nil
	for _, run := range agents {
		run()
	}
}

// during finds the turn that was running when a conversation began.
func (w *walker) during(c *normalize.Conversation) (turn, prompt int) {
	for _, s := range w.starts {
		if !s.time.IsZero() && !c.Facts.Start.IsZero() && s.time.After(c.Facts.Start) {
			break
		}
		turn, prompt = s.turn, s.prompt
	}
	return turn, prompt
}

func (w *walker) group(g *normalize.Group, agent string, turn, prompt int) {
	if g.State != normalize.Done || g.Call == nil || g.Result == nil {
		return
	}
	read, known := readers[g.Call.Name]
	if !known {
		return
	}
	op, ok := read(g.Call.Block.Input, g.Result.Structured())
	if !ok {
		return
	}
	at := g.Result.Time()
	if at.IsZero() {
		at = g.Call.Time()
	}
	call := Call{ID: g.Call.Block.ID, Anchor: g.Call.Anchor, Agent: agent, Tool: g.Call.Name, Turn: turn,
		Prompt: prompt, Time: at}
	w.own = append(w.own, placed{Step{call, []Op{op}}, g.Result.Record.Pos.Offset})
}

// attached takes a file that a prompt mentioned, and that was read for it.
func (w *walker) attached(m *normalize.Message, agent string, turn, prompt int) {
	if m.Kind != normalize.Attachment || m.Name != "file" || m.Record.Attachment == nil {
		return
	}
	if op, ok := readRead(nil, transcript.Field(m.Record.Attachment.Raw, "content")); ok {
		call := Call{Anchor: m.Anchor, Agent: agent, Turn: turn, Prompt: prompt, Time: m.Time()}
		w.own = append(w.own, placed{Step{call, []Op{op}}, m.Record.Pos.Offset})
	}
}

// readers read the calls that touch files: from what they were given, and the structured result, which may be anything.
var readers = map[string]func(in, result jsontext.Value) (Op, bool){
	"Read":         readRead,
	"Edit":         readEdit,
	"MultiEdit":    readEdit,
	"Write":        readWrite,
	"NotebookEdit": readNotebook,
}

// member is the text of a member, and whether it is one.
func member(v jsontext.Value, name string) (string, bool) {
	f := transcript.Field(v, name)
	if f.Kind() != '"' {
		return "", false
	}
	return transcript.String(f), true
}

// firstMember is the first text among members.
func firstMember(v jsontext.Value, names ...string) string {
	for _, name := range names {
		if s, ok := member(v, name); ok && s != "" {
			return s
		}
	}
	return ""
}

// whole is the text of a file, nil where there is none or where it was left out on reading.
func whole(v jsontext.Value, names ...string) *string {
	for _, name := range names {
		if s, ok := member(v, name); ok && !transcript.LeftOut(s) {
			return &s
		}
	}
	return nil
}

func readRead(_, result jsontext.Value) (Op, bool) {
	file := transcript.Field(result, "file")
	if kind, _ := member(result, "type"); kind != "text" || file == nil {
		return Op{}, false
	}
	start, known := count(file, "startLine")
	lines, said := count(file, "numLines")
	total, all := count(file, "totalLines")
	if known && start > 1 || !said || !all || lines != total {
		return Op{}, false
	}
	path := firstMember(file, "filePath")
	return Op{Kind: Observe, Path: path, Load: func() Texts { return Texts{Before: whole(file, "content")} }},
		path != ""
}

func readEdit(in, result jsontext.Value) (Op, bool) {
	path := firstMember(in, "file_path", "notebook_path")
	return Op{Kind: Change, Path: path, Load: func() Texts {
		t := Texts{Before: whole(result, "originalFile", "originalFileContents"), Hunks: patchOf(result)}
		proposed := editsOf(in)
		if t.Edits = editsOf(result); t.Edits == nil { // what it really replaced, quotes and all
			t.Edits = proposed
		}
		t.Proposed = modified(result, proposed)
		return t
	}}, path != ""
}

// modified are the new texts where the user changed them before they were written.
func modified(result jsontext.Value, edits []Edit) []string {
	if !isTrue(result, "userModified") {
		return nil
	}
	proposed := make([]string, len(edits))
	for i, e := range edits {
		proposed[i] = e.New
	}
	return proposed
}

func isTrue(v jsontext.Value, name string) bool { return string(transcript.Field(v, name)) == "true" }

// editsOf are the edits of an input or of a result.
func editsOf(v jsontext.Value) []Edit {
	var edits []Edit
	add := func(v jsontext.Value) {
		old, known := firstOf(v, "old_string", "oldString", "old_str")
		new, said := firstOf(v, "new_string", "newString", "new_str")
		if known && said {
			all := isTrue(v, "replace_all") || isTrue(v, "replaceAll")
			edits = append(edits, Edit{old, new, all})
		}
	}
	if list := transcript.Field(v, "edits"); list.Kind() == '[' {
		for e := range transcript.Elements(list) {
			add(e)
		}
		return edits
	}
	add(v)
	return edits
}

// firstOf is the first member that is a text, which may be empty.
func firstOf(v jsontext.Value, names ...string) (string, bool) {
	for _, name := range names {
		if s, ok := member(v, name); ok {
			return s, true
		}
	}
	return "", false
}

func readWrite(in, result jsontext.Value) (Op, bool) {
	path := firstMember(in, "file_path")
	return Op{Kind: Change, Path: path, Load: func() Texts {
		t := Texts{Before: whole(result, "originalFile"), After: whole(result, "content"), Hunks: patchOf(result)}
		proposed, _ := member(in, "content")
		if t.After == nil {
			t.After = &proposed
		}
		kind, _ := member(result, "type")
		t.Absent = t.Before == nil && kind == "create"
		t.Proposed = modified(result, []Edit{{New: proposed}})
		return t
	}}, path != ""
}

func readNotebook(in, result jsontext.Value) (Op, bool) {
	path := firstMember(in, "notebook_path")
	return Op{Kind: Change, Path: path, Load: func() Texts {
		return Texts{
			Before: whole(result, "original_file", "originalFile"),
			After:  whole(result, "updated_file", "updatedFile"),
		}
	}}, path != ""
}

// patchOf are the hunks of the log.
func patchOf(result jsontext.Value) []Hunk {
	var hunks []Hunk
	for h := range transcript.Elements(transcript.Field(result, "structuredPatch")) {
		var lines []string
		for l := range transcript.Elements(transcript.Field(h, "lines")) {
			lines = append(lines, transcript.TextOf(l))
		}
		old, _ := count(h, "oldStart")
		new, _ := count(h, "newStart")
		hunks = append(hunks, ParseHunk(old, new, lines))
	}
	return hunks
}

// count is a number that counts something.
func count(v jsontext.Value, name string) (int, bool) {
	n, err := strconv.Atoi(string(transcript.Field(v, name)))
	return n, err == nil && n >= 0 && n < 1<<30
}
