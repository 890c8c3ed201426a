package gemini

import (
	"iter"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// parts yields the parts of content: a text, a part, or a list of both.
func parts(v jsontext.Value) iter.Seq[jsontext.Value] {
	return func(yield func(jsontext.Value) bool) {
		switch transcript.Kind(v) {
		case '[':
			for e := range transcript.Elements(v) {
				if !yield(e) {
					return
				}
			}
		case '"', '{':
			yield(v)
		}
	}
}

// textOf returns all text of content.
func textOf(v jsontext.Value) string {
	var all strings.Builder
	for part := range parts(v) {
		if transcript.Kind(part) == '"' {
			all.WriteString(transcript.String(part))
		} else {
			all.WriteString(transcript.String(transcript.Field(part, "text")))
		}
	}
	return all.String()
}

// part returns a part as a block; false for a call or a result.
func part(v, raw jsontext.Value) (transcript.Block, bool) {
	if transcript.Kind(v) != '{' {
		return transcript.Block{Type: "text", Raw: raw, Text: transcript.TextOf(v)}, true
	}
	if s := transcript.Field(v, "text"); s != nil {
		return transcript.Block{Type: "text", Raw: raw, Text: transcript.String(s)}, true
	}
	if b, ok := medium(v); ok {
		return b, true
	}
	if transcript.Field(v, "functionResponse") != nil || transcript.Field(v, "functionCall") != nil {
		return transcript.Block{}, false
	}
	return transcript.Block{Type: partType(v), Raw: v}, true
}

// partType returns the name of a part of an unknown kind: that of its first member.
func partType(v jsontext.Value) string {
	for name := range transcript.Members(v) {
		return name
	}
	return "part"
}

// medium returns a part that holds or names an image or a document.
func medium(v jsontext.Value) (transcript.Block, bool) {
	if inner := transcript.Field(v, "inlineData"); transcript.Kind(inner) == '{' {
		kind := transcript.String(transcript.Field(inner, "mimeType"))
		source := transcript.Source{Kind: "base64", MediaType: kind, Data: transcript.Field(inner, "data")}
		return transcript.Block{Type: mediumType(kind), Raw: v, Source: source}, true
	}
	if inner := transcript.Field(v, "fileData"); transcript.Kind(inner) == '{' {
		kind := transcript.String(transcript.Field(inner, "mimeType"))
		source := transcript.Source{Kind: "url", MediaType: kind}
		source.URL = transcript.String(transcript.Field(inner, "fileUri"))
		return transcript.Block{Type: mediumType(kind), Raw: v, Source: source}, true
	}
	return transcript.Block{}, false
}

func mediumType(kind string) string {
	if strings.HasPrefix(kind, "image/") {
		return "image"
	}
	return "document"
}

// usage reads the tokens of a request. Its input includes cached tokens.
func usage(v jsontext.Value) (transcript.Usage, bool) {
	if transcript.Kind(v) != '{' {
		return transcript.Usage{}, false
	}
	n := func(name string) int64 { return sources.Number(transcript.Field(v, name)) }
	cached := min(n("cached"), n("input"))
	return transcript.Usage{
		Input: n("input") - cached + n("tool"), CacheRead: cached, Output: n("output") + n("thoughts"),
	}, true
}
