package changes

import (
	"bytes"
	"fmt"
	"path"
	"slices"
	"strings"

	"viewer/internal/transcript"
)

// Below returns a path relative to a folder, and whether it is below that folder.
func Below(name, folder string) (string, bool) {
	windows := transcript.IsWindows(folder)
	folder = Clean(folder, "")
	if folder == "" {
		return name, !transcript.IsAbsolute(name) && !strings.HasPrefix(name, "../") && name != ".."
	}
	rest, ok := transcript.CutFolder(name, strings.TrimSuffix(folder, "/")+"/", windows)
	return rest, ok && rest != ""
}

// ofGit reports whether a path belongs to git itself. No patch may change it.
func ofGit(name string) bool {
	return slices.ContainsFunc(strings.Split(name, "/"), func(part string) bool {
		return strings.EqualFold(part,
			".git")
	})
}

// Matches reports whether a pattern matches a path: the whole path, its last element, or a folder that contains it.
func Matches(pattern, name string) bool {
	whole, err := path.Match(pattern, name)
	last, _ := path.Match(pattern, path.Base(name))
	return err == nil && (whole || last) || strings.HasPrefix(name, strings.TrimSuffix(pattern, "/")+"/")
}

// A Patch is the net change of files in the format of git apply.
type Patch struct {
	bytes.Buffer
	Outside  []string // files outside of the folder or of git itself, which no patch may change
	Unplaced []string // files with a change whose place in the file is unknown
	Binary   []string
	Large    []string // too large to be replayed
}

// Add adds the change of a file. folder is where the patch will be applied.
func (p *Patch) Add(f *File, folder string) {
	to, inside := Below(f.Path, folder)
	from := to
	if f.From != "" {
		var ok bool
		from, ok = Below(f.From, folder)
		inside = inside && ok
	}
	switch {
	case !inside || ofGit(from) || ofGit(to):
		p.Outside = append(p.Outside, f.Path)
		return
	case f.Binary:
		p.Binary = append(p.Binary, f.Path)
		return
	case f.Large:
		p.Large = append(p.Large, f.Path)
		return
	}
	p.alone(f, from, true)
	if from != to || len(f.Net.Hunks) > 0 || f.Begin != f.End && f.Begin != Unclear && f.End != Unclear {
		p.head(f, from, to)
		p.hunks(f, f.Net.Hunks)
	}
	p.alone(f, to, false)
}

// head writes the lines above the hunks.
func (p *Patch) head(f *File, from, to string) {
	made, gone := f.Begin == Absent && f.End != Absent, f.End == Absent && f.Begin != Absent
	if made {
		from = to
	}
	fmt.Fprintf(p, "diff --git %s %s\n", quote("a/"+from), quote("b/"+to))
	switch {
	case made:
		p.WriteString("new file mode 100644\n")
	case gone:
		p.WriteString("deleted file mode 100644\n")
	case from != to:
		fmt.Fprintf(p, "rename from %s\nrename to %s\n", quote(from), quote(to))
	}
	if len(f.Net.Hunks) == 0 {
		return
	}
	p.names(from, to, made, gone)
}

func (p *Patch) names(from, to string, made, gone bool) {
	old, new := ended(quote("a/"+from)), ended(quote("b/"+to))
	if made {
		old = "/dev/null"
	}
	if gone {
		new = "/dev/null"
	}
	fmt.Fprintf(p, "--- %s\n+++ %s\n", old, new)
}

// ended appends a tab to a name with blanks, as git does, so that a time after it is not read as part of the name.
func ended(name string) string {
	if strings.Contains(name, " ") && !strings.HasPrefix(name, `"`) {
		return name + "\t"
	}
	return name
}

// alone writes changes whose surroundings are unknown, each as a patch of its own.
func (p *Patch) alone(f *File, name string, early bool) {
	for i := range f.Alone {
		a := &f.Alone[i]
		if a.Early != early {
			continue
		}
		if len(a.Hunks) == 0 || a.Hunks[0].OldStart == 0 && a.Hunks[0].OldLines > 0 {
			p.Unplaced = append(p.Unplaced, f.Path)
			continue
		}
		fmt.Fprintf(p, "diff --git %s %s\n", quote("a/"+name), quote("b/"+name))
		p.names(name, name, false, false)
		p.hunks(f, a.Hunks)
	}
}

// hunks writes hunks with the line ends of the file.
func (p *Patch) hunks(f *File, hunks []Hunk) {
	end := "\n"
	if f.CRLF {
		end = "\r\n"
	}
	for i := range hunks {
		h := &hunks[i]
		fmt.Fprintf(p, "@@ -%s +%s @@\n", extent(h.OldStart, h.OldLines), extent(h.NewStart, h.NewLines))
		first := f.BOM && (h.OldStart <= 1 || h.NewStart <= 1)
		old, new := h.OldStart, h.NewStart
		for _, l := range h.Lines {
			p.WriteByte(l.Sign)
			if first && (l.Sign != '+' && old <= 1 || l.Sign != '-' && new <= 1) {
				p.WriteString(byteOrderMark)
			}
			p.WriteString(l.Text)
			if l.Sign != '+' {
				old++
			}
			if l.Sign != '-' {
				new++
			}
			if l.NoEnd {
				p.WriteString("\n\\ No newline at end of file\n")
			} else {
				p.WriteString(end)
			}
		}
	}
}

// extent returns the first line and the length of a hunk in the format of patches.
func extent(start, lines int) string {
	if lines == 1 {
		return fmt.Sprint(start)
	}
	return fmt.Sprintf("%d,%d", start, lines)
}

// quote quotes a name as git does, if it has characters with a meaning in patches or terminals.
func quote(name string) string {
	plain := true
	for i := 0; i < len(name); i++ {
		if c := name[i]; c < ' ' || c >= 0x7f || c == '"' || c == '\\' {
			plain = false
		}
	}
	if plain {
		return name
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(name); i++ {
		switch c := name[i]; {
		case c == '"' || c == '\\':
			b.WriteByte('\\')
			b.WriteByte(c)
		case c < ' ' || c >= 0x7f:
			fmt.Fprintf(&b, `\%03o`, c)
		default:
			b.WriteByte(c)
		}
	}
	b.WriteByte('"')
	return b.String()
}
