package tools

import (
	"strings"

	"viewer/internal/fields"
	"viewer/internal/transcript"
	"viewer/internal/words"
	"viewer/normalize"
)

// Output returns the text of the result that the model was sent, without tags around it, and without the line with the
// exit code that Exit has.
func (c *Call) Output() string { return c.OutputWith(nil) }

// OutputWith is Output with words for images and documents.
func (c *Call) OutputWith(media func(*transcript.Block) string) string {
	s := c.textWith(media)
	if c.Exit != "" {
		_, s = cutExit(s)
	}
	return s
}

func (c *Call) text() string { return c.textWith(nil) }

func (c *Call) textWith(media func(*transcript.Block) string) string {
	if whole, ok := c.spilled(); ok {
		return whole
	}
	if c.group.Result == nil {
		return ""
	}
	s, _ := normalize.ResultText(joined(c.group.Result.Block.Content, media))
	if preview, ok := strings.CutPrefix(s, "<persisted-output>"); ok {
		return strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(preview), "</persisted-output>"))
	}
	return s
}

// spilled returns the whole output of a call whose log has only its beginning.
func (c *Call) spilled() (string, bool) {
	if c.context.Spilled == nil || c.group.Result == nil {
		return "", false
	}
	whole, ok := c.context.Spilled(normalize.SpilledOutput(c.group))
	return string(whole), ok
}

// ContentText joins the blocks of a result, except images and documents, by line breaks.
func ContentText(content []transcript.Block) string { return joined(content, nil) }

func joined(content []transcript.Block, media func(*transcript.Block) string) string {
	if len(content) == 1 && content[0].Type == "text" { // nearly always: no copy
		return content[0].Text
	}
	var b strings.Builder
	for i := range content {
		block := &content[i]
		switch block.Type {
		case "text":
			b.WriteString(block.Text)
		case "image", "document":
			if media == nil {
				continue
			}
			b.WriteString(media(block))
		case "tool_reference":
			b.WriteString(block.Name)
		default:
			b.WriteString(blockText(*block))
		}
		b.WriteByte('\n')
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// BlockFields are the members of blocks that are neither text nor picture.
type BlockFields struct {
	Type, Text, Stdout, Stderr, Title, Name, ToolName, URL, URI, Source, FileID fields.Text
	Description, ErrorCode, PageAge, MimeType                                   fields.Text

	Resource struct{ URI, Name, MimeType, Text fields.Text }
}

// About returns the title and the address of a block.
func (f BlockFields) About() string {
	var parts []string
	for _, s := range []fields.Text{
		f.Title, f.Name, f.ToolName, f.Resource.Name, f.FileID, f.URL, f.URI, f.Source, f.Resource.URI, f.ErrorCode,
	} {
		if s != "" && !strings.HasPrefix(string(s), "{") {
			parts = append(parts, string(s))
		}
	}
	return strings.Join(parts, " · ")
}

// blockText returns the text of a block inside a result, which may be two levels deep, otherwise its title and address,
// otherwise its JSON.
func blockText(b transcript.Block) string {
	if b.OnlyEncrypted() {
		return EncryptedText(b)
	}
	var f BlockFields
	if fields.Decode(b.Raw, &f) != nil {
		return transcript.Pretty(b.Raw)
	}
	parts := words.NonEmpty(f.About(), string(f.Description), b.Text,
		string(f.Resource.Text), string(f.Stdout), string(f.Stderr))
	for _, inner := range b.Content {
		switch inner.Type {
		case "text":
			parts = append(parts, words.NonEmpty(inner.Text)...)
		case "image", "document": // shown as pictures
		default:
			parts = append(parts, blockText(inner))
		}
	}
	if len(parts) == 0 {
		return transcript.Pretty(b.Raw)
	}
	return strings.Join(parts, "\n")
}

// EncryptedText returns the words for an encrypted text: "encrypted text (1.2 KB)".
func EncryptedText(b transcript.Block) string {
	return "encrypted text (" + words.Size(int(b.Encrypted)) + ")"
}

// cutExit cuts "Exit code 1" from the start of an error.
func cutExit(s string) (code, rest string) {
	after, ok := strings.CutPrefix(s, "Exit code ")
	if !ok {
		return "", s
	}
	code, rest, _ = strings.Cut(after, "\n")
	if code == "" || strings.Trim(code, "0123456789") != "" {
		return "", s
	}
	return code, rest
}

// media returns the images and documents among blocks.
func media(blocks []transcript.Block) []Medium {
	var all []Medium
	for _, b := range blocks {
		if b.Type == "image" || b.Type == "document" {
			all = append(all, Medium{b.Source, b.Type})
			continue
		}
		all = append(all, media(b.Content)...) // of a fetched page: two levels deep
	}
	return all
}

func (c *Call) isSpilled() bool {
	if c.context.Spilled == nil || c.group.Result == nil {
		return false
	}
	_, ok := c.context.Spilled(normalize.SpilledOutput(c.group))
	return ok
}
