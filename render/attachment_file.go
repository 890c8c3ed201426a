package render

import (
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/tools"
	"viewer/internal/transcript"
)

// Files and folders that were put into the context: mentioned with @, open in
// the editor, kept over a compaction.
var (
	_ = register(attachments, "file", "attached", viewFile("file", "attached"))
	_ = register(attachments, "pdf_reference", "attached", viewFile("file", "attached by name"))
	_ = register(attachments, "edited_image_file", "attached", viewFile("file", "changed"))
	_ = register(attachments, "selected_lines_in_diff", "attached", viewFile("select", "selected in a diff"))
	_ = register(attachments, "already_read_file", "attached", viewFile("file", "had been read already"))
	_ = register(attachments, "compact_file_reference", "attached",
		viewFile("file", "kept by name after the compaction"))
	_ = register(attachments, "directory", "attached", viewFile("folder", "attached"))
	_ = register(attachments, "opened_file_in_ide", "attached", viewFile("file", "open in the editor"))
	_ = register(attachments, "selected_lines_in_ide", "attached", viewFile("select", "selected in the editor"))
	_ = register(attachments, "plan_file_reference", "attached", viewFile("plan", "kept after the compaction"))
	_ = register(attachments, "nested_memory", "attached", viewFile("memory", "loaded as memory"))
	_ = register(attachments, "memory", "attached", viewFile("memory", "loaded as memory"))
)

func viewFile(icon, what string) func(event) (attached, error) {
	return func(e event) (attached, error) {
		var in struct {
			Filename, Path, DisplayPath, PlanFilePath, PlanContent text
			Content                                                jsontext.Value
			LineStart, LineEnd                                     number
		}
		if err := e.decode(&in); err != nil {
			return attached{}, err
		}
		v := attached{line: quiet(icon, what)}
		for _, p := range []text{in.DisplayPath, in.Filename, in.Path, in.PlanFilePath} {
			if v.Name == "" {
				v.Name = oneLine(e.d.path(string(p)), 120)
			}
		}
		if in.LineEnd > 0 {
			v.Name += ":" + count(int(in.LineStart)) + "–" + count(int(in.LineEnd))
		}
		if in.PlanContent != "" {
			v.Prose = e.markdown(string(in.PlanContent))
		}
		switch data := transcript.String(transcript.Field(transcript.Field(in.Content, "file"), "base64")); {
		case data != "":
			v.Pictures = []picture{e.d.picture(tools.Base64(data), "file "+v.Name)}
		case icon == "folder":
			v.Blocks = append(v.Blocks, e.d.plain(strings.Join(texts(in.Content), "\n")))
		default:
			v.Blocks = append(v.Blocks, e.d.fileContent(in.Content, string(in.Filename+in.Path), int(in.LineStart)))
		}
		v.Rows = e.rest("filename", "path", "displayPath", "planFilePath", "planContent", "content", "lineStart",
			"lineEnd", "ideName")
		return v, nil
	}
}

// fileContent draws the content of a file attachment: a text, an object like the result of a read, or {content}.
func (p *pageState) fileContent(v jsontext.Value, name string, first int) *output {
	for range 3 {
		switch transcript.Kind(v) {
		case '"':
			return p.numbered(transcript.String(v), name, max(1, first))
		case '{':
			inner := transcript.Or(transcript.Field(v, "file"), transcript.Field(v, "content"))
			if inner == nil {
				return p.code(transcript.Pretty(v), "json")
			}
			v = inner
		case 'n', 0:
			return nil
		default:
			return p.code(transcript.Pretty(v), "json")
		}
	}
	return p.code(transcript.Pretty(v), "json")
}
