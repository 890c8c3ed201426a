package aider

import (
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// tokens is the rule that hides token counts, which are read into the answers.
const tokens = "token counts"

// A translator turns the parts of a history into records.
type translator struct {
	sources.Builder
	calls int
	open  []edit // whose outcome is not known yet
}

// An edit is a call that the model wrote as a block of text. find is the text to replace, as notes quote it.
type edit struct{ id, path, find string }

// Translate turns a part into records.
func (t *translator) Translate(pos transcript.Pos, v jsontext.Value) ([]transcript.Record, []transcript.Problem) {
	t.Begin(pos, v)
	var p sources.Object
	p.Read(v)
	kind, text := p.Text("part"), p.Text("text")
	t.Time = time.Time{} // only the start of a run has a time
	switch kind {
	case runPart:
		t.open = nil
		at, err := time.Parse(time.DateTime, text)
		if err != nil {
			t.Problem("cannot read the time " + strconv.Quote(sources.Beginning(text, 40)))
		} else {
			t.Time = at
		}
		t.Remark("", "Session started", "at", text)
	case promptPart:
		t.User(transcript.PromptText, t.Text(text))
	case notePart:
		t.note(text)
	case answerPart:
		t.Answer(t.split(text)...)
	}
	return t.Done(kind)
}

// note translates what the program said.
func (t *translator) note(text string) {
	t.remarks(text)
	if isInterruption(text) {
		t.User(transcript.InterruptionText, t.Text("[Request interrupted by user]"))
	}
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		for _, mark := range []string{"Main model: ", "Model: "} {
			if rest, ok := strings.CutPrefix(line, mark); ok {
				t.Model, _, _ = strings.Cut(rest, " with ")
				t.Model = t.Model[strings.LastIndexByte(t.Model, '/')+1:]
			}
		}
		if rest, ok := strings.CutPrefix(line, "Tokens: "); ok {
			t.used(rest)
		}
		if strings.HasPrefix(line, "Model ") && strings.HasSuffix(line, " has hit a token limit!") {
			t.Answer().Message.StopReason = "max_tokens"
		}
		if file, ok := strings.CutPrefix(line, "Applied edit to "); ok {
			t.ended(file, false, line)
		}
		if file, ok := strings.CutPrefix(line, noMatch); ok {
			t.settle(true, line, func(e edit) bool {
				return e.path == file && strings.Contains(text, "<<<<<<< SEARCH\n"+e.find+"=======\n")
			})
		}
		if rest, ok := strings.CutPrefix(line, "Did not apply edit to "); ok {
			file, _, _ := strings.Cut(rest, " (")
			t.ended(file, true, line)
		}
		if file, ok := strings.CutPrefix(line, "Skipping edits to "); ok {
			file, _, _ = strings.Cut(file, " that matches ")
			t.ended(file, true, line)
		}
	}
}

// remarks adds a text of the program, with a remark of its own for each commit that it made or took back.
func (t *translator) remarks(text string) {
	var rest []string
	flush := func() {
		if s := strings.Trim(strings.Join(rest, "\n"), "\n"); strings.TrimSpace(s) != "" {
			t.Remark("", s)
		}
		rest = nil
	}
	for line := range strings.SplitSeq(text, "\n") {
		verb, of, _ := strings.Cut(line, " ")
		sha, subject, _ := strings.Cut(of, " ")
		undone := verb == "Removed:" // after /undo
		if verb != "Commit" && !undone || !isSHA(sha) {
			rest = append(rest, line)
			continue
		}
		flush()
		t.System("commit", line, "sha", sha, "subject", subject, "undone", undone)
	}
	flush()
}

func isSHA(s string) bool { return len(s) >= 7 && strings.Trim(s, "0123456789abcdef") == "" }

// noMatch begins the line about an edit whose text is not in the file.
const noMatch = "## SearchReplaceNoExactMatch: This SEARCH block failed to exactly match lines in "

// isInterruption reports whether the user stopped an answer. The program writes the same when somebody presses Ctrl+C
// at its prompt, but after the tokens of the answer, and twice to leave.
func isInterruption(note string) bool {
	before, after, ok := strings.Cut(note, "^C again to exit")
	return ok && !strings.Contains(before, "Tokens: ") && !strings.Contains(after, "^C KeyboardInterrupt")
}

// ended sets the outcome of the open edits of a file. The program writes one line for all of them.
func (t *translator) ended(file string, failed bool, line string) {
	t.settle(failed, line, func(e edit) bool { return e.path == file })
}

// settle sets the outcome of some open edits.
func (t *translator) settle(failed bool, line string, which func(edit) bool) {
	var rest []edit
	for _, e := range t.open {
		if which(e) {
			t.Result(e.id, failed, t.Text(line))
		} else {
			rest = append(rest, e)
		}
	}
	t.open = rest
}

// used reads the tokens of a request: "8.1k sent, 2k cache hit, 1.2k received. Cost: $0.03 message, $0.10 session."
func (t *translator) used(text string) {
	counts, cost, _ := strings.Cut(text, ". Cost: $")
	var u transcript.Usage
	for s := range strings.SplitSeq(counts, ", ") {
		number, what, _ := strings.Cut(strings.TrimSuffix(s, "."), " ")
		n := count(number)
		switch what {
		case "sent":
			u.Input = n
		case "cache write":
			u.CacheWrite = n
		case "cache hit":
			u.CacheRead = n
		case "received":
			u.Output = n
		}
	}
	u.Input = max(0, u.Input-u.CacheRead-u.CacheWrite)
	r := t.Used(u, tokens)
	dollars, _, _ := strings.Cut(cost, " message")
	if c, err := strconv.ParseFloat(dollars, 64); err == nil && c > 0 && c < 1e6 {
		sources.Rare(r).CostUSD = c
	}
}

// count reads a number such as 512, 1,024 or 8.1k.
func count(s string) int64 {
	s, thousands := strings.CutSuffix(strings.ReplaceAll(s, ",", ""), "k")
	n, err := strconv.ParseFloat(s, 64)
	if err != nil || !(n > 0) || n > 1e12 {
		return 0
	}
	if thousands {
		n *= 1000
	}
	return int64(n + 0.5)
}

// split separates edits from the text of an answer. An edit is the name of a file and a fence with a text to find and
// its replacement.
func (t *translator) split(text string) []transcript.Block {
	var all []transcript.Block
	lines := strings.Split(text, "\n")
	begin := 0
	say := func(end int) {
		if s := strings.Trim(strings.Join(lines[begin:max(begin, end)], "\n"), "\n"); strings.TrimSpace(s) != "" {
			all = append(all, t.Text(s))
		}
	}
	file := ""
	for i := 0; i < len(lines); i++ {
		if strings.TrimRight(lines[i], " ") != "<<<<<<< SEARCH" {
			continue
		}
		first, middle, last := i, 0, 0
		for j := i + 1; j < len(lines) && last == 0; j++ {
			switch strings.TrimRight(lines[j], " ") {
			case "=======":
				middle = max(middle, j)
			case ">>>>>>> REPLACE":
				last = j
			}
		}
		if last == 0 {
			break
		}
		if middle == 0 || middle > last {
			i = last
			continue
		}
		if first > begin && strings.HasPrefix(lines[first-1], "```") {
			first--
			if first > begin && strings.TrimSpace(lines[first-1]) != "" {
				first--
				file = strings.Trim(strings.TrimSpace(lines[first]), "`*:# ")
			}
		}
		say(first)
		t.calls++
		id := "edit " + strconv.Itoa(t.calls)
		var find strings.Builder
		for _, line := range lines[i+1 : middle] {
			find.WriteString(strings.TrimRight(line, " ") + "\n")
		}
		t.open = append(t.open, edit{id, file, find.String()})
		all = append(all, t.Call(id, "SEARCH/REPLACE", sources.Make("path", file,
			"old_string", sources.Quote(strings.Join(lines[i+1:middle], "\n")),
			"new_string", sources.Quote(strings.Join(lines[middle+1:last], "\n")))))
		i, begin = last, last+1
		if begin < len(lines) && strings.HasPrefix(lines[begin], "```") {
			begin++
		}
	}
	say(len(lines))
	return all
}
