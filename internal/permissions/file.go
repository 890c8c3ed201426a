package permissions

import (
	"bytes"
	"path"
	"slices"
	"strings"

	"viewer/internal/changes"
	"viewer/internal/shell"
	"viewer/internal/tools"
	"viewer/internal/transcript"
	"viewer/internal/words"
	"viewer/normalize"
)

// A File is a file outside of the project that calls used, by tools for files or by commands that name it.
type File struct {
	Path                   string // absolute
	Temporary              bool   // in a folder for temporary files
	Reads, Writes, Deletes int    // calls
	At                     *normalize.Message
	last                   [touches]*normalize.Group
}

// A touch is a use of a file by a call.
type touch uint8

const (
	reads touch = iota
	writes
	deletes
	touches
)

// startIn sets the folder of the session. This folder is the project; if it is a work tree, so is the main work tree.
func (k *collector) startIn(folder string) {
	k.windows = transcript.IsWindows(folder)
	folder = changes.Clean(folder, "")
	if folder == "" {
		return
	}
	k.home = homeOf(folder)
	k.root(changes.MainTree(folder))
	k.root(folder)
}

func (k *collector) root(folder string) {
	if folder != "" && !k.isInside(folder) {
		k.roots = append(k.roots, folder)
	}
}

// homeOf returns the home folder that contains a folder, "" if the path has none.
func homeOf(folder string) string {
	parts := strings.SplitN(folder, "/", 4)
	switch {
	case len(parts) > 2 && (parts[1] == "home" || parts[1] == "Users"):
		return strings.Join(parts[:3], "/")
	case folder == "/root" || strings.HasPrefix(folder, "/root/"):
		return "/root"
	}
	return ""
}

// expand replaces "~" and "$HOME" with the home folder, or with "~" if it is unknown.
func (k *collector) expand(name string) string {
	for _, home := range []string{"$HOME", "${HOME}", "~"} {
		if rest, ok := strings.CutPrefix(name, home); ok && (rest == "" || rest[0] == '/') {
			if k.home != "" {
				return k.home + rest
			}
			return "~" + rest
		}
	}
	return name
}

// isInside reports whether a path, in the form of changes.Clean, belongs to the project.
func (k *collector) isInside(name string) bool {
	for _, root := range k.roots {
		rest, ok := transcript.CutFolder(name, root, k.windows)
		if ok && (rest == "" || rest[0] == '/' || root == "/" || isWorktrees(rest)) {
			return true
		}
	}
	return false
}

// isWorktrees reports whether the rest of a path, after the path of the project, makes it a folder next to the project
// for its work trees.
func isWorktrees(rest string) bool {
	name, _, _ := strings.Cut(rest, "/")
	return strings.TrimLeft(name, "._-") == "worktrees"
}

// folderOf returns the folder that a call runs in.
func (k *collector) folderOf(g *normalize.Group, folder string) string {
	if cwd := g.Call.Record.CWD; cwd != "" {
		folder = cwd
	}
	if folder == "" && len(k.roots) > 0 {
		return k.roots[0]
	}
	return changes.Clean(folder, "")
}

// fileCall records the file that a tool for files uses.
func (k *collector) fileCall(g *normalize.Group, action tools.Action, folder string) {
	how := writes
	switch action {
	case tools.Read, tools.Search:
		how = reads
	case tools.Delete:
		how = deletes
	}
	input := g.Call.Block.Input
	if name := tools.PathOf(g.Call.Name, input); name != "" {
		k.file(g, name, k.folderOf(g, folder), how)
		return
	}
	if how == reads || !bytes.Contains(input, []byte("File: /")) && !bytes.Contains(input, []byte("File: ~")) &&
		!bytes.Contains(input, []byte("File: ..")) {
		return
	}
	for _, ch := range tools.Describe(g, tools.Context{}).Changes { // a patch
		k.file(g, ch.Path, k.folderOf(g, folder), writes)
	}
}

// file records a file that a call used, unless it belongs to the project.
func (k *collector) file(g *normalize.Group, name, folder string, how touch) {
	if len(k.roots) == 0 || name == "" || strings.ContainsAny(name, "\n\x00") {
		return
	}
	name = changes.Clean(k.expand(name), folder)
	if !isWhole(name) || isDevice(name) || k.isInside(name) {
		return
	}
	i, known := k.files[name]
	if !known {
		i = len(k.Files)
		k.files[name] = i
		k.Files = append(k.Files, File{Path: strings.Clone(name), Temporary: isTemporary(name), At: g.Head()})
	}
	f := &k.Files[i]
	if f.last[how] == g {
		return
	}
	f.last[how] = g
	switch how {
	case reads:
		f.Reads++
	case writes:
		f.Writes++
	case deletes:
		f.Deletes++
	}
}

// isWhole reports whether a path is not relative to the folder of the call.
func isWhole(name string) bool {
	return transcript.IsAbsolute(name) || strings.HasPrefix(name, "../")
}

// isDevice reports whether a path is not that of a regular file.
func isDevice(name string) bool {
	return strings.HasPrefix(name, "/dev/") && !strings.HasPrefix(name, "/dev/shm")
}

var temporary = []string{
	"/tmp", "/private/tmp", "/var/tmp", "/var/folders", "/private/var/folders", "/dev/shm", "~/AppData/Local/Temp",
}

func isTemporary(name string) bool {
	for _, folder := range temporary {
		if rest, ok := strings.CutPrefix(name, folder); ok && (rest == "" || rest[0] == '/') {
			return true
		}
	}
	return strings.Contains(name, "/AppData/Local/Temp/")
}

// Programs by what they do to the files in their arguments.
var (
	readers = words.Set(`cat head tail less more bat wc ls tree stat file diff cmp xxd od hexdump strings nl sort uniq cut
		source . md5sum sha1sum sha256sum base64 du readlink realpath open`)
	searchers    = words.Set("grep egrep fgrep rg ag ack sed awk gawk jq yq perl") // their first argument is not a file
	writers      = words.Set("touch mkdir tee chmod chown chgrp truncate")
	deleters     = words.Set("rm rmdir unlink shred")
	copiers      = words.Set("cp mv ln install rsync scp")
	interpreters = words.Set("python python3 node deno bun ruby php bash sh zsh")
)

// operands records the files that a simple command names. The program must be in one of the lists above.
func (s *shellCall) operands(program []string) {
	name := program[0]
	rest := make([]string, 0, len(program)-1)
	hasText := false // an option has the text that is otherwise the first argument
	for i, w := range program[1:] {
		if strings.HasPrefix(w, "-") {
			if hasText = hasText || w == "-e" || w == "-f" || w == "-c" || w == "-m"; name == "find" && i > 0 {
				break
			}
			continue
		}
		rest = append(rest, w)
	}
	switch {
	case name == "find":
		s.touched(rest, reads)
	case name == "git":
		s.gitFolder(program[1:])
	case bareHosts[name]:
		s.download(program)
	case readers[name]:
		s.touched(rest, reads)
	case searchers[name]:
		if len(rest) > 0 && !hasText {
			rest = rest[1:]
		}
		how := reads
		if name == "sed" && hasOption(program, 'i') {
			how = writes
		}
		s.touched(rest, how)
	case writers[name]:
		s.touched(rest, writes)
	case deleters[name]:
		s.touched(rest, deletes)
	case copiers[name] && len(rest) > 1:
		from := reads
		if name == "mv" {
			from = deletes
		}
		s.touched(rest[:len(rest)-1], from)
		s.touched(rest[len(rest)-1:], writes)
	case interpreters[name] && len(rest) > 0 && !hasText:
		s.touched(rest[:1], reads)
	}
}

// download records the file that curl and similar programs write.
func (s *shellCall) download(program []string) {
	for i, w := range program[:len(program)-1] {
		if w == "-o" || w == "--output" || program[0] == "wget" && (w == "-O" || w == "--output-document") {
			s.touched(program[i+1:i+2], writes)
		}
	}
}

func hasOption(program []string, letter byte) bool {
	return slices.ContainsFunc(program[1:], func(w string) bool {
		return len(w) > 1 && w[0] == '-' && w[1] != '-' && strings.IndexByte(w, letter) > 0
	})
}

// touched records the words that are paths of files. Relative paths only count if they lead out of the folder, or if
// the folder is outside of the project.
func (s *shellCall) touched(words []string, how touch) {
	for _, w := range words {
		if w == "-" || isAddress(w) || strings.ContainsAny(w, "`(){},;|\\") && !strings.Contains(w, `:\`) ||
			strings.Contains(w, "$") && !strings.HasPrefix(w, "$HOME/") && !strings.HasPrefix(w, "${HOME}/") ||
			strings.Contains(w, "@") && strings.Contains(w, ":") {
			continue
		}
		s.file(s.group, w, s.folder, how)
	}
}

// redirections records the files that the input and output of a simple command are redirected to.
func (s *shellCall) redirections(all []shell.Redirection) {
	if !s.ran {
		return
	}
	for _, d := range all {
		switch {
		case d.Writes():
			s.touched([]string{d.To}, writes)
		case d.Reads():
			s.touched([]string{d.To}, reads)
		}
	}
}

// gitWrites are commands of git that change a repository.
var gitWrites = words.Set(`add am apply branch checkout cherry-pick clean clone commit fetch init merge mv pull push rebase
	reset restore revert rm stash switch tag worktree`)

// gitFolder records another repository that git runs in, and the folder of a clone.
func (s *shellCall) gitFolder(args []string) {
	if rest := operandsOf(args, gitValues); len(rest) == 3 && rest[0] == "clone" {
		s.touched(rest[2:], writes)
	}
	for i := 0; i+2 < len(args); i += 2 {
		if args[i] != "-C" {
			break
		}
		how := reads
		if gitWrites[args[i+2]] {
			how = writes
		}
		s.touched(args[i+1:i+2], how)
	}
}

// worktree adds a work tree that the session creates to the project.
func (s *shellCall) worktree(program []string) {
	rest := operandsOf(program, words.Set("-C -c -b -B --reason"))
	if len(rest) < 4 || rest[0] != "git" || rest[1] != "worktree" || rest[2] != "add" || !s.ran {
		return
	}
	if name := changes.Clean(s.expand(rest[3]), s.folder); isWhole(name) && path.Dir(name) != name {
		s.root(name)
	}
}
