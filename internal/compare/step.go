package compare

import (
	"cmp"
	"crypto/sha256"
	"slices"
	"strings"

	"viewer/internal/changes"
	"viewer/internal/shell"
	"viewer/internal/tools"
	"viewer/internal/words"
	"viewer/normalize"
)

// MostSteps is the largest number of steps of a run that are compared.
const MostSteps = 20_000

// A Step is a prompt or a call of a run.
type Step struct {
	Asked  bool   // a prompt or a command of the user; otherwise it is a call
	Name   string // of the tool, for readers
	Text   string // one line: the prompt, or what the call is about
	Ended  string // how a call ended, "" if it succeeded
	Anchor string // of its place in the session
	Page   string // that the place is on, below the top of the site
	Key    string // the same for steps that are the same
}

// Limits of texts.
const (
	maxText = 200
	maxKey  = 64 << 10 // bytes of a text that are part of its key, with its length
)

// steps returns the steps of a conversation, and the number of those that were left out. Attempts that were taken back
// do not count.
func steps(c *normalize.Conversation, pageOf func(anchor string) string) (all []Step, left int) {
	k := keys{folder: c.Facts.CWD}
	context := tools.Context{Folder: c.Facts.CWD, Tasks: tools.TasksOf(c), Ends: tools.EndsOf(c)}
	add := func(s Step) {
		if len(all) == MostSteps {
			left++
			return
		}
		s.Page = pageOf(s.Anchor)
		all = append(all, s)
	}
	for _, t := range c.Turns {
		if t.Asked() || len(t.Prompt) > 0 && len(t.Items) > 0 {
			add(k.prompt(t.Prompt))
		}
		for _, item := range t.Items {
			switch it := item.(type) {
			case *normalize.Message:
				if it.Kind == normalize.Prompt { // queued, and delivered in the middle of a turn
					add(k.prompt([]*normalize.Message{it}))
				}
			case *normalize.Group:
				if it.Call != nil {
					add(k.call(it, context))
				}
			}
		}
	}
	return all, left
}

// keys makes the keys of the steps of one run.
type keys struct{ folder string }

func (k keys) prompt(parts []*normalize.Message) Step {
	var texts []string
	for _, m := range parts {
		text := m.Text
		if m.Kind == normalize.Command {
			text = m.Name + " " + text
		}
		if text = strings.TrimSpace(text); text != "" {
			texts = append(texts, text)
		}
	}
	text := strings.Join(texts, " ")
	return Step{
		Asked: true, Name: "Prompt", Text: strings.Clone(words.Line(text, maxText)),
		Anchor: strings.Clone(parts[0].Anchor), Key: digest("asked", k.plain(text)),
	}
}

func (k keys) call(g *normalize.Group, context tools.Context) Step {
	call := tools.Describe(g, context)
	s := Step{Name: call.Label, Text: call.Target, Anchor: strings.Clone(g.Head().Anchor)}
	s.Name = cmp.Or(s.Name, call.Tool)
	if commands := call.Commands(); commands != "" {
		s.Text = words.Line(commands, maxText)
	}
	s.Name, s.Text = strings.Clone(words.Line(s.Name, 60)), strings.Clone(words.Line(s.Text, maxText))
	if g.State != normalize.Done && g.State != normalize.Unlogged {
		s.Ended = g.State.String()
	}
	if call.Exit != "" && (g.State == normalize.Failed || g.State == normalize.Done) { // also of a command that ran on
		s.Ended = "exit " + strings.Clone(words.Line(call.Exit, 20))
	}
	s.Key = k.of(call)
	return s
}

// of returns the key of a call: its action and its subject.
func (k keys) of(call *tools.Call) string {
	switch call.Action {
	case tools.Read:
		if call.Path != "" {
			return digest("read", k.path(call.Path))
		}
	case tools.Write, tools.Edit, tools.Delete, tools.Move:
		var paths []string
		for _, ch := range call.Changes {
			if ch.Path != "" {
				paths = append(paths, k.path(ch.Path))
			}
		}
		if len(paths) == 0 && call.Path != "" {
			paths = append(paths, k.path(call.Path))
		}
		if len(paths) > 0 {
			slices.Sort(paths)
			return digest("change", slices.Compact(paths)...)
		}
	case tools.Run:
		if commands := call.Commands(); commands != "" {
			command := k.command(commands)
			if file := shown(command); file != "" {
				return digest("read", k.path(file))
			}
			return digest("run", command)
		}
	case tools.Fetch:
		if call.Address != "" {
			return digest("fetch", call.Address)
		}
	case tools.Search:
		return digest("search", k.plain(call.Target))
	case tools.Plan:
		return digest("plan", k.plain(call.Target))
	}
	return digest("call", call.Tool, k.plain(call.Target), call.Description)
}

// path returns a path relative to the folder of the run.
func (k keys) path(name string) string {
	if below, ok := changes.Below(changes.Clean(name, k.folder), k.folder); ok {
		return below
	}
	return changes.Clean(name, k.folder)
}

// plain returns a text without the folder of the run and with single blanks.
func (k keys) plain(text string) string {
	if len(k.folder) > 1 {
		text = strings.ReplaceAll(text, k.folder, ".")
	}
	return strings.Join(strings.Fields(text), " ")
}

// command returns a command without a leading change into the folder of the run.
func (k keys) command(text string) string {
	text = k.plain(text)
	for _, prefix := range []string{"cd . && ", "cd .; ", "cd . ; "} {
		if rest, ok := strings.CutPrefix(text, prefix); ok {
			return rest
		}
	}
	return text
}

// shown returns the file of a command that only prints a file, "" for other commands.
func shown(command string) string {
	if strings.ContainsAny(command, "|&;<>$`*?") {
		return ""
	}
	all := shell.Commands(command)
	if len(all) != 1 || len(all[0].Words) < 2 {
		return ""
	}
	words := all[0].Words
	file, rest := words[len(words)-1], words[1:len(words)-1]
	if strings.HasPrefix(file, "-") {
		return ""
	}
	switch words[0] {
	case "cat", "nl", "bat", "less", "Get-Content":
		if !slices.ContainsFunc(rest, func(w string) bool { return !strings.HasPrefix(w, "-") }) {
			return file
		}
	case "head", "tail":
		if len(rest) <= 2 && (len(rest) == 0 || strings.HasPrefix(rest[0], "-")) {
			return file
		}
	case "sed": // sed -n 1,200p FILE
		if len(rest) == 2 && rest[0] == "-n" && strings.HasSuffix(rest[1], "p") &&
			strings.Trim(rest[1], "0123456789,p$") == "" {
			return file
		}
	}
	return ""
}

// digest returns a key for texts of any length.
func digest(kind string, texts ...string) string {
	h := sha256.New()
	h.Write([]byte(kind))
	for _, text := range texts {
		size := len(text)
		h.Write([]byte{0, byte(size), byte(size >> 8), byte(size >> 16), byte(size >> 24)})
		h.Write([]byte(text[:min(size, maxKey)]))
	}
	return string(h.Sum(nil)[:16])
}
