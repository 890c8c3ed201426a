package page

import (
	"html/template"
	"io/fs"
	"strings"
	"sync"

	"viewer/internal/markup"
	"viewer/internal/program"
	"viewer/templates"
)

// Text returns the text of a template, whose name is its path without extension: "tool/bash". Spaces that do not break
// are visible in the file and take two bytes on pages.
func Text(name string) (string, bool) {
	text, err := templates.FS.ReadFile(name + ".tmpl")
	return strings.ReplaceAll(strings.TrimSpace(string(text)), "&nbsp;", "\u00a0"), err == nil
}

// Templates returns all templates, for tests that compare views with them. It panics if one cannot be parsed.
var Templates = sync.OnceValue(func() *template.Template {
	root := template.New("")
	return template.Must(root, fs.WalkDir(templates.FS, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name := strings.TrimSuffix(path, ".tmpl")
		text, _ := Text(name)
		_, err = root.New(name).Parse(text)
		return err
	}))
})

// programs are the templates, ready to be executed.
var programs = program.New(Text)

// Execute draws a template. It panics on errors: a test checks views against their templates, so an error is a bug.
func Execute(name string, view any) template.HTML {
	html, err := programs.Execute(name, view)
	if err != nil {
		panic("page: " + err.Error())
	}
	return html
}

// Draw is Execute for a whole page, with invisible characters made visible. It is written into the memory of page.
func Draw(page []byte, name string, view any) []byte {
	html, err := programs.Append(page[:0], name, view)
	if err != nil {
		panic("page: " + err.Error())
	}
	return markup.Reveal(html)
}

// DrawWhole is Draw for a page of a site: it has only the icons that it uses, and ends in a line end.
func DrawWhole(page []byte, name string, view any) []byte {
	return UsedIcons(append(Draw(page, name, view), '\n'))
}

// EscapedLen returns an upper bound of the length of a text in HTML.
func EscapedLen(s string) int {
	n := len(s)
	for i := range len(s) {
		switch s[i] {
		case '&', '<', '>', '"', '\'', '+', 0:
			n += 4
		}
	}
	return n
}
