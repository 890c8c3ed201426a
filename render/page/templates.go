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

// parsed has every template under its path without extension: "tool/bash". It panics if one cannot be parsed.
var parsed = sync.OnceValue(func() *template.Template {
	root := template.New("")
	err := fs.WalkDir(templates.FS, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := fs.ReadFile(templates.FS, path)
		if err != nil {
			return err
		}
		_, err = root.New(strings.TrimSuffix(path, ".tmpl")).Parse(strings.TrimSpace(string(text)))
		return err
	})
	return template.Must(root, err)
})

// Templates returns all templates, for tests that compare views with them.
func Templates() *template.Template { return parsed() }

// programs are the templates, ready to be executed.
var programs = sync.OnceValue(func() *program.Set { return program.New(parsed()) })

// Prepare compiles the templates of pages before the first is drawn, which takes some milliseconds and can run in
// parallel.
func Prepare(pages ...string) {
	for _, name := range pages {
		programs().Prepare(name)
	}
}

// Execute draws a template. It panics on errors: a test checks views against their templates, so an error is a bug.
func Execute(name string, view any) template.HTML {
	html, err := programs().Execute(name, view)
	if err != nil {
		panic("page: " + err.Error())
	}
	return html
}

// Draw is Execute for a whole page, with invisible characters made visible. It is written into the memory of page.
func Draw(page []byte, name string, view any) []byte {
	html, err := programs().Append(page[:0], name, view)
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
