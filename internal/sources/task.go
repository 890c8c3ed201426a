package sources

import "strings"

// A Frame is what a program writes directly before and after the task of a human, among its instructions to the model.
type Frame struct{ Open, End string }

// CutTask separates the task of a human from the instructions around it. The first frame counts that the text has. If
// it has none, all of it is the task.
func CutTask(text string, frames []Frame) (before, task, after string) {
	for _, f := range frames {
		at := strings.Index(text, f.Open)
		if at < 0 {
			continue
		}
		at += len(f.Open)
		end := strings.LastIndex(text[at:], f.End) // the task may quote it
		if end < 0 || strings.TrimSpace(text[at:at+end]) == "" {
			continue
		}
		trim := strings.TrimSpace
		return trim(text[:at]), trim(text[at : at+end]), trim(text[at+end:])
	}
	return "", text, ""
}
