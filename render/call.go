package render

import (
	"html/template"
	"strings"
	"time"

	"viewer/internal/transcript"
	"viewer/normalize"
)

// A call is what a tool's view is made from.
type call struct {
	*normalize.Group
	d     *drawer
	plain *bool // the drawing shows input and text as they are, and nothing of the structured result
}

// A row is what a closed call shows. The view of a tool embeds it.
type row struct {
	Icon   string // a symbol of assets/icons.svg
	Label  string // instead of the tool's own name
	Path   string // of the file that the call is about; Target follows it
	Target string // what the call is about
	Prose  bool   // Target is words, not code
	Look   string // of the dot, where the result does not tell: bg, interrupted
	Facts  []fact
	Took   time.Duration // as the log says; 0 is the time from the call to its result
	Kind   string        // what many such calls are called, where Label is about one of them
	Shows  shows
	More   []field // input that the drawing does not know

	Changes        bool // the call changes the file at Path
	Added, Removed int  // lines of it
}

// shows says what the body of the drawing takes care of, so that the frame does not.
type shows struct {
	Failure bool // the text of an error
	Media   bool // the images of the result
	Open    bool // the call is open though it went well
}

func (r row) head() row { return r }

// about puts a text on the row; what does not fit is listed below the call too.
func (c call) about(r *row, name, s string, n int) {
	r.Target = oneLine(s, n)
	if strings.HasSuffix(r.Target, "…") && !strings.HasSuffix(s, "…") {
		f := c.d.field(name, s)
		f.Long = true
		r.More = append([]field{f}, r.More...)
	}
}

type rowed interface{ head() row }

// input decodes the input of the call, see decode.
func (c call) input(to any) error {
	return decode(c.Call.Block.Input, to)
}

// result decodes the structured result; it reports whether there was one. It is
// a string, an array or missing often enough: a view must do without.
func (c call) result(to any) bool {
	return c.Result != nil && decode(c.Result.Structured(), to) == nil
}

// text is what the model was given as result, without the wrapping that is
// not part of it.
func (c call) text() string {
	if whole, ok := c.d.spill(normalize.SpilledOutput(c.Group)); ok {
		return string(whole)
	}
	s, _ := resultText(c.Result)
	if preview, ok := strings.CutPrefix(s, "<persisted-output>"); ok {
		return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(preview), "</persisted-output>"))
	}
	return s
}

// failed says that the result is an error, for whatever reason.
func (c call) failed() bool { return c.Result != nil && c.Result.Block.IsError }

// took is the time from the call to its result, 0 when the log does not say.
func (c call) took() time.Duration {
	if c.Call == nil || c.Result == nil || c.Call.Time().IsZero() || c.Result.Time().IsZero() {
		return 0
	}
	return max(0, c.Result.Time().Sub(c.Call.Time()))
}

// resultText joins the text of a result, without what is wrapped around it.
func resultText(m *normalize.Message) (text, reminder string) {
	if m == nil {
		return "", ""
	}
	return normalize.ResultText(contentText(m.Block.Content))
}

// contentText joins the blocks of a result by line breaks, but for what is drawn as a picture.
func contentText(content []transcript.Block) string {
	if len(content) == 1 && content[0].Type == "text" { // as nearly always: no copy
		return content[0].Text
	}
	var b strings.Builder
	for _, block := range content {
		switch block.Type {
		case "text":
			b.WriteString(block.Text)
		case "image", "document":
			continue
		case "tool_reference":
			b.WriteString(block.Name)
		default:
			b.WriteString(blockText(block))
		}
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// name is the tool's name as it stands in the log, made fit for a row.
func (c call) name() string {
	if c.Call == nil {
		return "Result"
	}
	if name := oneLine(c.Call.Name, 60); name != "" {
		return name
	}
	return "Unnamed tool"
}

// tool draws the body of a call: by the drawing of its tool, that of its
// family, or generically.
func (d *drawer) tool(c call) (row, template.HTML) {
	if c.Result != nil {
		d.drawn(c.Result)
	}
	if c.Call == nil {
		return drawOrphan(c)
	}
	if raw, ok := unparsed(c.Call.Block.Input); ok {
		d.drawn(c.Call)
		return drawUnparsed(c, raw)
	}
	name := c.Call.Name
	known := tools.byName[name]
	switch {
	case known != nil:
	case strings.HasPrefix(name, "mcp__"), c.Call.Block.Type == "mcp_tool_use":
		known = tools.byName["mcp__*"]
	case c.Call.Block.Type == "server_tool_use":
		known = tools.byName["server_tool_use"]
	}
	if known != nil {
		used := d.quota.textBytes
		v, body, err := known.draw(c)
		if err == nil && len(body) <= bodyMost {
			d.drawn(c.Call)
			return v.(rowed).head(), body
		}
		d.quota.textBytes = used
		why := "input not understood"
		if err == nil {
			why = "too much for its drawing"
		}
		d.drawnGenerically("tool "+name+", "+why, c.Call)
	} else {
		d.drawnGenerically("tool "+name, c.Call)
	}
	return drawUnknownTool(c)
}
