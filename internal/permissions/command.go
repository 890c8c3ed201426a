package permissions

import (
	"bytes"
	"strings"

	"viewer/internal/changes"
	"viewer/internal/shell"
	"viewer/internal/tools"
	"viewer/internal/words"
	"viewer/normalize"
)

// A shellCall is a call of a shell, with the folder that its commands run in.
type shellCall struct {
	*collector
	group  *normalize.Group
	ran    bool
	folder string
	rights map[string]bool // elevated rights that the call has been listed with
}

// commandCall examines the commands of a call of a shell.
func (k *collector) commandCall(sh tools.Shell, folder string, ran bool) {
	s := shellCall{collector: k, group: sh.Start, ran: ran}
	mayMatter := k.mayMatter(sh.Start.Call.Block.Input)
	folder = k.folderOf(sh.Start, folder)
	for _, given := range sh.Commands {
		if s.folder = folder; given.Folder != "" {
			s.folder = changes.Clean(k.expand(given.Folder), folder)
		}
		if given.Unconfined {
			s.elevated("without sandbox", given.Text, given.Explanation)
		}
		if mayMatter || len(k.roots) > 0 && !k.isInside(s.folder) {
			s.command(given.Text, 0)
		}
	}
}

// signs are texts, one of which is in every input with a command that contacts a host, has elevated rights, creates a
// work tree or leads out of the project by a name. Slashes and characters such as ">" may be escaped.
var signs = [][]byte{
	[]byte("://"), []byte("@"), []byte("curl"), []byte("wget"), []byte("http "), []byte("https "), []byte("xh "),
	[]byte("ssh"), []byte("scp"), []byte("sftp"), []byte("rsync"),
	[]byte("sudo"), []byte("doas"), []byte("su "), []byte(`su"`), []byte("pkexec"), []byte("run0"), []byte("runas"),
	[]byte("--dangerously"), []byte("--yolo"), []byte("--privileged"), []byte("bypassPermissions"),
	[]byte("danger-full-access"), []byte("worktree add"),
	[]byte("../"), []byte(" .."), []byte("~"), []byte("HOME"), []byte(`:\\`), []byte(`\/`), []byte(`\u00`),
}

// mayMatter reports whether an input may contain a command that matters here. It does not decode the input, so it is
// fast. It returns false for most inputs.
func (k *collector) mayMatter(input []byte) bool {
	for _, s := range signs {
		if bytes.Contains(input, s) {
			return true
		}
	}
	for rest := input; ; {
		i := bytes.IndexByte(rest, '/')
		if i < 0 {
			return false
		}
		if (i == 0 || beginsPath(rest[:i])) && !k.isHarmless(rest[i:]) {
			return true
		}
		rest = rest[i+1:]
	}
}

// beginsPath reports whether a path may begin after a part of a JSON string.
func beginsPath(before []byte) bool {
	c := before[len(before)-1]
	if c == 'n' || c == 't' { // of an escape
		return len(before) > 1 && before[len(before)-2] == '\\'
	}
	return strings.IndexByte(" \"'=<>(:;|&`", c) >= 0
}

// isHarmless reports whether a text begins with a path in the project, or with the path of a device.
func (k *collector) isHarmless(text []byte) bool {
	for _, root := range k.roots {
		if rest, ok := bytes.CutPrefix(text, []byte(root)); ok && (len(rest) == 0 || !isPathByte(rest[0])) {
			return true
		}
	}
	return bytes.HasPrefix(text, []byte("/dev/")) && !bytes.HasPrefix(text, []byte("/dev/shm"))
}

func isPathByte(c byte) bool {
	return c == '.' || c == '-' || c == '_' || c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'z' || c >= 0x80
}

// maxNested limits how many shells may be nested: deeper commands are not examined.
const maxNested = 3

// command examines each simple command of a text.
func (s *shellCall) command(command string, depth int) {
	for _, written := range shell.Written(command) {
		s.redirections(written.Redirections)
		var program []string
		for layer := range shell.Layers(written.Words) {
			s.rightsOf(layer, &written)
			program = layer
		}
		if len(program) == 0 {
			continue
		}
		if inner, ok := innerCommand(program); ok {
			if depth < maxNested {
				s.command(inner, depth+1)
			}
			continue
		}
		if program[0] == "cd" || program[0] == "pushd" {
			if len(program) > 1 && !strings.HasPrefix(program[1], "-") && !strings.Contains(program[1], "$") {
				s.folder = changes.Clean(s.expand(program[1]), s.folder)
			}
			continue
		}
		s.worktree(program)
		if s.ran {
			s.operands(program)
			s.hostsOf(program)
		}
	}
}

var shells = words.Set("bash sh zsh dash ksh fish")

// innerCommand returns the commands that another shell runs, "make test" for bash -lc "make test".
func innerCommand(words []string) (string, bool) {
	if words[0] == "eval" && len(words) > 1 {
		return strings.Join(words[1:], " "), true
	}
	if !shells[words[0]] {
		return "", false
	}
	for i, w := range words[1:] {
		if !strings.HasPrefix(w, "-") {
			break
		}
		if !strings.HasPrefix(w, "--") && strings.HasSuffix(w, "c") && i+2 < len(words) {
			return words[i+2], true
		}
	}
	return "", false
}
