package render

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/transcript"
)

var _ = register(tools, "Read", "read", viewRead)

type read struct {
	row
	Source   *output
	Pictures []picture
	Note     string
}

type readInput struct {
	FilePath      text
	Offset, Limit number
	Pages         text
	extra
}

type readResult struct {
	Type text
	File struct {
		FilePath, Content, Base64, Type text
		NumLines, StartLine, TotalLines number
		Cells                           jsontext.Value
		Dimensions                      struct{ OriginalWidth, OriginalHeight number }
	}
}

func viewRead(c call) (read, error) {
	var in readInput
	if err := c.input(&in); err != nil {
		return read{}, err
	}
	v := read{row: row{Icon: "file", Path: c.d.path(string(in.FilePath)), More: c.d.fields(in.Rest), Shows: shows{Media: true}}}
	switch {
	case in.Offset > 0 && in.Limit > 0:
		v.Target += " · lines " + count(int(in.Offset)) + "–" + count(int(in.Offset+in.Limit)-1)
	case in.Offset > 0:
		v.Target += " · from line " + count(int(in.Offset))
	case in.Limit > 0:
		v.Target += " · first " + count(int(in.Limit)) + " lines"
	case in.Pages != "":
		v.Target += " · pages " + string(in.Pages)
	}
	if c.Result == nil || c.failed() {
		return v, nil
	}
	var res readResult
	known := c.result(&res)
	v.Pictures = c.d.limitPictures(c.d.pictures(c.Result.Block.Content))
	name := v.Path[strings.LastIndexAny(v.Path, `/\`)+1:]
	switch {
	case known && res.Type == "file_unchanged":
		v.Facts = facts("unchanged")
		v.Note = "The file had not changed since it was read before, so it was not sent again."
	case known && res.Type == "pdf" && res.File.Base64 != "":
		v.Pictures = append(v.Pictures, c.d.picture(base64Source(string(res.File.Base64)), "document"))
		v.Facts = facts("PDF")
	case known && res.Type == "image" && len(v.Pictures) == 0 && res.File.Base64 != "":
		v.Pictures = append(v.Pictures, c.d.picture(base64Source(string(res.File.Base64)), "image"))
		v.Facts = facts("image")
	case len(v.Pictures) > 0:
		v.Facts = facts("image")
	case known && res.Type == "text" && res.File.Content != "":
		first := max(1, int(res.File.StartLine))
		v.Source = c.d.numbered(string(res.File.Content), string(in.FilePath), first)
		v.Facts = facts(lineCount(v.Source, int(res.File.TotalLines)))
	case known && res.Type == "notebook":
		v.Source = c.d.code(transcript.Pretty(res.File.Cells), "json")
		v.Facts = facts("notebook")
	default:
		first, code := numberedLines(c.text())
		if first > 0 {
			v.Source = c.d.numbered(code, string(in.FilePath), first)
			v.Facts = facts(lineCount(v.Source, 0))
		} else {
			v.Source = c.d.plain(code)
			v.Facts = facts(lineCount(v.Source, 0))
		}
	}
	for i := range v.Pictures {
		v.Pictures[i].Alt = oneLine(v.Pictures[i].Alt+" "+name, 120)
	}
	return v, nil
}

// lineCount says how many lines there are, and of how many when that is more.
func lineCount(o *output, total int) string {
	if o == nil {
		return "empty"
	}
	if total > o.Lines+1 {
		return count(o.Lines) + " of " + plural(total, "line", "lines")
	}
	return plural(o.Lines, "line", "lines")
}

// base64Source makes a source of data that stands outside of a block.
func base64Source(data string) transcript.Source {
	quoted, _ := jsontext.AppendQuote(nil, data)
	return transcript.Source{Kind: "base64", Data: quoted}
}
