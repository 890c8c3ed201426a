package normalize

import (
	"path"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/transcript"
)

// A ContextKind is one of the things that can be attached to a prompt.
type ContextKind uint8

// The nine kinds of reference 001, section "context types and icons", and what
// Claude Code itself attaches.
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
}

func (k ContextKind) String() string { return contextKinds[k].name }

// Emoji is the sign of the kind in Markdown; pages draw a line symbol.
func (k ContextKind) Emoji() string { return contextKinds[k].emoji }

// A Context is one thing that was attached to a prompt.
type Context struct {
	Kind   ContextKind
	Label  string // a path, an address, a few words
	Detail string // what there is beyond the label: a title, a count, the full text
}

// quoteHeads start the quote block of reference 001, section "parsing rules".
var quoteHeads = []string{"> **上下文资料**\n", "> **Context**\n"}

// cutQuote takes the context block from the start of a prompt:
//
//	^> \*\*上下文资料\*\*\n(?:> \n)?((?:> - .+\n)+)\n
//
// Without an item, or without the blank line that ends the block, it is a
// quotation of the user's own.
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
	c := Context{Kind: ContextFile}
	for kind, k := range contextKinds {
		// Some writers leave out the variation selector behind the sign.
		sign := strings.TrimSuffix(k.emoji, "\ufe0f")
		if after, ok := strings.CutPrefix(item, sign); ok {
			c.Kind = ContextKind(kind)
			item = strings.TrimPrefix(after, "\ufe0f")
			break
		}
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

// fieldContexts reads the contexts field of a record (reference 001): objects
// with a type and a path, an address or a title.
func fieldContexts(v jsontext.Value) []Context {
	var contexts []Context
	for e := range transcript.Elements(v) {
		var typ, label, detail string
		for name, value := range transcript.Members(e) {
			s := transcript.String(value)
			switch name {
			case "type":
				typ = s
			case "path", "url", "name", "label":
				if label == "" {
					label = s
				}
			case "fullPath", "title", "description":
				if detail == "" {
					detail = s
				}
			}
		}
		c := Context{Kind: ContextFile, Label: label, Detail: detail}
		known := false
		for kind, k := range contextKinds {
			if typ != "" && strings.EqualFold(typ, k.field) {
				c.Kind, known = ContextKind(kind), true
				if c.Label == "" {
					c.Label = k.name
				}
			}
		}
		switch {
		case c.Label == "" && typ == "": // says nothing that is known
			c.Label = transcript.TextOf(e)
		case c.Label == "":
			c.Label = typ
		case !known && c.Detail == "":
			c.Detail = typ
		}
		contexts = append(contexts, c)
	}
	return contexts
}

// asideContext makes a context of a tag that stands before a prompt.
func asideContext(t Tag) Context {
	body := strings.TrimSpace(t.Body)
	switch t.Name {
	case "ide_opened_file":
		// "The user opened the file /w/a.go in the IDE. This may or may not be related ..."
		if _, after, ok := strings.Cut(body, "opened the file "); ok {
			file, _, _ := strings.Cut(after, " in the IDE")
			return Context{ContextFile, baseName(file), file}
		}
		return Context{ContextFile, "opened file", body}
	case "ide_selection":
		// "The user selected the lines 3 to 9 from /w/a.go:\ntext ..."
		if _, after, ok := strings.Cut(body, "selected the lines "); ok {
			head, _, _ := strings.Cut(after, "\n")
			lines, file, ok := strings.Cut(strings.TrimSuffix(head, ":"), " from ")
			if from, to, isRange := strings.Cut(lines, " to "); ok && isRange {
				return Context{ContextSelection, baseName(file) + ":" + from + "–" + to, body}
			}
		}
		return Context{ContextSelection, "selection", body}
	case "ide_diagnostics", "post-tool-use-hook", "new-diagnostics":
		return Context{ContextDiagnostics, "diagnostics", body}
	case "mcp-resource":
		return Context{ContextFile, "resource " + t.Attr("uri"), body}
	}
	return Context{ContextReminder, "reminder", body}
}

// addContexts appends those that are not there yet: plug-ins write the quote
// block and the field for the same things. What one source names twice stays
// twice, such as two terminals.
func addContexts(to, more []Context) []Context {
	known := len(to)
	met := make([]bool, known)
next:
	for _, c := range more {
		for i := range known {
			if !met[i] && same(to[i], c) {
				met[i] = true
				if to[i].Detail == "" && c.Detail != to[i].Label {
					to[i].Detail = c.Detail
				}
				continue next
			}
		}
		to = append(to, c)
	}
	return to
}

// same compares what two sources name. The label that says no more than the
// kind fits any.
func same(a, b Context) bool {
	return a.Kind == b.Kind && (a.Label == b.Label || a.Label == b.Detail || b.Label == b.Kind.String())
}

// baseName is the last element of a path of any system.
func baseName(p string) string { return path.Base(strings.ReplaceAll(p, `\`, "/")) }
