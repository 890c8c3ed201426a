package render

import (
	"html/template"

	"viewer/internal/transcript"
)

// anyTool is the generic drawing: the input as fields, the result as text.
type anyTool struct {
	row
	Text   *passage // the input that is words
	Input  []field
	Output *output
}

func drawUnknownTool(c call) (row, template.HTML) {
	v := newAnyTool(c, "gear")
	return v.row, execute("partial/anytool", v)
}

func newAnyTool(c call, icon string) anyTool {
	if c.plain != nil {
		*c.plain = true
	}
	v := anyTool{row: row{Icon: icon}, Input: c.d.fields(c.Call.Block.Input)}
	if len(v.Input) == 0 {
		if s := transcript.TextOf(c.Call.Block.Input); s != "" && s != "{}" {
			v.Input = []field{c.d.field("input", s)}
			v.Input[0].Long = true
		}
	}
	for _, f := range v.Input {
		if !f.Long && f.Value != emptyText {
			v.Target = oneLine(f.Value, 120)
			break
		}
	}
	if !c.failed() {
		v.Output = c.d.anyText(c.text())
	}
	return v
}

func drawOrphan(c call) (row, template.HTML) {
	if c.plain != nil {
		*c.plain = true
	}
	v := anyTool{row: row{Icon: "gear"}}
	if !c.failed() {
		v.Output = c.d.anyText(c.text())
	}
	return v.row, execute("partial/anytool", v)
}
