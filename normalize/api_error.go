package normalize

import "strings"

// isSyntheticError reports whether a record represents a failed request.
func isSyntheticError(e *entry) bool {
	return e.record.Type == "assistant" && e.record.IsAPIError
}

// refusals has the beginnings of errors that name what the API refused, and the block types to leave out from then on.
// The endings differ for people and scripts.
var refusals = []struct {
	text  string
	types []string
}{
	{"PDF too large", []string{"document"}},
	{"PDF is password protected", []string{"document"}},
	{"The PDF file was not valid", []string{"document"}},
	{"Image was too large", []string{"image"}},
	{"Request too large", []string{"document", "image"}},
}

// mapErrors finds for each such error the nearest meta message of the user before it, which had the refused content. An
// answer in between means that everything before it was accepted.
func mapErrors(s *sending) {
	s.strip = make(map[*entry]map[string]bool)
	var meta *entry
	for _, e := range s.entries {
		switch r := e.record; {
		case isSyntheticError(e):
			types := refused(e)
			if len(types) == 0 || meta == nil {
				continue
			}
			if s.strip[meta] == nil {
				s.strip[meta] = make(map[string]bool)
			}
			for _, t := range types {
				s.strip[meta][t] = true
			}
		case r.Type == "assistant":
			meta = nil
		case r.Type == "user" && r.IsMeta:
			meta = e
		}
	}
}

// refused returns the block types that an error names.
func refused(e *entry) []string {
	for _, m := range e.parts {
		if m.Block == nil {
			continue
		}
		text := strings.TrimPrefix(m.Block.Text, "API Error: ")
		for _, r := range refusals {
			if strings.HasPrefix(text, r.text) {
				return r.types
			}
		}
	}
	return nil
}
