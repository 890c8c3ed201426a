package transcript

import "github.com/go-json-experiment/json/jsontext"

// Blocks decodes content that stands elsewhere than in a message: in a prompt
// that was queued, or in what an attachment sent. The value must be valid JSON.
// What is of a wrong type is left empty.
func Blocks(v jsontext.Value) []Block {
	d := decoder{p: parser{data: v}}
	return d.blocks("content", 0)
}
