package copilot

import (
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
)

// shells are the tools that run commands or continue them.
var shells = map[string]bool{
	"bash": true, "powershell": true, "shell": true, "read_bash": true, "read_powershell": true, "write_bash": true,
	"write_powershell": true, "stop_bash": true, "stop_powershell": true,
}

// An outcome is what is known of the end of a call.
type outcome struct {
	exit    string // exit code of a command, "" if the log does not say
	session string // id of a command that keeps running
	seconds float64
	failed  bool
	denied  string
	hunks   jsontext.Value // of a diff
}

// shell removes and reads the last line of the output of a command, which tells how the command ended.
func (o *outcome) shell(text string) string {
	trimmed := strings.TrimRight(text, "\r\n ")
	at := strings.LastIndexByte(trimmed, '\n') + 1
	last := trimmed[at:]
	inner, ok := strings.CutPrefix(last, "<")
	if !ok || !strings.HasSuffix(inner, ">") {
		return text
	}
	inner = strings.TrimSuffix(inner, ">")
	_, code, isEnd := strings.Cut(inner, " with exit code ") // <exited …>, later <shellId: 4 completed …>
	if isEnd {
		code, _, _ = strings.Cut(code, " ")
		if o.exited(strings.TrimRight(code, ".")) {
			return strings.TrimRight(trimmed[:at], "\r\n")
		}
	}
	rest, ok := strings.CutPrefix(inner, "command with shellId: ")
	if ok && strings.Contains(rest, " is still running") {
		o.session, _, _ = strings.Cut(rest, " ")
		return strings.TrimRight(trimmed[:at], "\r\n")
	}
	return text
}

// exited notes the exit code of a command, and reports whether it is one.
func (o *outcome) exited(code string) bool {
	n, err := strconv.Atoi(code)
	if err != nil {
		return false
	}
	o.exit = strconv.Itoa(n)
	o.failed = o.failed || n != 0
	return true
}

// hunks returns the hunks of a diff in the form that edits have.
func hunks(diff string) jsontext.Value {
	all := []byte{'['}
	open, lines := false, 0
	end := func() {
		if open {
			all = append(all, "]}"...)
		}
		open = false
	}
	for line := range strings.Lines(diff) {
		line = strings.TrimRight(line, "\r\n")
		if was, is, ok := hunkStart(line); ok {
			end()
			if len(all) > 1 {
				all = append(all, ',')
			}
			all = append(all, `{"oldStart":`+strconv.Itoa(was)+`,"newStart":`+strconv.Itoa(is)+`,"lines":[`...)
			open, lines = true, 0
			continue
		}
		if !open {
			continue
		}
		if strings.HasPrefix(line, "diff --git ") {
			end()
			continue
		}
		if line == "" || !strings.Contains(" +-", line[:1]) { // the end of the diff, or "\ No newline at end of file"
			continue
		}
		if lines > 0 {
			all = append(all, ',')
		}
		lines++
		all = append(all, sources.Quote(line)...)
	}
	end()
	if len(all) == 1 {
		return nil
	}
	return append(all, ']')
}

// hunkStart reads "@@ -3,7 +3,8 @@".
func hunkStart(line string) (was, is int, ok bool) {
	rest, ok := strings.CutPrefix(line, "@@ -")
	if !ok {
		return 0, 0, false
	}
	before, after, ok := strings.Cut(rest, " +")
	if !ok {
		return 0, 0, false
	}
	before, _, _ = strings.Cut(before, ",")
	after, _, _ = strings.Cut(after, " ")
	after, _, _ = strings.Cut(after, ",")
	was, err := strconv.Atoi(before)
	is, err2 := strconv.Atoi(after)
	return was, is, err == nil && err2 == nil && was >= 0 && is >= 0
}

// encode returns the structured result that package tools reads, or nil if there is none.
func (o outcome) encode(c *call) jsontext.Value {
	kind := ""
	if c.tool == "create" && !o.failed {
		kind = "create"
	}
	var v jsontext.Value
	switch {
	case c.tool == "create", c.tool == "edit":
		v = sources.Make("type", kind, "structuredPatch", o.hunks)
	case shells[c.tool]:
		v = sources.Make("exitCode", o.exit, "seconds", o.seconds, "session", o.session)
	}
	if len(v) == len("{}") {
		return nil
	}
	return v
}
