package render

import (
	"fmt"
	"strconv"

	"viewer/internal/words"
)

const dot = words.Dot

// fieldWords are words for inputs of the programs' own tools that their rows do not show. Inputs of MCP servers and of
// unknown tools stay as they are, since the meaning of their names is unknown.
var fieldWords = map[string]struct {
	name  string
	value func(string) string // nil keeps it
}{
	"timeout":           {"timeout", milliWords},
	"timeout_ms":        {"timeout", milliWords},
	"delaySeconds":      {"after", secondWords},
	"run_in_background": {"in background", yesNo},
	"persistent":        {"until the session ends", yesNo},
	"recurring":         {"again and again", yesNo},
	"durable":           {"in later sessions too", yesNo},
	"block":             {"waits for the end", yesNo},
	"output_mode":       {"lists", oneOf(map[string]string{"content": "lines", "files_with_matches": "files", "count": "how many matches"})},
	"head_limit":        {"at most", nil},
	"max_results":       {"at most", nil},
	"max_turns":         {"turns at most", nil},
	"multiline":         {"across lines", yesNo},
	"context":           {"lines around", nil},
	"-A":                {"lines after", nil},
	"-B":                {"lines before", nil},
	"-C":                {"lines around", nil},
	"-i":                {"in any case", yesNo},
	"-n":                {"line numbers", yesNo},
	"-o":                {"only what matches", yesNo},
	"team_name":         {"team", nil},
	"agent_type":        {"role", nil},
	"isolation":         {"works in", oneOf(map[string]string{"worktree": "a worktree of its own"})},
	"resume":            {"goes on with", nil},
	"allowed_domains":   {"only from", nil},
	"blocked_domains":   {"not from", nil},
	"bash_id":           {"shell", nil},
	"shell_id":          {"shell", nil},
	"task_id":           {"task", nil},
	"cell_id":           {"cell", nil},
	"cell_type":         {"kind of cell", nil},
	"edit_mode":         {"edit", nil},
}

// inWords replaces names and values of fields by words, if known.
func inWords(all []field) []field {
	for i, f := range all {
		words, ok := fieldWords[f.Name]
		if !ok || f.Long {
			continue
		}
		all[i].Name = words.name
		if words.value != nil {
			all[i].Value = words.value(f.Value)
		}
	}
	return all
}

func yesNo(s string) string { return oneOf(map[string]string{"true": "yes", "false": "no"})(s) }

// oneOf returns a function that replaces known values by words.
func oneOf(words map[string]string) func(string) string {
	return func(s string) string {
		if w := words[s]; w != "" {
			return w
		}
		return s
	}
}

func secondWords(s string) string {
	if n, err := strconv.Atoi(s); err == nil && n < 1e9 {
		return milliWords(strconv.Itoa(n * 1000))
	}
	return s
}

// milliWords formats a chosen span without rounding: 2 min, 90 s.
func milliWords(s string) string {
	n, err := strconv.Atoi(s)
	switch {
	case err != nil || n <= 0:
		return s
	case n%3_600_000 == 0:
		return fmt.Sprintf("%d h", n/3_600_000)
	case n%60_000 == 0:
		return fmt.Sprintf("%d min", n/60_000)
	case n%1000 == 0:
		return fmt.Sprintf("%d s", n/1000)
	}
	return fmt.Sprintf("%d ms", n)
}
