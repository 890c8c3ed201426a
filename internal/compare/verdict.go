package compare

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"maps"
	"path"
	"slices"
	"strconv"
	"strings"

	"viewer/internal/words"
)

// A Verdict is the result of a run according to a file next to the runs.
type Verdict struct {
	Of     string // the task, the session or the path that it is about; "" for the run beside the file
	Task   string // the name of the task, if the file has it
	Runner string // part of the name of the model or agent that it is about, "" for any
	Result Result
	Source string // kind of file: "Harbor", "JUnit XML", "SWE-bench", "exit code"
}

// Words of verdicts.
var (
	passed = Result{Word: "passed", Tone: Good}
	failed = Result{Word: "failed", Tone: Bad}
)

// ErrNoVerdict is the error for a file without a verdict.
var ErrNoVerdict = errors.New("no verdict in a known format: want result.json of Harbor, a report of SWE-bench, JUnit XML, or lines with a name and an exit code")

// ParseVerdicts reads a file of verdicts and recognizes its kind by its content: JUnit XML, result.json of a Harbor
// trial, a report of SWE-bench, a JSON object of exit codes, or lines with a name and an exit code.
func ParseVerdicts(name string, data []byte) ([]Verdict, error) {
	text := bytes.TrimSpace(bytes.TrimPrefix(data, []byte("\ufeff")))
	switch {
	case len(text) == 0:
		return nil, errors.New("the file is empty")
	case text[0] == '<':
		return parseJUnit(text)
	case text[0] == '{':
		return parseJSON(name, text)
	}
	return parseCodes(string(text))
}

// harborResult is the part of result.json of a Harbor trial that is read.
type harborResult struct {
	TaskName       string `json:"task_name"`
	TrialName      string `json:"trial_name"`
	VerifierResult *struct {
		Reward  *float64           `json:"reward"` // early versions
		Rewards map[string]float64 `json:"rewards"`
	} `json:"verifier_result"`
	ExceptionInfo *struct {
		Type string `json:"exception_type"`
	} `json:"exception_info"`
}

func parseJSON(name string, data []byte) ([]Verdict, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(data, &members); err != nil {
		return nil, fmt.Errorf("invalid JSON: %w", err)
	}
	has := func(name string) bool { return members[name] != nil }
	switch {
	case has("verifier_result") || has("exception_info"):
		var h harborResult
		if err := json.Unmarshal(data, &h); err != nil {
			return nil, fmt.Errorf("result.json of Harbor: %w", err)
		}
		return []Verdict{h.verdict()}, nil
	case has("resolved_ids"):
		return parseSWEBench(name, members), nil
	}
	var all []Verdict
	for _, key := range slices.Sorted(maps.Keys(members)) {
		v := Verdict{Of: key}
		var instance struct{ Resolved *bool }
		var code int
		var good bool
		switch value := members[key]; {
		case json.Unmarshal(value, &instance) == nil && instance.Resolved != nil:
			v.Task, v.Source, v.Result = key, "SWE-bench", resolved(*instance.Resolved)
		case json.Unmarshal(value, &code) == nil && string(value) != "null":
			v.Source, v.Result = "exit code", exited(code)
		case json.Unmarshal(value, &good) == nil && string(value) != "null":
			v.Source, v.Result = "verdict", failed
			if good {
				v.Result = passed
			}
		default:
			continue
		}
		all = append(all, v)
	}
	if len(all) == 0 {
		return nil, ErrNoVerdict
	}
	return all, nil
}

func (h *harborResult) verdict() Verdict {
	v := Verdict{Task: words.Line(h.TaskName, maxLine), Source: "Harbor"}
	reward := -1.0
	if r := h.VerifierResult; r != nil {
		if r.Reward != nil {
			reward = *r.Reward
		}
		if given, ok := r.Rewards["reward"]; ok {
			reward = given
		} else if len(r.Rewards) == 1 {
			for _, given := range r.Rewards {
				reward = given
			}
		}
	}
	switch {
	case reward >= 1:
		v.Result = passed
	case reward > 0:
		v.Result = Result{Word: strconv.FormatFloat(reward, 'f', 2, 64), Tone: Doubtful, Reason: "part of the reward"}
	case h.ExceptionInfo != nil && h.ExceptionInfo.Type != "":
		v.Result = Result{Word: "error", Tone: Bad, Reason: words.Line(h.ExceptionInfo.Type, 100)}
	case reward == 0:
		v.Result = failed
	default:
		v.Result = Result{Word: "no verdict", Tone: Doubtful}
	}
	return v
}

func resolved(is bool) Result {
	if is {
		return Result{Word: "passed", Tone: Good, Reason: "resolved"}
	}
	return Result{Word: "failed", Tone: Bad, Reason: "not resolved"}
}

// parseSWEBench reads the report of a whole evaluation, which is named after the model: model.run.json.
func parseSWEBench(name string, members map[string]json.RawMessage) []Verdict {
	runner, _, _ := strings.Cut(path.Base(name), ".")
	var all []Verdict
	for _, list := range []struct {
		name   string
		result Result
	}{
		{"resolved_ids", resolved(true)}, {"unresolved_ids", resolved(false)},
		{"empty_patch_ids", Result{Word: "failed", Tone: Bad, Reason: "empty patch"}},
		{"error_ids", Result{Word: "error", Tone: Bad, Reason: "evaluation failed"}},
	} {
		var ids []string
		if json.Unmarshal(members[list.name], &ids) != nil {
			continue
		}
		for _, id := range ids {
			all = append(all, Verdict{Of: id, Task: id, Runner: runner, Result: list.result, Source: "SWE-bench"})
		}
	}
	return all
}

func exited(code int) Result {
	if code == 0 {
		return Result{Word: "passed", Tone: Good, Reason: "exit 0"}
	}
	return Result{Word: "failed", Tone: Bad, Reason: "exit " + strconv.Itoa(code)}
}

// parseCodes reads lines with a name and an exit code, separated by blanks or a comma. A # begins a comment.
func parseCodes(text string) ([]Verdict, error) {
	var all []Verdict
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		at := strings.LastIndexAny(line, " \t,")
		code, err := strconv.Atoi(line[at+1:])
		name := strings.TrimRight(line[:max(at, 0)], " \t,")
		if err != nil || name == "" {
			if n == 1 {
				return nil, ErrNoVerdict
			}
			return nil, fmt.Errorf("line %d: %q is not a name and an exit code", n, words.Line(line, 60))
		}
		all = append(all, Verdict{Of: name, Result: exited(code), Source: "exit code"})
	}
	if len(all) == 0 {
		return nil, ErrNoVerdict
	}
	return all, nil
}

// parseJUnit reads test cases. All of them together are the verdict on the run next to the file. Each case is also a
// separate verdict, for files in which a case is a task.
func parseJUnit(data []byte) ([]Verdict, error) {
	d := xml.NewDecoder(bytes.NewReader(data))
	d.Strict = false
	d.CharsetReader = func(_ string, in io.Reader) (io.Reader, error) { return in, nil }
	var cases []Verdict
	bad, depth := 0, 0
	for {
		token, err := d.Token()
		if err == io.EOF {
			break
		}
		if err != nil {
			return nil, fmt.Errorf("invalid XML: %w", err)
		}
		switch e := token.(type) {
		case xml.StartElement:
			if depth++; depth > 100 {
				return nil, errors.New("invalid XML: nested too deeply")
			}
			switch e.Name.Local {
			case "testcase":
				cases = append(cases, junitCase(e))
			case "failure", "error", "skipped":
				if len(cases) == 0 {
					break
				}
				last := &cases[len(cases)-1]
				if e.Name.Local == "skipped" {
					last.Result = Result{Word: "skipped", Tone: Doubtful}
				} else if last.Result.Tone != Bad {
					last.Result = failed
					bad++
				}
			}
		case xml.EndElement:
			depth--
		}
	}
	if len(cases) == 0 {
		return nil, ErrNoVerdict
	}
	names := make(map[string]int)
	for i := range cases {
		names[cases[i].Of]++
	}
	for i := range cases {
		if names[cases[i].Of] == 1 { // the class tells cases of one name apart
			cases[i].Runner = ""
		}
	}
	whole := Verdict{Result: passed, Source: "JUnit XML"}
	if bad > 0 {
		whole.Result = failed
	}
	whole.Result.Reason = fmt.Sprintf("%s of %s failed", words.Count(bad), words.Plural(len(cases), "test", "tests"))
	return append([]Verdict{whole}, cases...), nil
}

func junitCase(e xml.StartElement) Verdict {
	v := Verdict{Result: passed, Source: "JUnit XML"}
	for _, a := range e.Attr {
		switch a.Name.Local {
		case "name":
			v.Of = words.Line(a.Value, maxLine)
		case "classname":
			v.Runner = words.Line(a.Value, maxLine)
		}
	}
	return v
}
