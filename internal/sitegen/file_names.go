package sitegen

import (
	"path/filepath"
	"strings"

	"viewer/internal/sitegen/redaction"
)

// Names selects how session files are named in problems and output.
type Names int

const (
	Below    Names = iota // by path in the source, as on pages
	Absolute              // by absolute path, redacted: for what is published
	Exact                 // by absolute path, for the owner of the files
)

// nameOf returns the name of a file of a session. The redactor is that of the session.
func (o Options) nameOf(c *redaction.Redactor, f file) string { return o.Names.nameOf(c, f) }

func (n Names) nameOf(c *redaction.Redactor, f file) string {
	switch n {
	case Absolute:
		return c.Text(f.absolute())
	case Exact:
		return f.absolute()
	}
	return c.Text(f.path)
}

// absolute returns the absolute path of a file, "-" for standard input.
func (f file) absolute() string {
	s, p := f.source, f.path
	dir := s.ID
	if s.Only != "" {
		dir = filepath.Dir(s.ID)
		if strings.HasPrefix(filepath.Base(filepath.Dir(dir)), stdinFolder) {
			return "-"
		}
	}
	if s.Bucket != nil {
		return s.Folder() + "/" + p
	}
	return filepath.Join(dir, filepath.FromSlash(p))
}
