package tools

import (
	"cmp"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/fields"
	"viewer/internal/markup"
	"viewer/internal/transcript"
	"viewer/internal/words"
)

var _ = register(Tool{Name: "Read", Icon: "file", Action: Read, Describe: describeRead, Files: readFiles})

type readResult struct {
	Type fields.Text
	File struct {
		FilePath, Content, Base64, Type fields.Text
		NumLines, StartLine, TotalLines fields.Number
		Cells                           jsontext.Value
		Dimensions                      struct{ OriginalWidth, OriginalHeight fields.Number }
	}
}

func describeRead(c *Call) error {
	var in struct {
		FilePath      fields.Text
		Path          fields.Text // of Cursor
		Offset, Limit fields.Number
		Pages         fields.Text
		fields.Extra
	}
	if err := c.input(&in); err != nil {
		return err
	}
	c.Path, c.Rest, c.Media = string(cmp.Or(in.FilePath, in.Path)), in.Rest, true
	if in.FilePath != "" && in.Path != "" {
		c.given(Section{Shape: Fields, List: []Field{{Name: "path", Value: string(in.Path)}}})
	}
	c.Part = partOf(int(in.Offset), int(in.Limit))
	if c.Part == "" && in.Pages != "" {
		c.Part = "pages " + string(in.Pages)
	}
	if !c.answered() {
		return nil
	}
	var res readResult
	known := c.result(&res)
	images := media(c.group.Result.Block.Content)
	data := string(res.File.Base64)
	switch {
	case known && res.Type == "file_unchanged":
		c.fact("unchanged")
		c.images(images)
		c.read(Section{
			Shape: Note, Text: "The file had not changed since it was read before, so it was not sent again.",
		})
		return nil
	case known && res.Type == "pdf" && data != "":
		images = append(images, Medium{Base64(data), "document"})
		c.fact("PDF")
	case known && res.Type == "image" && len(images) == 0 && data != "":
		images = append(images, Medium{Base64(data), "image"})
		c.fact("image")
	case len(images) > 0:
		c.fact("image")
	case known && res.Type == "text" && res.File.Content != "":
		c.source(string(res.File.Content), max(1, int(res.File.StartLine)), int(res.File.TotalLines))
	case known && res.Type == "notebook":
		c.fact("notebook")
		c.read(Section{Shape: Code, Text: transcript.Pretty(res.File.Cells), Lang: "json"})
	default:
		first, code := NumberedLines(c.text())
		c.source(code, first, 0)
	}
	c.images(images)
	return nil
}

// images adds the images of a file.
func (c *Call) images(all []Medium) {
	if len(all) > 0 {
		c.read(Section{Shape: Media, Media: all})
	}
}

// source adds text of a file from line first on, of total lines. first is 0 if the lines have no numbers, total if it
// is unknown.
func (c *Call) source(text string, first, total int) {
	s := Section{Shape: Text, Text: text}
	shown := trimmed(text)
	if first > 0 {
		s = Section{Shape: Code, Text: text, Lang: c.Path, First: first}
		shown = strings.TrimRight(text, " \t\r\n")
	}
	c.read(s)
	lines := markup.Lines(shown)
	switch {
	case shown == "":
		c.fact("empty")
	case total > lines+1:
		c.fact(words.Count(lines) + " of " + words.Plural(total, "line", "lines"))
	default:
		c.fact(words.Plural(lines, "line", "lines"))
	}
}

// Base64 returns a source with data from outside of a block.
func Base64(data string) transcript.Source {
	quoted, _ := jsontext.AppendQuote(nil, data)
	return transcript.Source{Kind: "base64", Data: quoted}
}

// partOf returns which lines of a file were requested, in words; "" for all. Lines count from 1; 0 means that the call
// does not say.
func partOf(first, limit int) string {
	switch {
	case first > 0 && limit > 0:
		return linesOf(first, first+limit-1)
	case first > 0:
		return linesOf(first, 0)
	case limit > 0:
		return "first " + words.Plural(limit, "line", "lines")
	}
	return ""
}

// linesOf returns a range of lines in words. If last is not positive, it ends with the file.
func linesOf(first, last int) string {
	if last > 0 {
		return "lines " + words.Count(first) + "–" + words.Count(last)
	}
	return "from line " + words.Count(first)
}
