package normalize

import (
	"slices"
	"strings"

	"viewer/internal/transcript"
)

// convert turns each record into content blocks: those of user and assistant, and text of local commands and
// attachments.
func convert(s *sending) {
	replaced := replacements(s.conversation)
	s.keep(func(e *entry) bool {
		switch r := e.record; {
		case r.Attachment != nil:
			convertAttachment(s, e)
		case r.Type == "system":
			convertLocalCommand(e)
		case isDelivered(e):
			e.role = "user"
			e.blocks = []APIBlock{{Block: textBlock(e.parts[0].Text), From: e.parts[0]}}
			s.rough[e.parts[0]] = true
		case r.Type == "assistant":
			e.role = "assistant"
			convertBlocks(s, e, assistantBlock)
		default:
			e.role = "user"
			convertBlocks(s, e, func(s *sending, e *entry, m *Message) (*transcript.Block, Why) {
				return userBlock(s, e, m, replaced)
			})
		}
		return len(e.blocks) > 0
	})
}

// convertLocalCommand converts local commands: the model must know what the user did between requests.
func convertLocalCommand(e *entry) {
	e.role = "user"
	text := e.record.Text()
	if strings.TrimSpace(text) == "" {
		text = noContent
	}
	e.blocks = []APIBlock{{Block: textBlock(text), From: e.parts[0]}}
}

func convertAttachment(s *sending, e *entry) {
	m := e.parts[0]
	e.role = "user"
	blocks, rough, why := attachmentBlocks(e.record)
	for i := range blocks {
		b := &blocks[i]
		switch {
		case !allowed["user"][b.Type] || b.Type == "tool_result":
			why = whyUnknown
		case b.Type == "text" && strings.TrimSpace(b.Text) == "":
			why = whyNothing
		case !hasData(b):
			why = whyBlank
		default:
			e.blocks = append(e.blocks, APIBlock{Block: b, From: m})
		}
	}
	if len(e.blocks) == 0 {
		s.drop(why, m)
		return
	}
	if rough {
		s.rough[m] = true
	}
}

// noContent replaces empty content, which the API does not accept.
const noContent = "[no content]"

// convertBlocks sets the blocks of a record that can be sent. A record without any content is still a message; one
// whose blocks are all dropped is not.
func convertBlocks(s *sending, e *entry, take func(*sending, *entry, *Message) (*transcript.Block, Why)) {
	blank := true
	for _, m := range e.parts {
		e.prompt = e.prompt || m.Kind == Prompt && !m.Queued && m.Rule == ""
		if m.Block == nil {
			continue
		}
		b, why := take(s, e, m)
		if why == NoWhy && !allowed[e.role][b.Type] {
			why = whyUnknown
			if allowed["user"][b.Type] || allowed["assistant"][b.Type] {
				why = whyRole
			}
		}
		if why == NoWhy && !hasData(b) {
			why = whyBlank
		}
		if why == NoWhy && b.Type == "text" && strings.TrimSpace(b.Text) == "" {
			why = whyBlank
		}
		if why != NoWhy {
			s.drop(why, m)
			blank = blank && why == whyBlank
			continue
		}
		blank = false
		e.blocks = append(e.blocks, APIBlock{Block: b, From: m})
	}
	if blank {
		m := e.record.Message
		if (len(m.Content) == 0 || m.Plain && m.Content[0].Text == "") && endings[m.StopReason] != Refused {
			s.bare = append(s.bare, e.parts[0])
		}
		e.blocks = []APIBlock{{Block: textBlock(noContent), From: e.parts[0]}}
	}
}

// userBlock removes block types that an API error named, and references to tools that the request does not offer.
func userBlock(s *sending, e *entry, m *Message, replaced map[string]string) (*transcript.Block, Why) {
	b := m.Block
	if s.strip[e][b.Type] {
		return b, whyStripped
	}
	if b.Type != "tool_result" {
		return b, NoWhy
	}
	if b.ToolUseID == "" {
		return b, whyOrphan
	}
	changed := *b
	if text, ok := replaced[b.ToolUseID]; ok {
		changed.Content, changed.Plain = textBlocks(text), true
	} else if b.Plain || plainTexts(b.Content) {
		return b, NoWhy
	} else {
		changed.Content = resultContent(b.Content, s.options.Tools)
	}
	return &changed, NoWhy
}

// hasData reports whether an image or a document has data: exports of logs leave it out.
func hasData(b *transcript.Block) bool {
	if b.Type != "image" && b.Type != "document" {
		return true
	}
	switch b.Source.Kind {
	case "base64", "text":
		return len(b.Source.Data) > len(`""`) && b.Source.MediaType != ""
	case "url":
		return b.Source.URL != ""
	case "file":
		return transcript.String(transcript.Field(transcript.Field(b.Raw, "source"), "file_id")) != ""
	}
	return false
}

// plainTexts reports whether resultContent would change nothing: most results are one text.
func plainTexts(content []transcript.Block) bool {
	return !slices.ContainsFunc(content, func(b transcript.Block) bool {
		return b.Type != "text" || strings.TrimSpace(b.Text) == ""
	})
}

// resultContent returns the blocks of a result that can be sent. There may be none, which the API accepts.
func resultContent(all []transcript.Block, tools map[string]bool) []transcript.Block {
	content := all[:0:0]
	for _, b := range all {
		switch b.Type {
		case "text":
			if strings.TrimSpace(b.Text) == "" {
				continue
			}
		case "image", "document", "search_result":
			if !hasData(&b) {
				continue
			}
		case "tool_reference":
			if b.Name == "" || tools != nil && !tools[b.Name] {
				continue
			}
		default:
			if len(b.Raw) == 0 {
				continue
			}
			b = *textBlock(string(b.Raw)) // not a block of the API: it is sent as JSON
		}
		content = append(content, b)
	}
	return content
}

// assistantBlock cleans the input of a call, and drops thinking without a signature, which the API refuses; logs of
// other writers have it.
func assistantBlock(s *sending, _ *entry, m *Message) (*transcript.Block, Why) {
	b := m.Block
	switch {
	case strings.HasSuffix(b.Type, "tool_use"):
		if b.ID == "" {
			return b, whyNoID
		}
		changed := *b
		var object bool
		if changed.Input, object = sentInput(m); !object {
			s.problem(m, "input of "+b.Type+" is not an object")
		}
		return &changed, NoWhy
	case b.Type == "redacted_thinking":
		if transcript.String(transcript.Field(b.Raw, "data")) == "" {
			return b, whyUnsigned
		}
	case b.Type == "thinking":
		switch signature := transcript.String(transcript.Field(b.Raw, "signature")); {
		case signature == "":
			return b, whyUnsigned
		case s.options.Edited && !isBase64(signature):
			return b, whyEdited
		}
	}
	return b, NoWhy
}

// isBase64 distinguishes a signature from other text in its place.
func isBase64(s string) bool {
	return strings.Trim(s, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/=_-") == ""
}

// replacements returns the texts that later replaced results in the context (content-replacement).
func replacements(c *Conversation) map[string]string {
	var all map[string]string
	for _, m := range c.Messages {
		if m.Record.Type != "content-replacement" {
			continue
		}
		for v := range transcript.Elements(transcript.Field(m.Record.Raw, "replacements")) {
			text := transcript.String(transcript.Field(v, "replacement"))
			if string(transcript.Field(v, "kind")) != `"tool-result"` || text == "" {
				continue
			}
			if all == nil {
				all = make(map[string]string)
			}
			all[transcript.String(transcript.Field(v, "toolUseId"))] = text
		}
	}
	return all
}
