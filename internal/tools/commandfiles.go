package tools

import (
	"bytes"
	"path"
	"slices"
	"strconv"
	"strings"

	"viewer/internal/fields"
	"viewer/internal/shell"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// commandFiles returns what commands did to files, as far as their words tell: they wrote a here document to a file,
// removed, renamed or restored files, or printed one. Of commands that failed or may not have run, and of others, it
// returns the files that they may have changed.
func commandFiles(g *normalize.Group, tool *Tool) []FileOp {
	all, script := commandsOf(g)
	var ops []FileOp
	for _, given := range all {
		folder := given.Folder
		if folder == "" && g.Call.Record != nil {
			folder = g.Call.Record.CWD
		}
		simple := shell.Commands(given.Text)
		for i := range simple {
			c := newFileCommand(&simple[i], folder)
			var known []FileOp
			if g.State == normalize.Done && !c.Unsure {
				known = c.ops()
			}
			if known == nil {
				known = c.altered()
			}
			ops = append(ops, known...)
		}
		if mayBeBare(given.Text) {
			for _, s := range shell.Written(given.Text) {
				if len(s.Words) == 0 {
					s.Words = []string{""}
					ops = append(ops, newFileCommand(&s, folder).altered()...)
				}
			}
		}
		ops = append(ops, alteredByPowerShell(given.Text, folder)...)
		if g.State == normalize.Done && tool.PrintsAll && !script && len(all) == 1 && len(simple) == 1 {
			ops = append(ops, newFileCommand(&simple[0], folder).printed(g)...)
		}
	}
	return ops
}

// mayBeBare reports whether a command may have a redirection without a program, which empties a file.
func mayBeBare(command string) bool {
	for i := range len(command) {
		if command[i] != '>' {
			continue
		}
		before := strings.TrimRight(command[:i], " \t\r")
		if before == "" || strings.IndexByte(";&|(\n", before[len(before)-1]) >= 0 {
			return true
		}
	}
	return false
}

// A fileCommand is a simple command and the folder that it runs in, "" for that of the session.
type fileCommand struct {
	*shell.Simple
	start  string // the folder of the shell
	folder string
	lost   bool // the folder is unknown
}

// newFileCommand returns a simple command of a shell that starts in a folder.
func newFileCommand(s *shell.Simple, folder string) fileCommand {
	c := fileCommand{s, folder, folder, false}
	for _, name := range s.Folders {
		to, ok := c.path(name)
		c.folder, c.lost = to, !ok || name == "-"
	}
	return c
}

// ops returns what the command did to files, but for those that it read.
func (c fileCommand) ops() []FileOp {
	options, names := c.split(1)
	switch c.Words[0] {
	case "cat", "tee":
		return c.written(options, names)
	case "rm":
		return c.each(DeleteFile, names)
	case "mv":
		return c.renamed(options, names)
	case "git":
		return c.git()
	}
	return nil
}

// split returns the options and the other words from word n on.
func (c fileCommand) split(n int) (options, names []string) {
	for _, w := range c.Words[min(n, len(c.Words)):] {
		if strings.HasPrefix(w, "-") {
			options = append(options, w)
		} else {
			names = append(names, w)
		}
	}
	return options, names
}

func (c fileCommand) git() []FileOp {
	if len(c.Words) < 3 {
		return nil
	}
	options, names := c.split(2)
	switch c.Words[1] {
	case "rm":
		if !slices.Contains(options, "--cached") {
			return c.each(DeleteFile, names)
		}
	case "mv":
		return c.renamed(options, names)
	case "checkout", "restore": // with other options, or from another commit, the text is unknown
		if slices.Equal(options, []string{"--"}) || options == nil {
			switch {
			case len(names) > 0 && names[0] == "HEAD":
				names = names[1:]
			case slices.Index(c.Words, "--") > 2 || len(names) > 1 && isRevision(names[0]):
				return nil
			}
			return c.each(RestoreFile, names)
		}
	}
	return nil
}

// isRevision reports whether a name before others is most likely that of a commit.
func isRevision(name string) bool {
	return strings.ContainsAny(name, "~^@") || !strings.ContainsAny(name, "./")
}

// written returns the write of a here document: "cat > a.go <<'EOF'", "tee a.go <<'EOF'".
func (c fileCommand) written(options, names []string) []FileOp {
	file := c.Output
	if c.Words[0] == "tee" && len(names) == 1 {
		file, names = names[0], nil
	}
	to, ok := c.path(file)
	if c.Document == nil || !ok || len(options)+len(names) > 0 || to == "/dev/null" {
		return nil
	}
	text := *c.Document
	return oneFile(ChangeFile, to, func() FileTexts { return FileTexts{After: &text} })
}

// each returns an operation on each of some files and folders. If one of the names depends on something else, which
// files they are is unknown.
func (c fileCommand) each(kind FileKind, names []string) []FileOp {
	var ops []FileOp
	for _, name := range names {
		p, ok := c.path(name)
		if !ok {
			return nil
		}
		ops = append(ops, FileOp{Kind: kind, Path: p, IfKnown: true})
	}
	return ops
}

// renamed returns the renaming of files. Without a "/" at its end, and for one file, the last name may be a folder: it
// counts as a file if it has the extension of the other.
func (c fileCommand) renamed(options, names []string) []FileOp {
	n := len(names) - 1
	if n < 1 || slices.ContainsFunc(options, func(o string) bool { return strings.Contains(o, "t") }) {
		return nil
	}
	to, ok := c.path(names[n])
	if !ok {
		return nil
	}
	isFolder := n > 1 || strings.HasSuffix(names[n], "/") || names[n] == "."
	ops := c.each(RenameFile, names[:n])
	for i := range ops {
		switch from := ops[i].Path; {
		case isFolder:
			ops[i].To = to + "/" + path.Base(from)
		case path.Ext(from) != "" && path.Ext(from) == path.Ext(to):
			ops[i].To = to
		default:
			return nil
		}
	}
	return ops
}

// printed returns the read of a file that the command printed as a whole: models of Codex have no other tool to read
// files.
func (c fileCommand) printed(g *normalize.Group) []FileOp {
	options, names := c.split(1)
	limit := 0
	switch {
	case c.Output != "":
		return nil
	case c.Words[0] == "cat" && len(names) == 1 && options == nil:
	case c.Words[0] == "sed" && len(names) == 2 && slices.Equal(options, []string{"-n"}): // sed -n 1,200p a.go
		lines, first := strings.CutPrefix(names[0], "1,")
		lines, prints := strings.CutSuffix(lines, "p")
		limit, _ = strconv.Atoi(lines)
		if !first || !prints || limit < 1 {
			return nil
		}
		names = names[1:]
	default:
		return nil
	}
	file, ok := c.path(names[0])
	if !ok {
		return nil
	}
	return oneFile(ReadFile, file, func() FileTexts { return printedText(g, limit) })
}

// printedText returns what a command printed, unless it may be only a part of the file, because it has as many lines as
// the command prints at most.
func printedText(g *normalize.Group, limit int) FileTexts {
	var end ended
	if v := structuredOf(g); v != nil && fields.Decode(v, &end) != nil {
		return FileTexts{}
	}
	text := ContentText(g.Result.Block.Content)
	lines := strings.Count(strings.TrimSuffix(text, "\n"), "\n") + 1
	if end.Session != "" || end.ExitCode != "" && end.ExitCode != "0" || text == "" || limit > 0 && lines >= limit ||
		isCutOutput(text) {
		return FileTexts{}
	}
	return FileTexts{Before: &text}
}

// isCutOutput reports whether a program left out a part of an output, or added to it.
func isCutOutput(text string) bool {
	return strings.HasPrefix(text, "Total output lines: ") || strings.Contains(text, "runcated output") ||
		strings.Contains(text, " truncated…") || strings.Contains(text, "output truncated") ||
		strings.Contains(text, "output was truncated") || strings.Contains(text, "[... omitted ") ||
		strings.Contains(text, "Full output") || strings.Contains(text, "<exited with exit code ")
}

// path returns a path that is absolute, or relative to the folder of the session. ok is false if it depends on
// something else, such as a variable.
func (c fileCommand) path(name string) (p string, ok bool) {
	switch {
	case name == "" || strings.ContainsAny(name, "$`*?[]{}<>|&;()\n"):
		return "", false
	case transcript.IsAbsolute(name):
		return name, true
	case c.folder == "":
		return name, !c.lost
	}
	return strings.TrimSuffix(c.folder, "/") + "/" + name, !c.lost
}

// MayRunGit reports whether a call may have run a command of git.
func MayRunGit(g *normalize.Group, command string) bool {
	return g.Call != nil && bytes.Contains(g.Call.Block.Input, []byte(command)) &&
		bytes.Contains(g.Call.Block.Input, []byte("git "))
}
