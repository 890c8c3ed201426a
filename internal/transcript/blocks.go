package transcript

import "github.com/go-json-experiment/json/jsontext"

// Blocks decodes content outside of messages: in a queued prompt, or in an attachment. The value must be valid JSON.
// Parts with a wrong type are left empty.
func Blocks(v jsontext.Value) []Block {
	d := decoder{p: parser{data: v}}
	return d.blocks("content", 0)
}
