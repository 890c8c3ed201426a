package sources

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

// Chat adds the records of a message in the format of the OpenAI chat API: the roles system, user, assistant and tool,
// calls in "tool_calls" or "toolCalls", and reasoning next to the content. It returns false for any other role. An
// empty message of a known role has no records.
func (b *Builder) Chat(m Object) bool {
	content := b.ChatBlocks(m.Get("content"))
	switch m.Text("role") {
	case "system", "developer":
		b.Snapshot(JoinTexts(content), nil)
	case "user":
		if len(content) > 0 {
			b.User(transcript.PromptText, content...)
		}
	case "assistant":
		if text := m.Text("reasoning_content", "reasoning", "thinking"); text != "" {
			content = append([]transcript.Block{{Type: "thinking", Raw: b.Value, Text: text}}, content...)
		}
		for _, name := range []string{"tool_calls", "toolCalls"} {
			for c := range transcript.Elements(m.Get(name)) {
				content = append(content, b.ChatCall(c))
			}
		}
		if len(content) > 0 {
			b.Answer(content...)
		}
	case "tool":
		b.Result(m.Text("tool_call_id", "toolCallId"), false, content...)
	default:
		return false
	}
	return true
}

// ChatCall returns the block of a call: {"id","function":{"name","arguments"}}, or the same without the "function"
// level.
func (b *Builder) ChatCall(v jsontext.Value) transcript.Block {
	var o, f Object
	o.Read(v)
	f.Read(o.Get("function"))
	if len(f) == 0 {
		f = o
	}
	return b.Call(o.Text("id"), f.Text("name"), Arguments(f.Get("arguments", "args")))
}

// ChatBlocks returns the blocks of the content, which is a string or a list of parts.
func (b *Builder) ChatBlocks(content jsontext.Value) []transcript.Block {
	switch transcript.Kind(content) {
	case '"':
		text := transcript.String(content)
		if text == "" {
			return nil
		}
		return []transcript.Block{b.Text(text)}
	case '{':
		return []transcript.Block{b.chatPart(content)}
	}
	var all []transcript.Block
	for e := range transcript.Elements(content) {
		if transcript.Kind(e) == '"' {
			all = append(all, b.Text(transcript.String(e)))
			continue
		}
		all = append(all, b.chatPart(e))
	}
	return all
}

func (b *Builder) chatPart(v jsontext.Value) transcript.Block {
	var o Object
	o.Read(v)
	switch kind := o.Text("type"); kind {
	case "text", "input_text", "output_text":
		return transcript.Block{Type: "text", Raw: v, Text: o.Text("text")}
	case "think", "thinking", "reasoning":
		text := o.Text("think") + o.Text("thinking") + o.Text("text")
		return transcript.Block{Type: "thinking", Raw: v, Text: text}
	case "image_url", "imageUrl", "image":
		address := o.Get("image_url", "imageUrl")
		if transcript.Kind(address) == '{' {
			address = transcript.Field(address, "url")
		}
		address = transcript.Or(address, o.Get("url"))
		if picture, ok := b.picture(transcript.String(address)); ok {
			return picture
		}
		if data := o.Get("data"); transcript.Kind(data) == '"' {
			source := transcript.Source{Kind: "base64", MediaType: o.Text("mimeType"), Data: data}
			return transcript.Block{Type: "image", Raw: Make("type", "image"), Source: source}
		}
		return transcript.Block{Type: "text", Raw: v, Text: "(a picture that is not in the log)"}
	default:
		kind = cmp.Or(kind, "content")
		return transcript.Block{Type: kind, Raw: v}
	}
}

// picture returns the image in an address such as data:image/png;base64,...
func (b *Builder) picture(address string) (transcript.Block, bool) {
	rest, ok := strings.CutPrefix(address, "data:")
	media, data, found := strings.Cut(rest, ";base64,")
	if !ok || !found || !strings.HasPrefix(media, "image/") {
		return transcript.Block{}, false
	}
	source := transcript.Source{Kind: "base64", MediaType: media, Data: Quote(data)}
	return transcript.Block{Type: "image", Raw: Make("type", "image"), Source: source}, true
}

// JoinTexts returns the texts among blocks as paragraphs.
func JoinTexts(blocks []transcript.Block) string {
	var all []string
	for _, b := range blocks {
		if b.Type == "text" {
			all = append(all, b.Text)
		}
	}
	return strings.Join(all, "\n\n")
}
