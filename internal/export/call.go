package export

import (
	"path"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/markup"
	"viewer/internal/stats"
	"viewer/internal/transcript"
	"viewer/internal/words"
	"viewer/normalize"
)

// A Deed is what a call was about, as far as its tool is known: one line for a
// list, and what a reader wants to see of it.
type Deed struct {
	Tool    string
	Target  string // one line: a path, a command, an address, a few words
	Input   string // what it was given, as JSON; "" when the target says it all
	Command string // of a shell
	Path    string // of the file that it is about, as the log has it

	Changes        bool // the call is there to change the file at Path
	Created        bool // it made the file
	Added, Removed int  // lines, as far as the log tells
	Patch          []markup.Hunk
	Content        string // the whole new file, where there is no patch

	Exit   string        // of a command that failed: "1"; "" when the log does not say
	Output string        // what the model was given as result
	Took   time.Duration // 0 when the log does not say
}

// shells run their member command.
var shells = map[string]bool{"Bash": true, "PowerShell": true}

// targets are members of inputs that say what a call is about, the most telling first.
var targets = []string{
	"command", "file_path", "notebook_path", "pattern", "path", "url", "query", "description", "skill",
	"subject", "prompt",
	"task_id", "taskId", "name", "to",
}

// DeedOf reads a call. Spilled are long outputs that lie beside the session, by
// the name of their file.
func DeedOf(g *normalize.Group, spilled map[string][]byte) Deed {
	d := Deed{Tool: "Result", Output: output(g, spilled)}
	if start, end, ok := stats.CallTime(g); ok {
		d.Took = end.Sub(start)
	}
	if g.Call == nil {
		return d
	}
	d.Tool = oneLine(g.Call.Name)
	if d.Tool == "" {
		d.Tool = "Unnamed tool"
	}
	in := make(map[string]jsontext.Value)
	for name, value := range transcript.Members(g.Call.Block.Input) {
		if in[name] == nil {
			in[name] = value
		}
	}
	text := func(name string) string { return transcript.TextOf(in[name]) }
	for _, name := range targets {
		if d.Target = oneLine(text(name)); d.Target != "" {
			said := len(in) == 1 && d.Target == text(name)
			if !said {
				d.Input = pretty(g.Call.Block.Input)
			}
			break
		}
	}
	if d.Target == "" && len(in) > 0 {
		d.Input = pretty(g.Call.Block.Input)
	}
	if shells[d.Tool] {
		d.Command = text("command")
	}
	if d.Path = text("file_path"); d.Path == "" {
		d.Path = text("notebook_path")
	}
	switch d.Tool {
	case "Edit":
		d.Changes = true
		d.patch(g, [2]string{text("old_string") + text("old_str"), text("new_string") + text("new_str")})
	case "MultiEdit":
		d.Changes = true
		var edits [][2]string
		for e := range transcript.Elements(in["edits"]) {
			edits = append(edits, [2]string{
				transcript.TextOf(transcript.Field(e, "old_string")),
				transcript.TextOf(transcript.Field(e, "new_string")),
			})
		}
		d.patch(g, edits...)
	case "Write":
		d.Changes = true
		d.Created = g.Result != nil && transcript.String(transcript.Field(g.Result.Structured(), "type")) == "create"
		if d.patch(g); d.Patch == nil {
			d.Content = text("content")
			if d.Created {
				d.Added = markup.Lines(d.Content)
			}
		}
	case "NotebookEdit":
		d.Changes, d.Content = true, text("new_source")
	}
	if g.State == normalize.Failed && d.Command != "" {
		d.Exit, d.Output = cutExit(d.Output)
	}
	return d
}

// patch takes the patch of the log, which has the real line numbers; without
// one it compares the texts.
func (d *Deed) patch(g *normalize.Group, edits ...[2]string) {
	if g.Result != nil {
		for h := range transcript.Elements(transcript.Field(g.Result.Structured(), "structuredPatch")) {
			hunk := markup.Hunk{OldStart: number(h, "oldStart"), NewStart: number(h, "newStart")}
			for l := range transcript.Elements(transcript.Field(h, "lines")) {
				hunk.Lines = append(hunk.Lines, transcript.TextOf(l))
			}
			d.Patch = append(d.Patch, hunk)
		}
	}
	if d.Patch == nil {
		for _, e := range edits {
			d.Patch = append(d.Patch, markup.Edits(e[0], e[1])...)
		}
	}
	for _, h := range d.Patch {
		for _, l := range h.Lines {
			switch {
			case strings.HasPrefix(l, "+"):
				d.Added++
			case strings.HasPrefix(l, "-"):
				d.Removed++
			}
		}
	}
}

// output is what the model was given as result, without the wrapping that is
// not part of it.
func output(g *normalize.Group, spilled map[string][]byte) string {
	if whole, ok := spilled[normalize.SpilledOutput(g)]; ok {
		return string(whole)
	}
	if g.Result == nil {
		return ""
	}
	var b strings.Builder
	for i := range g.Result.Block.Content {
		block := &g.Result.Block.Content[i]
		switch block.Type {
		case "text":
			b.WriteString(block.Text)
		case "image", "document":
			b.WriteString("[" + mediaWords(block) + "]")
		case "tool_reference":
			b.WriteString(block.Name)
		default:
			b.WriteString(string(block.Raw))
		}
		b.WriteByte('\n')
	}
	// what older versions appended is not the tool's
	text, _ := normalize.ResultText(strings.TrimSuffix(b.String(), "\n"))
	if preview, ok := strings.CutPrefix(text, "<persisted-output>"); ok {
		text = strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(preview), "</persisted-output>"))
	}
	return text
}

// cutExit takes "Exit code 1" from the start of what a command printed.
func cutExit(output string) (code, rest string) {
	after, ok := strings.CutPrefix(output, "Exit code ")
	if !ok {
		return "", output
	}
	code, rest, _ = strings.Cut(after, "\n")
	if code == "" || strings.Trim(code, "0123456789") != "" {
		return "", output
	}
	return code, rest
}

// Relative shortens a path below a folder.
func Relative(p, folder string) string {
	for _, sep := range []string{"/", `\`} {
		if dir := strings.TrimSuffix(folder, sep); dir != "" {
			if rest, ok := strings.CutPrefix(p, dir+sep); ok && rest != "" {
				return rest
			}
		}
	}
	return p
}

// mediaWords says what an image or a document is: "image, image/png, 12.1 KB".
func mediaWords(b *transcript.Block) string {
	text := b.Type
	if t := b.Source.MediaType; t != "" {
		text += ", " + oneLine(t)
	}
	if n := len(b.Source.Data) * 3 / 4; n > 0 {
		text += ", " + words.Size(n)
	}
	if b.Source.URL != "" {
		text += ", " + oneLine(b.Source.URL)
	}
	return text
}

// language is what a fence says of a file.
func language(file string) string {
	return strings.TrimPrefix(path.Ext(strings.ReplaceAll(file, `\`, "/")), ".")
}

func number(v jsontext.Value, name string) int {
	n := 0
	for _, c := range strings.TrimSpace(string(transcript.Field(v, name))) {
		if c < '0' || c > '9' || n > 1e8 {
			return 0
		}
		n = 10*n + int(c-'0')
	}
	return n
}
