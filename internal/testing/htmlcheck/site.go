package htmlcheck

import (
	"bytes"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"strings"
	"testing"
)

// Policy is the content security policy of every page, byte for byte.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'"

// Options set what a sweep may expect of the pages.
type Options struct {
	// TranscriptText means that the pages show sessions of others, which may contain "{{" or "&lt;": the rules for
	// left-over template and format text, and for levels of headings, then apply only outside of texts of sessions.
	TranscriptText bool
	// AnyText means that sessions imitate such mistakes on purpose, even in names: left-over text is then allowed
	// everywhere.
	AnyText bool
	// ForeignMarkup adds the findings of the function ForeignMarkup, without parsing the pages again.
	ForeignMarkup bool
}

// Site fails the test for each finding in a site that was built from testdata.
func Site(t testing.TB, fsys fs.FS) {
	t.Helper()
	findings, err := Sweep(fsys, Options{})
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range findings {
		const most = 60
		if i == most {
			t.Errorf("and %d more", len(findings)-most)
			return
		}
		t.Error(f)
	}
}

// Sweep returns the findings in the pages of a site, one on each line, beginning with the name of the page. A site
// without pages is an error, because the sweep would pass for the wrong reason.
func Sweep(fsys fs.FS, o Options) ([]string, error) {
	s := sweep{options: o, files: map[string]bool{}, pages: map[string]*page{}}
	var names []string
	err := fs.WalkDir(fsys, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			return nil
		}
		// The state of a build has no pages, whatever its files are called.
		if s.files[name] = true; strings.HasPrefix(name, ".") {
			return nil
		}
		names = append(names, name)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("listing the site: %w", err)
	}

	for _, name := range names {
		s.findings = append(s.findings, nameFindings(name)...)
		switch path.Ext(name) {
		case ".html":
			data, err := fs.ReadFile(fsys, name)
			if err != nil {
				return nil, fmt.Errorf("reading the site: %w", err)
			}
			p, err := readPage(name, data, o)
			if err != nil {
				return nil, fmt.Errorf("parsing %s: %w", name, err)
			}
			s.pages[name] = p
		case ".css":
			data, err := fs.ReadFile(fsys, name)
			if err != nil {
				return nil, fmt.Errorf("reading the site: %w", err)
			}
			s.findings = append(s.findings, stylesheetFindings(name, data)...)
		}
	}
	if len(s.pages) == 0 {
		return nil, fmt.Errorf("the site has no .html file among %d files: build it before the sweep", len(s.files))
	}

	for _, name := range names {
		if p := s.pages[name]; p != nil {
			s.findings = append(s.findings, p.findings...)
			s.findings = append(s.findings, s.deadLinks(p)...)
		}
	}
	return s.findings, nil
}

type sweep struct {
	options  Options
	files    map[string]bool
	pages    map[string]*page
	findings []string
}

// deadLinks returns the links of p to files or ids that do not exist.
func (s *sweep) deadLinks(p *page) []string {
	var findings []string
	for _, l := range p.links {
		switch target := s.pages[l.file]; {
		case !s.files[l.file]:
			findings = append(findings, fmt.Sprintf("%s: %s: there is no file %s in the site", p.name, l.from, l.file))
		case l.fragment == "" || l.fragment == "top":
		case target == nil:
			findings = append(findings, fmt.Sprintf("%s: %s: %s is not a page, so it has no #%s", p.name, l.from,
				l.file, l.fragment))
		case strings.HasPrefix(l.fragment, searchFragment):
			if fault := s.searchFault(strings.TrimPrefix(l.fragment, searchFragment)); fault != "" {
				findings = append(findings, fmt.Sprintf("%s: %s: %s", p.name, l.from, fault))
			}
		case target.ids[l.fragment] == 0:
			findings = append(findings, fmt.Sprintf("%s: %s: nothing in %s has the id %s", p.name, l.from,
				l.file, l.fragment))
		}
	}
	return findings
}

// searchFragment is the prefix of fragments that open the search of the site, which needs scripts.
const searchFragment = "search="

// searchFault returns what is wrong with a link to a search, or "".
func (s *sweep) searchFault(query string) string {
	if strings.TrimSpace(query) == "" {
		return "searches for nothing"
	}
	for name := range s.files {
		if strings.HasPrefix(name, "search/") {
			return ""
		}
	}
	return "the site has no search index"
}

// nameFindings returns findings about a file name that uploads of CI artifacts or some file systems refuse.
func nameFindings(name string) []string {
	if strings.ContainsAny(name, "\\:\"<>|*?\r\n") {
		return []string{fmt.Sprintf("%s: the name has a character that artifact uploads and Windows refuse", name)}
	}
	return nil
}

var (
	cssComment = regexp.MustCompile(`(?s)/\*.*?\*/`)
	cssLoads   = regexp.MustCompile(`(?i)@import[^;]*|url\(\s*["']?\s*(?:[a-z][a-z0-9+.-]*:|//)[^)]{0,60}`)
)

// stylesheetFindings returns what a style sheet loads from outside, or with data:, which img-src forbids.
func stylesheetFindings(name string, css []byte) []string {
	var findings []string
	for _, hit := range cssLoads.FindAll(cssComment.ReplaceAll(css, nil), -1) {
		findings = append(findings, fmt.Sprintf("%s: %s: a stylesheet may load only files of the site", name,
			bytes.TrimSpace(hit)))
	}
	return findings
}
