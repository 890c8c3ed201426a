package render

import (
	"strings"

	"viewer/internal/transcript"
)

// Content blocks of a message that are neither text, thinking, call, result nor
// picture (format, section 6). Some stand inside results too: see blockText.
var (
	_ = register(blocks, "fallback", "block", viewFallback)
	_ = register(blocks, "container_upload", "block", viewBlock("file", "File for the container", atTools))
	_ = register(blocks, "search_result", "block", viewBlock("find", "Search result", atTools))
	_ = register(blocks, "resource", "block", viewBlock("plug", "Resource", atTools))
	_ = register(blocks, "resource_link", "block", viewBlock("plug", "Link to a resource", atTools))
	_ = register(blocks, "tool_reference", "block", viewBlock("find", "Tool found", atEverything))
	_ = register(blocks, "compaction", "block", viewBlock("compact", "Context compacted by the server", atTools))
)

// blockFields are what such blocks say of themselves.
type blockFields struct {
	Type, Text, Stdout, Stderr, Title, Name, ToolName, URL, URI, Source, FileID text
	Description, ErrorCode, PageAge, MimeType                                   text
	Resource                                                                    struct{ URI, Name, MimeType, Text text }
}

// about is what a block is about: a title and an address.
func (f blockFields) about() string {
	var parts []string
	for _, s := range []text{f.Title, f.Name, f.ToolName, f.Resource.Name, f.FileID, f.URL, f.URI, f.Source,
		f.Resource.URI, f.ErrorCode} {
		if s != "" && !strings.HasPrefix(string(s), "{") {
			parts = append(parts, string(s))
		}
	}
	return strings.Join(parts, " · ")
}

// blockText is what there is to read of a block inside a result: its text,
// which may stand two levels deep, or what it is about; all of it as JSON when
// it has neither.
func blockText(b transcript.Block) string {
	var f blockFields
	if decode(b.Raw, &f) != nil {
		return transcript.Pretty(b.Raw)
	}
	parts := nonEmpty(f.about(), string(f.Description), b.Text, string(f.Resource.Text), string(f.Stdout),
		string(f.Stderr))
	for _, inner := range b.Content {
		switch inner.Type {
		case "text":
			parts = append(parts, nonEmpty(inner.Text)...)
		case "image", "document": // drawn as pictures
		default:
			parts = append(parts, blockText(inner))
		}
	}
	if len(parts) == 0 {
		return transcript.Pretty(b.Raw)
	}
	return strings.Join(parts, "\n")
}

// viewBlock names a block, puts what it is about on the line, and draws its text.
func viewBlock(icon, what string, at level) func(event) (attached, error) {
	return func(e event) (attached, error) {
		var f blockFields
		if err := e.decode(&f); err != nil {
			return attached{}, err
		}
		v := attached{line: line{Icon: icon, Text: also(what, oneLine(f.about(), 160)), Level: at, Look: "note"}}
		texts := nonEmpty(string(f.Description), e.Block.Text, string(f.Resource.Text))
		for _, inner := range e.Block.Content {
			texts = append(texts, nonEmpty(inner.Text)...)
		}
		v.Prose = e.d.markdown(strings.Join(texts, "\n\n"), e.Anchor)
		for _, mime := range nonEmpty(string(f.MimeType), string(f.Resource.MimeType)) {
			v.Facts = append(v.Facts, facts(oneLine(mime, 40))...)
		}
		v.Pictures = e.d.limitPictures(e.d.pictures(e.Block.Content))
		return v, nil
	}
}

// viewFallback draws the place where another model went on with an answer.
func viewFallback(e event) (attached, error) {
	var in struct {
		From, To struct{ Model text }
	}
	var plain struct{ From, To text }
	if err := e.decode(&plain); err != nil {
		return attached{}, err
	}
	if e.decode(&in) == nil && in.From.Model+in.To.Model != "" { // a model each, in some versions
		plain.From, plain.To = in.From.Model, in.To.Model
	}
	words := "Another model goes on"
	if plain.To != "" {
		words += ": " + oneLine(strings.Join(nonEmpty(string(plain.From), string(plain.To)), " → "), 120)
	}
	return attached{line: line{Icon: "warn", Text: words, Level: atTools, Look: "note"}}, nil
}
