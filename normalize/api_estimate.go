package normalize

import "viewer/internal/transcript"

// Estimate estimates how many tokens messages have, if the log has no usage: text by its length, about 20 more for a
// call and 10 for a result, an image by its size. It is never added to a count.
func Estimate(messages []APIMessage) int {
	n := 0
	for _, m := range messages {
		for _, b := range m.Blocks {
			n += estimate(*b.Block)
		}
	}
	return n
}

const (
	bytesPerToken = 4
	callTokens    = 20
	resultTokens  = 10
	mediaTokens   = 1500 // an image whose size is unknown, and a document
)

func estimate(b transcript.Block) int {
	n := (len(b.Text) + bytesPerToken - 1) / bytesPerToken
	switch b.Type {
	case "tool_use":
		n += callTokens + (len(b.Name)+len(b.Input))/bytesPerToken
	case "tool_result":
		n += resultTokens
		for _, inner := range b.Content {
			n += estimate(inner)
		}
	case "image":
		n += imageTokens(b.Source)
	case "document":
		n += mediaTokens
	}
	return n
}
