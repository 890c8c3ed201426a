package export

import (
	"cmp"
	"path"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/markup"
	"viewer/internal/tools"
	"viewer/internal/transcript"
	"viewer/internal/words"
	"viewer/normalize"
)

// callContext returns what describing calls needs of a session.
func callContext(s Session) tools.Context {
	return tools.Context{
		Folder: s.Conversation.Facts.CWD, Spilled: tools.SpilledFrom(s.Spilled), Tasks: tools.TasksOf(s.Conversation),
		Ends: tools.EndsOf(s.Conversation),
	}
}

// A part is one input of a call: a text, or changes of a file.
type part struct {
	label string // "" for none
	text  string
	lang  string // of text
	prose bool   // text is Markdown
	hunks []markup.Hunk
}

// asked returns the inputs of a call that its line does not show.
func asked(c *tools.Call) []part {
	if c.Command != "" {
		return []part{{text: c.Command, lang: "sh"}}
	}
	var all []part
	for _, ch := range c.Changes {
		p := part{hunks: ch.Hunks, text: ch.Content, lang: language(ch.Path)}
		p.text = cmp.Or(p.text, ch.Fragment)
		if len(c.Changes) > 1 {
			p.label = ch.Path
		}
		all = append(all, p)
	}
	if len(all) > 0 {
		return all
	}
	for _, s := range c.Content {
		if s.Given {
			all = append(all, partOf(c, s))
		}
	}
	all = append(all, part{text: fieldLines(c.Cut)})
	return append(all, part{text: memberLines(c.Rest)})
}

// partOf returns a section as text.
func partOf(c *tools.Call, s tools.Section) part {
	p := part{label: s.Label, text: s.Text, hunks: s.Hunks}
	switch s.Shape {
	case tools.Prose, tools.Markdown:
		p.prose = true
	case tools.Command:
		p.lang = "sh"
	case tools.Code:
		if p.lang = s.Lang; s.First > 0 {
			p.lang = language(s.Lang)
		}
	case tools.Fields:
		p.text = fieldLines(s.List)
	case tools.Members:
		p.label, p.text = "", ""
		told := ""
		if transcript.TextOf(transcript.Field(s.JSON, s.Told)) == c.Target {
			told = s.Told
		}
		switch object := tools.Without(s.JSON, told, s.Without); {
		case object == nil || isOnlyMember(object, c.Target):
		case s.Words:
			p.text = memberLines(object)
		default:
			p.text, p.lang = transcript.Pretty(object), "json"
		}
	case tools.Links:
		var b strings.Builder
		for _, l := range s.Links {
			b.WriteString(strings.TrimSpace(words.OneLine(l.Title)+" "+l.URL) + "\n")
		}
		p.text = b.String()
	case tools.Items:
		var b strings.Builder
		for _, item := range s.Items {
			b.WriteString(itemSigns[item.State] + " " + words.OneLine(item.Text) + "\n")
		}
		p.text = b.String()
	}
	return p
}

// isOnlyMember reports whether the only member of an object is the target.
func isOnlyMember(object jsontext.Value, target string) bool {
	n, said := 0, false
	for _, value := range transcript.Members(object) {
		n++
		said = transcript.TextOf(value) == target
	}
	return n == 1 && said
}

var itemSigns = map[tools.ItemState]string{
	tools.ItemOpen: "[ ]", tools.ItemActive: "[~]", tools.ItemDone: "[x]", tools.ItemDeleted: "[-]",
}

// memberLines returns the members of an object that are not empty, one a line.
func memberLines(object jsontext.Value) string {
	var list []tools.Field
	for name, value := range transcript.Members(object) {
		switch transcript.Kind(value) {
		case 'n':
		case '{', '[':
			list = append(list, tools.Field{Name: name, Value: transcript.Pretty(value)})
		default:
			list = append(list, tools.Field{Name: name, Value: transcript.TextOf(value)})
		}
	}
	return fieldLines(list)
}

func fieldLines(list []tools.Field) string {
	var b strings.Builder
	for _, f := range list {
		if f.Value != "" {
			b.WriteString(strings.TrimPrefix(f.Name+": ", ": ") + f.Value + "\n")
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// target returns what a call was about, in one line.
func target(c *tools.Call) string {
	if c.Address != "" {
		return words.OneLine(c.Address)
	}
	return words.OneLine(c.Target)
}

// output returns the result that the model was given, with a description of images.
func output(c *tools.Call) string {
	return c.OutputWith(func(b *transcript.Block) string { return "[" + mediaWords(b) + "]" })
}

// remarks returns what is shown of a call after its target: "+3 −1", "exit 1", "8.4 s".
func remarks(c *tools.Call, state normalize.State) []string {
	var all []string
	added, removed, created := 0, 0, false
	for _, ch := range c.Changes {
		added, removed, created = added+ch.Added, removed+ch.Removed, created || ch.Created
	}
	if state == normalize.Done && added+removed > 0 {
		all = append(all, linesText(added, removed))
	}
	if created {
		all = append(all, "new file")
	}
	ended := false                                            // the facts say how the call ended
	if c.Command == "" && len(c.Changes) == 0 && !c.Generic { // otherwise they are in the output, or shown above
		for _, f := range c.Facts {
			all = append(all, f.Text)
			ended = ended || f.Tone == tools.Bad
		}
	} else if c.Background {
		for _, f := range c.Facts {
			if f.Main && f.Tone == tools.Neutral {
				all = append(all, f.Text)
			}
		}
	}
	word := stateWords[state]
	if c.Exit != "" { // also of a command that ended after its call
		word = "exit " + c.Exit
	}
	if word != "" && !ended {
		all = append(all, word)
	}
	if took := c.Took(); took >= 100_000_000 && !c.Background { // which was only started
		all = append(all, words.Duration(took))
	}
	return all
}

// mediaWords describes an image or a document: "image, image/png, 12.1 KB".
func mediaWords(b *transcript.Block) string {
	text := b.Type
	if t := b.Source.MediaType; t != "" {
		text += ", " + words.OneLine(t)
	}
	if n := len(b.Source.Data) * 3 / 4; n > 0 {
		text += ", " + words.Size(n)
	}
	if b.Source.URL != "" {
		text += ", " + words.OneLine(b.Source.URL)
	}
	return text
}

// language returns the language of a file for a fence.
func language(file string) string {
	return strings.TrimPrefix(path.Ext(strings.ReplaceAll(file, `\`, "/")), ".")
}

// added returns what the program added to the output of a call, for the model. Only Everything has it.
func (o Options) added(g *normalize.Group) string {
	if o.Level < Everything || g.Result == nil {
		return ""
	}
	_, reminder := normalize.ResultText(tools.ContentText(g.Result.Block.Content))
	return reminder
}
