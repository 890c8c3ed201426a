package normalize

import (
	"cmp"
	"path"
	"strings"
	"unicode"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

// A ContextKind is a kind of attachment of a prompt.
type ContextKind uint8

// The nine kinds that plug-ins for editors attach, and what Claude Code itself attaches.
const (
	ContextFile ContextKind = iota
	ContextWeb
	ContextFolder
	ContextSymbol
	ContextTerminal
	ContextProblems
	ContextGit
	ContextSelection
	ContextWorkspace
	ContextMemory
	ContextSkill
	ContextImage
	ContextDiagnostics
	ContextAgent
	ContextReminder
	ContextBlocked // nothing attached: why the program did not send the prompt
	ContextOther   // of an unknown kind: see Context.Name
)

var contextKinds = []struct {
	name  string
	emoji string
	field string // the type that the contexts field gives it
}{
	ContextFile:        {"file", "📄", "FileReference"},
	ContextWeb:         {"web", "🌐", "WebReference"},
	ContextFolder:      {"folder", "📁", "FolderReference"},
	ContextSymbol:      {"symbol", "🔗", "SymbolReference"},
	ContextTerminal:    {"terminal", "💻", "TerminalReference"},
	ContextProblems:    {"problems", "⚠️", "ProblemsReference"},
	ContextGit:         {"git", "🔀", "GitReference"},
	ContextSelection:   {"selection", "✏️", "SelectionReference"},
	ContextWorkspace:   {"workspace", "🏠", "WorkspaceReference"},
	ContextMemory:      {"memory", "🧠", "MemoryReference"},
	ContextSkill:       {"skill", "✨", "SkillReference"},
	ContextImage:       {"image", "🖼️", "ImageReference"},
	ContextDiagnostics: {"diagnostics", "🩺", "DiagnosticsReference"},
	ContextAgent:       {"agent", "🤖", "AgentReference"},
	ContextReminder:    {"reminder", "💬", ""},
	ContextBlocked:     {"blocked", "⛔", ""},
	ContextOther:       {"other", "📎", ""},
}

func (k ContextKind) String() string { return contextKinds[k].name }

// Emoji returns the symbol of the kind in Markdown; pages have an icon.
func (k ContextKind) Emoji() string { return contextKinds[k].emoji }

// A Context is one thing that was attached to a prompt.
type Context struct {
	Kind   ContextKind
	Name   string // of ContextOther: its symbol or type, as in the log
	Label  string // a path, an address, a few words
	Detail string // details: a title, a count, the full text
}

// quoteHeads are the beginnings of the quote block in which plug-ins list attachments.
var quoteHeads = []string{"> **上下文资料**\n", "> **Context**\n"}

// cutQuote takes the context block from the start of a prompt:
//
//	^> \*\*上下文资料\*\*\n(?:> \n)?((?:> - .+\n)+)\n
//
// Without an item, or without the blank line at the end, it is a quotation of the user.
func cutQuote(text string) ([]Context, string) {
	rest, found := text, false
	for _, head := range quoteHeads {
		if after, ok := strings.CutPrefix(text, head); ok {
			rest, found = after, true
		}
	}
	if !found {
		return nil, text
	}
	if after, ok := strings.CutPrefix(rest, "> \n"); ok {
		rest = after
	} else if after, ok := strings.CutPrefix(rest, ">\n"); ok {
		rest = after
	}
	var contexts []Context
	for {
		item, after, ok := strings.Cut(rest, "\n")
		if item, isItem := strings.CutPrefix(item, "> - "); ok && isItem && item != "" {
			contexts = append(contexts, quoteItem(item))
			rest = after
			continue
		}
		break
	}
	rest, ok := strings.CutPrefix(rest, "\n")
	if !ok || contexts == nil {
		return nil, text
	}
	return contexts, rest
}

// quoteItem reads one line: an icon, a label in code or bare, and the rest.
func quoteItem(item string) Context {
	c := Context{Kind: ContextOther}
	for kind, k := range contextKinds {
		// Some writers leave out the variation selector after the symbol.
		sign := strings.TrimSuffix(k.emoji, "\ufe0f")
		if after, ok := strings.CutPrefix(item, sign); ok {
			c.Kind = ContextKind(kind)
			item = strings.TrimPrefix(after, "\ufe0f")
			break
		}
	}
	if sign, after, ok := strings.Cut(item, " "); c.Kind == ContextOther && ok && isSign(sign) {
		c.Name, item = sign, after
	}
	item = strings.TrimSpace(item)
	if after, ok := strings.CutPrefix(item, "`"); ok {
		if label, detail, ok := strings.Cut(after, "`"); ok {
			c.Label, c.Detail = label, strings.TrimSpace(detail)
			return c
		}
	}
	if label, detail, ok := strings.Cut(item, " ("); ok {
		c.Label, c.Detail = label, "("+detail
		return c
	}
	c.Label = item
	return c
}

// isSign reports whether a word consists of symbols, as before the items of a quote block.
func isSign(word string) bool {
	return word != "" && !strings.ContainsFunc(word, func(r rune) bool {
		return r < 0x80 || unicode.IsLetter(r) || unicode.IsDigit(r)
	})
}

// fieldContexts reads the contexts field of a record: objects with a type, a path, an address or a title, and details
// by kind: number of lines, severity, content. Values that are not a list of objects are shown as JSON.
func fieldContexts(v jsontext.Value) []Context {
	switch transcript.Kind(v) {
	case '[':
	case 'n':
		return nil
	default:
		return []Context{fieldContext(v)}
	}
	var contexts []Context
	for e := range transcript.Elements(v) {
		if transcript.Kind(e) != 'n' {
			contexts = append(contexts, fieldContext(e))
		}
	}
	return contexts
}

func fieldContext(v jsontext.Value) Context {
	var typ, label, content string
	var details []string
	for name, value := range transcript.Members(v) {
		s := transcript.TextOf(value)
		switch {
		case s == "" || name == "displayType": // where the plug-in draws it
		case name == "type":
			typ = s
		case label == "" && labels[name]:
			label = s
		case name == "fullPath" || name == "title" || name == "description":
			details = append(details, s)
		case name == "content":
			content = s
		default:
			details = append(details, name+": "+s)
		}
	}
	if content != "" {
		details = append(details, content)
	}
	c := Context{Kind: ContextOther, Name: typ, Label: label, Detail: strings.Join(details, "\n")}
	for kind, k := range contextKinds {
		if typ != "" && strings.EqualFold(typ, k.field) {
			c.Kind, c.Name = ContextKind(kind), ""
			c.Label = cmp.Or(c.Label, k.name)
		}
	}
	if c.Label == "" && typ == "" { // has no known member
		c.Label, c.Detail = transcript.TextOf(v), ""
	}
	return c
}

// labels are the members that describe a context in short.
var labels = map[string]bool{"path": true, "url": true, "name": true, "label": true}

// contextOf returns the context for a tag before a prompt.
func contextOf(t Tag) Context {
	body := strings.TrimSpace(t.Body)
	switch t.Name {
	case "ide_opened_file":
		// "The user opened the file /w/a.go in the IDE. This may or may not be related ..."
		if _, after, ok := strings.Cut(body, "opened the file "); ok {
			file, _, _ := strings.Cut(after, " in the IDE")
			return Context{Kind: ContextFile, Label: baseName(file), Detail: file}
		}
		return Context{Kind: ContextFile, Label: "opened file", Detail: body}
	case "ide_selection":
		// "The user selected the lines 3 to 9 from /w/a.go:\ntext ..."
		if _, after, ok := strings.Cut(body, "selected the lines "); ok {
			head, _, _ := strings.Cut(after, "\n")
			lines, file, ok := strings.Cut(strings.TrimSuffix(head, ":"), " from ")
			if from, to, isRange := strings.Cut(lines, " to "); ok && isRange {
				return Context{Kind: ContextSelection, Label: baseName(file) + ":" + from + "–" + to, Detail: body}
			}
		}
		return Context{Kind: ContextSelection, Label: "selection", Detail: body}
	case "ide_diagnostics", "post-tool-use-hook", "new-diagnostics":
		return Context{Kind: ContextDiagnostics, Label: "diagnostics", Detail: body}
	case "mcp-resource":
		return Context{Kind: ContextFile, Label: "resource " + t.Attr("uri"), Detail: body}
	}
	return Context{Kind: ContextReminder, Label: "reminder", Detail: body}
}

// addContexts appends the contexts that are not there yet, because plug-ins write the same ones to the quote block and
// the field. Contexts that one source has twice, such as two terminals, stay twice.
func addContexts(to, more []Context) []Context {
	own := len(to)
	met := make([]bool, own)
next:
	for _, c := range more {
		for i := range own {
			if !met[i] && same(to[i], c) {
				met[i] = true
				to[i].addDetail(c.Detail)
				continue next
			}
		}
		to = append(to, c)
	}
	return to
}

// addDetail appends the detail of a second source.
func (c *Context) addDetail(more string) {
	switch {
	case c.Detail == "" && more != c.Label:
		c.Detail = more
	case more != "" && more != c.Label && !strings.Contains(c.Detail, more):
		c.Detail += "\n" + more
	}
}

// same reports whether two sources may mean the same context. A label that only names the kind matches any.
func same(a, b Context) bool {
	return a.Kind == b.Kind && a.Name == b.Name &&
		(a.Label == b.Label || a.Label == b.Detail || b.Label == b.Kind.String())
}

// baseName returns the last element of a path of any system.
func baseName(p string) string { return path.Base(strings.ReplaceAll(p, `\`, "/")) }
