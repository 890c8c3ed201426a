package codex

import (
	"cmp"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// shellTool is the name given to the tool behind commands that only events report.
const shellTool = "exec_command"

// scriptTool is the tool of code mode: it runs a script that calls other tools.
const scriptTool = "exec"

// An outcome is what is known of the end of a call.
type outcome struct {
	text    string // output for the reader
	blocks  []transcript.Block
	exit    string // exit code of a command, "" if the log does not say
	seconds float64
	session string // id of a command that keeps running
	cell    string // id of a script that keeps running
	tokens  int64  // length of the whole output, where it was cut
	failed  bool
	denied  string // see transcript.Rare.ToolDenialKind

	changes    jsontext.Value // changes of files, as the event reports them
	structured jsontext.Value // if set, replaces all of that
}

// encode returns the structured result that package tools reads, or nil if there is none.
func (o outcome) encode() jsontext.Value {
	if o.structured != nil {
		return o.structured
	}
	v := sources.Make("exitCode", o.exit, "seconds", o.seconds, "session", o.session, "cell", o.cell,
		"originalTokens", o.tokens, "changes", o.changes)
	if len(v) == len("{}") {
		return nil
	}
	return v
}

// with adds what an event reported.
func (o outcome) with(end outcome) outcome {
	if end.exit != "" {
		o.exit, o.session = end.exit, ""
	}
	if end.seconds > 0 {
		o.seconds = end.seconds
	}
	if end.denied != "" {
		o.denied = end.denied
	}
	if end.changes != nil {
		o.changes = end.changes
	}
	if end.structured != nil {
		o.structured = end.structured
	}
	o.failed = o.failed || end.failed
	return o
}

// failures are the beginnings of results that report a failure, and what kind of denial it was, if any.
var failures = []struct{ begin, denied string }{
	{"apply_patch verification failed", ""},
	{"exec_command failed for", ""},
	{"failed in sandbox", ""},
	{"failed to parse function arguments", ""},
	{"unsupported call: ", ""},
	{"tool call error: ", ""},
	{"execution error: ", ""},
	{"write_stdin failed: ", ""},
	{"collab spawn failed: ", ""},
	{"patch rejected by user", "user-rejected"},
	{"exec command rejected by user", "user-rejected"},
	{"rejected by user", "user-rejected"},
	{"user rejected ", "user-rejected"},
	{"user cancelled MCP tool call", "user-rejected"},
	{"patch rejected: ", "permission-rule"},
	{"approval policy is ", "permission-rule"},
	{"approval required by policy", "permission-rule"},
	{"This action was rejected due to unacceptable risk", "permission-rule"},
	{"Command blocked by PreToolUse hook: ", "hook"},
	{"Tool call blocked by PreToolUse hook: ", "hook"},
	{"aborted by user", "interrupted"},
	{"aborted", "interrupted"},
}

// read parses the text of a result. Depending on the version, facts about the end come before the output, or all of it
// is JSON.
func read(text string) outcome {
	if strings.HasPrefix(text, `{"output":`) {
		if v := jsontext.Value(text); transcript.Valid(v) {
			return readJSON(v)
		}
	}
	if o, ok := readLines(text); ok {
		return o
	}
	o := outcome{text: text}
	for _, f := range failures {
		if !strings.HasPrefix(text, f.begin) || f.begin == "aborted" && text != f.begin {
			continue
		}
		o.failed, o.denied = true, cmp.Or(f.denied, rejection(text))
		// failed in sandbox MacosSeatbelt with execution error: sandbox denied exec error, exit code: 1, stdout: …
		if _, rest, ok := strings.Cut(text, " sandbox denied exec error, exit code: "); ok {
			code, _, _ := strings.Cut(rest, ",")
			o.setExit(code)
		}
		return o
	}
	// `rm -rf /` rejected: blocked by policy
	if strings.HasPrefix(text, "`") && strings.Contains(text, "` rejected: ") {
		o.failed, o.denied = true, "permission-rule"
	}
	return o
}

// rejection returns who rejected a command, given the text of its failure: exec_command failed for `rm a`:
// CreateProcess { message: "Rejected(\"rejected by user\")" }. It returns "" for any other failure.
func rejection(text string) string {
	switch {
	case strings.Contains(text, "rejected by user"):
		return "user-rejected"
	case strings.Contains(text, "Rejected("):
		return "permission-rule"
	}
	return ""
}

// decline notes that a call was declined. The text in place of its output tells whether somebody else than the user did
// that.
func (o *outcome) decline() {
	o.failed, o.denied = true, cmp.Or(read(o.text).denied, "user-rejected")
}

// fail notes that a call failed, and why.
func (o *outcome) fail(text string) {
	o.failed, o.text, o.denied = true, text, read(text).denied
}

// readJSON reads a result of versions before 0.14x: {"output":"…","metadata":{"exit_code":0,"duration_seconds":0.1}}.
func readJSON(v jsontext.Value) outcome {
	o := outcome{text: transcript.TextOf(transcript.Field(v, "output"))}
	meta := transcript.Field(v, "metadata")
	o.setExit(string(transcript.Field(meta, "exit_code")))
	o.seconds = transcript.Amount(transcript.Field(meta, "duration_seconds"))
	return o
}

func (o *outcome) setExit(code string) {
	if n, err := strconv.Atoi(code); err == nil {
		o.exit = code
		o.failed = o.failed || n != 0
	}
}

// isFailedReturn reports whether a text that a script printed is what a failed command returned to the script:
// {"exit_code":1,"output":"…"}, or the code of it alone: exit=1. The script itself completes all the same.
func isFailedReturn(b transcript.Block) bool {
	text := strings.TrimSpace(b.Text)
	var o outcome
	if code, ok := strings.CutPrefix(text, "exit="); ok {
		o.setExit(code)
		return o.failed
	}
	if !strings.HasPrefix(text, "{") || !strings.Contains(text, `"exit_code"`) {
		return false
	}
	v := jsontext.Value(text)
	if !transcript.Valid(v) || transcript.Kind(transcript.Field(v, "output")) != '"' {
		return false
	}
	o.setExit(string(transcript.Field(v, "exit_code")))
	return o.failed
}

// readLines reads the lines before an output, up to "Output:". ok is false when the text has none.
func readLines(text string) (o outcome, ok bool) {
	rest := text
	if strings.HasPrefix(rest, "Command: ") { // which may have several lines
		at := strings.Index(rest, "\nChunk ID: ")
		if at < 0 {
			return o, false
		}
		rest = rest[at+1:]
	}
	for n := range 8 {
		line, after, more := strings.Cut(rest, "\n")
		switch {
		case line == "Output:":
			o.text = after
			return o, n > 0
		case strings.HasPrefix(line, "Exit code: "):
			o.setExit(line[len("Exit code: "):])
		case strings.HasPrefix(line, "Process exited with code "):
			o.setExit(line[len("Process exited with code "):])
		case strings.HasPrefix(line, "Wall time"):
			words := strings.Fields(strings.TrimLeft(line[len("Wall time"):], ": "))
			if len(words) > 0 {
				o.seconds, _ = strconv.ParseFloat(words[0], 64)
			}
		case strings.HasPrefix(line, "Process running with session ID "):
			o.session = line[len("Process running with session ID "):]
		case strings.HasPrefix(line, "Script running with cell ID "):
			o.cell = line[len("Script running with cell ID "):]
		case strings.HasPrefix(line, "Script failed"), strings.HasPrefix(line, "Script terminated"):
			o.failed = true
		case strings.HasPrefix(line, "Original token count: "):
			o.tokens, _ = strconv.ParseInt(line[len("Original token count: "):], 10, 64)
		case strings.HasPrefix(line, "Chunk ID: "), strings.HasPrefix(line, "Total output lines: "),
			line == "Script completed":
		default:
			return outcome{}, false
		}
		if !more {
			return o, n > 0
		}
		rest = after
	}
	return outcome{}, false
}

// bytesWords formats a number of bytes.
func bytesWords(n int64) string {
	if n < 1000 {
		return strconv.FormatInt(n, 10) + " bytes"
	}
	return strconv.FormatFloat(float64(n)/1000, 'f', 1, 64) + " KB"
}
