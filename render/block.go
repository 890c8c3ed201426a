package render

import (
	"strings"

	"viewer/internal/tools"
	"viewer/internal/transcript"
	"viewer/internal/words"
	"viewer/render/page"
)

// Content blocks of a message other than text, thinking, calls, results and pictures. Some are also in results:
// blockText of package tools reads them.
var (
	_ = register(blocks, "fallback", "block", viewFallback)
	_ = register(blocks, transcript.EncryptedBlock, "block", viewEncrypted)
	_ = register(blocks, "container_upload", "block", viewBlock("file", "File for the container", atTools))
	_ = register(blocks, "search_result", "block", viewBlock("find", "Search result", atTools))
	_ = register(blocks, "resource", "block", viewBlock("plug", "Resource", atTools))
	_ = register(blocks, "resource_link", "block", viewBlock("plug", "Link to a resource", atTools))
	_ = register(blocks, "tool_reference", "block", viewBlock("find", "Tool found", atEverything))
	_ = register(blocks, "compaction", "block", viewBlock("compact", "Context compacted by the server", atTools))
)

// viewBlock draws a line with the name and the subject of a block, and its text below.
func viewBlock(icon, what string, at level) func(event) (attached, error) {
	return func(e event) (attached, error) {
		var f tools.BlockFields
		if err := e.decode(&f); err != nil {
			return attached{}, err
		}
		v := attached{line: line{Icon: icon, Text: also(what, oneLine(f.About(), 160)), Level: at, Look: "note"}}
		texts := words.NonEmpty(string(f.Description), e.Block.Text, string(f.Resource.Text))
		for _, inner := range e.Block.Content {
			texts = append(texts, words.NonEmpty(inner.Text)...)
		}
		v.Prose = e.d.markdown(strings.Join(texts, "\n\n"), e.Anchor)
		for _, mime := range words.NonEmpty(string(f.MimeType), string(f.Resource.MimeType)) {
			v.Facts = append(v.Facts, page.Facts(oneLine(mime, 40))...)
		}
		v.Pictures = e.d.limitPictures(e.d.pictures(e.Block.Content))
		return v, nil
	}
}

// viewEncrypted draws the size of a text that only the model can read.
func viewEncrypted(e event) (attached, error) {
	text := tools.EncryptedText(*e.Block)
	return attached{line: line{Icon: "key", Text: upperFirst(text), Level: atTools, Look: "note"}}, nil
}

// viewFallback draws the place where another model continued an answer.
func viewFallback(e event) (attached, error) {
	var in struct {
		From, To struct{ Model text }
	}
	var plain struct{ From, To text }
	if err := e.decode(&plain); err != nil {
		return attached{}, err
	}
	if e.decode(&in) == nil && in.From.Model+in.To.Model != "" { // in some versions each is a model
		plain.From, plain.To = in.From.Model, in.To.Model
	}
	text := "Another model goes on"
	if plain.To != "" {
		text += ": " + oneLine(strings.Join(words.NonEmpty(string(plain.From), string(plain.To)), " → "), 120)
	}
	return attached{line: line{Icon: "warn", Text: text, Level: atTools, Look: "note"}}, nil
}
