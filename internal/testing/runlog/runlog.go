// Package runlog generates logs of runs from a few steps, in the formats of two coding agents. It is for tests only,
// and never writes files.
package runlog

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"time"
)

// A Run is an invented run.
type Run struct {
	ID, Folder, Model string
	Codex             bool // in the format of Codex; otherwise in that of Claude Code
	Steps             []Step
	Cost              float64 // logged if there is an Outcome
	// Of the last record of a run of Claude Code: "success", "error_max_turns"; "" for no such record.
	Outcome string
}

// A Step is a prompt, a call, or a text of the model. Exactly one of the strings is set.
type Step struct {
	Prompt, Say            string
	Read, Edit, Write, Run string // a path below the folder of the run, or a command
	Failed                 bool
}

// Steps parses steps: "ask Mend it", "read a.go", "edit a.go", "write a.go", "run go test", "say Done.". An exclamation
// mark after the first word makes the call fail.
func Steps(lines ...string) []Step {
	var all []Step
	for _, line := range lines {
		kind, text, _ := strings.Cut(line, " ")
		kind, failed := strings.CutSuffix(kind, "!")
		s := Step{Failed: failed}
		switch kind {
		case "ask":
			s.Prompt = text
		case "read":
			s.Read = text
		case "edit":
			s.Edit = text
		case "write":
			s.Write = text
		case "run":
			s.Run = text
		case "say":
			s.Say = text
		default:
			panic("runlog: no such step: " + line)
		}
		all = append(all, s)
	}
	return all
}

// Bytes returns the log of the run.
func (r Run) Bytes() []byte {
	w := writer{run: r, now: time.Date(2026, 11, 2, 9, 0, 0, 0, time.UTC)}
	if r.Codex {
		w.codex()
	} else {
		w.claude()
	}
	return w.b
}

type object = map[string]any

type writer struct {
	run   Run
	b     []byte
	now   time.Time
	n     int
	last  any // the uuid of the previous record
	calls int
}

func (w *writer) line(v object) {
	w.now = w.now.Add(2 * time.Second)
	v["timestamp"] = w.now.Format(time.RFC3339)
	data, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	w.b = append(append(w.b, data...), '\n')
}

func (w *writer) record(kind string, message object, more object) {
	w.n++
	sum := sha256.Sum256(fmt.Append(nil, w.run.ID, w.n))
	id := fmt.Sprintf("%x-0000-4000-8000-%012x", sum[:4], w.n)
	v := object{
		"type": kind, "uuid": id, "parentUuid": w.last, "sessionId": w.run.ID, "cwd": w.run.Folder,
		"version": "2.1.270", "message": message,
	}
	for name, value := range more {
		v[name] = value
	}
	w.line(v)
	w.last = id
}

func (w *writer) claude() {
	answer := func(block object) {
		w.calls++
		w.record("assistant", object{
			"id": fmt.Sprintf("msg_%03d", w.calls), "role": "assistant", "model": w.run.Model,
			"content": []object{block},
			"usage":   object{"input_tokens": 20, "output_tokens": 30, "cache_read_input_tokens": 400},
		}, nil)
	}
	call := func(s Step, name string, input, structured object) {
		id := fmt.Sprintf("toolu_%03d", w.calls+1)
		answer(object{"type": "tool_use", "id": id, "name": name, "input": input})
		content := "done"
		if s.Failed {
			content, structured = "Exit code 1\nit failed", nil
		}
		w.record("user", object{"role": "user", "content": []object{
			{"type": "tool_result", "tool_use_id": id, "content": content, "is_error": s.Failed},
		}}, object{"toolUseResult": structured})
	}
	said := ""
	for _, s := range w.run.Steps {
		at := func(path string) string { return w.run.Folder + "/" + path }
		switch {
		case s.Prompt != "":
			w.record("user", object{"role": "user", "content": s.Prompt}, nil)
		case s.Say != "":
			said = s.Say
			answer(object{"type": "text", "text": s.Say})
		case s.Read != "":
			call(s, "Read", object{"file_path": at(s.Read)}, object{"type": "text", "file": object{
				"filePath": at(s.Read), "content": "one\ntwo\n", "numLines": 2, "startLine": 1, "totalLines": 2}})
		case s.Edit != "":
			call(s, "Edit", object{"file_path": at(s.Edit), "old_string": "two", "new_string": "three"}, object{
				"filePath": at(s.Edit), "oldString": "two", "newString": "three", "originalFile": "one\ntwo\n",
				"structuredPatch": []object{{"oldStart": 1, "oldLines": 2, "newStart": 1, "newLines": 2,
					"lines": []string{" one", "-two", "+three"}}}})
		case s.Write != "":
			call(s, "Write", object{"file_path": at(s.Write), "content": "new\n"}, object{
				"type": "create", "filePath": at(s.Write), "content": "new\n", "structuredPatch": []object{}})
		case s.Run != "":
			call(s, "Bash", object{"command": s.Run}, object{"stdout": "done", "stderr": "", "interrupted": false})
		}
	}
	if w.run.Outcome != "" {
		w.line(object{
			"type": "result", "subtype": w.run.Outcome, "is_error": w.run.Outcome != "success", "result": said,
			"session_id": w.run.ID, "num_turns": w.calls, "duration_ms": 2000 * w.n, "total_cost_usd": w.run.Cost,
		})
	}
}

func (w *writer) codex() {
	item := func(payload object) { w.line(object{"type": "response_item", "payload": payload}) }
	message := func(role, kind, text string) {
		item(object{"type": "message", "role": role, "content": []object{{"type": kind, "text": text}}})
	}
	w.line(object{"type": "session_meta", "payload": object{
		"id": w.run.ID, "cwd": w.run.Folder, "cli_version": "0.80.0"}})
	w.line(object{"type": "turn_context", "payload": object{"cwd": w.run.Folder, "model": w.run.Model}})
	call := func(s Step, command string) {
		w.calls++
		id := fmt.Sprintf("call_%03d", w.calls)
		input, err := json.Marshal(object{"cmd": command})
		if err != nil {
			panic(err)
		}
		item(object{"type": "function_call", "name": "exec_command", "arguments": string(input), "call_id": id})
		output := "Process exited with code 0\nOutput:\ndone"
		if s.Failed {
			output = "Process exited with code 1\nOutput:\nit failed"
		}
		item(object{"type": "function_call_output", "call_id": id, "output": output})
	}
	patch := func(kind, path, body string) {
		w.calls++
		id := fmt.Sprintf("call_%03d", w.calls)
		item(object{"type": "custom_tool_call", "name": "apply_patch", "call_id": id, "status": "completed",
			"input": "*** Begin Patch\n*** " + kind + " File: " + path + "\n" + body + "*** End Patch\n"})
		item(object{"type": "custom_tool_call_output", "call_id": id,
			"output": `{"output":"Success. Updated the following files:\nM ` + path + `\n","metadata":{"exit_code":0}}`})
	}
	for _, s := range w.run.Steps {
		switch {
		case s.Prompt != "":
			message("user", "input_text", s.Prompt)
		case s.Say != "":
			message("assistant", "output_text", s.Say)
		case s.Read != "":
			call(s, "sed -n '1,200p' "+s.Read)
		case s.Edit != "":
			patch("Update", s.Edit, "@@\n one\n-two\n+three\n")
		case s.Write != "":
			patch("Add", s.Write, "+new\n")
		case s.Run != "":
			call(s, s.Run)
		}
	}
}
