package schemacheck

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// ofTheirOwn are names with several meanings that cannot be confused.
var ofTheirOwn = map[string]string{
	"id": "of a session, a record, a call", "schema": "each output has its own", "version": "each output has its own",
	"agents": "a number among totals, conversations in a conversation",
	"turns":  "a number in a report, a list in a conversation",
	"input":  "tokens among tokens, what a call was given", "output": "tokens among tokens, what a command printed",
	"text": "whatever has one", "kind": "of whatever it is in", "path": "of whatever it is in",
	"type":  "of whatever it is in",
	"model": "one of models", "time": "see time", "description": "of whatever it is in",
	"run": "of whatever it is in", "sessions": "a number among totals, ids of a group",
	"prompt": "its number where a line was written, its messages in a conversation",
	"agent":  "what wrote a session; of a blamed line the agent that called, in a conversation one with its turns",
	"file":   "a log; of a month the list of its projects",
	"files":  "a number in a report, names of lists in a month",
	"by":     "the call that wrote a line, who decided about a call",
	"label":  "of a context of a prompt, of a note",
	"ending": "of a session its last words, of a message why it ended",
	"name":   "of whatever it is in", "detail": "of whatever it is in",
	"session": "an id or an address of a page in a note, an id in stats",
	"tools":   "rows in stats, otherwise a number", "commands": "rows in stats, objects in a report",
	"denied": "rows in stats, calls in a report", "mended": "rows in stats, true or false in a report",
	"compactions": "rows in stats, otherwise a number",
}

// ofTheirFile are words of the vocabulary with another meaning in one file.
var ofTheirFile = map[string]map[string]string{
	"stats.json": {
		"models": "rows", "failed": "a number of whatever a row counts",
		"page": "with an anchor, below the folder of the session",
	},
}

// TestVocabulary checks that members of several outputs are defined once, in vocabulary.json, under their names.
func TestVocabulary(t *testing.T) {
	docs := Documents(t)
	words, _ := docs["vocabulary.json"].(map[string]any)["$defs"].(map[string]any)
	if len(words) < 20 {
		t.Fatalf("vocabulary.json defines %d words, want more", len(words))
	}
	used := make(map[string]map[string]bool) // files by name of the member
	for file, doc := range docs {
		if file == "vocabulary.json" {
			continue
		}
		eachMember(doc, func(name string, schema map[string]any) {
			if ofTheirOwn[name] != "" || ofTheirFile[file][name] != "" {
				return
			}
			ref, _ := schema["$ref"].(string)
			word, shared := strings.CutPrefix(ref, "vocabulary.json#/$defs/")
			if _, defined := words[name]; defined && word != name && !(shared && word == "time") {
				t.Errorf("%s: %s is %q, want a reference to the vocabulary", file, name, ref)
			}
			if used[name] == nil {
				used[name] = make(map[string]bool)
			}
			used[name][file] = true
		})
	}
	for name, files := range used {
		if _, defined := words[name]; !defined && len(files) > 1 {
			t.Errorf("%s is defined in %v, want it in the vocabulary", name, slices.Sorted(maps.Keys(files)))
		}
	}
}

// eachMember calls do with the members of a schema.
func eachMember(v any, do func(name string, schema map[string]any)) {
	switch v := v.(type) {
	case map[string]any:
		if members, ok := v["properties"].(map[string]any); ok {
			for name, schema := range members {
				if schema, ok := schema.(map[string]any); ok {
					do(name, schema)
				}
			}
		}
		for _, inner := range v {
			eachMember(inner, do)
		}
	case []any:
		for _, inner := range v {
			eachMember(inner, do)
		}
	}
}
