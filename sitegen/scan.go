package sitegen

import (
	"bytes"
	"cmp"
	"path"
	"slices"
	"strings"
	"time"

	"viewer/transcript"
)

// A scanned is what has to be known of a project's files before the first of
// its sessions is drawn.
type scanned struct {
	CWD       string            `json:"cwd,omitempty"`
	SessionID string            `json:"sessionID,omitempty"`
	Lineage   string            `json:"lineage,omitempty"`   // the session this one was first resumed from
	FirstUUID string            `json:"firstUUID,omitempty"` // of the first record that has one
	Team      string            `json:"team,omitempty"`      // and the name of the member whose session it is
	Member    string            `json:"member,omitempty"`
	Elsewhere []string          `json:"elsewhere,omitempty"` // records of other files that compactions go on from
	Summaries map[string]string `json:"summaries,omitempty"` // titles by the uuid of the record that they describe
	Start     time.Time         `json:"start,omitzero"`      // the first and the last time in the file
	End       time.Time         `json:"end,omitzero"`
}

// scan looks at the bytes of a file for the few things that other sessions and
// the project's name depend on. It decodes only the records that it finds.
func scan(data []byte) scanned {
	s := scanned{
		CWD:       firstString(data, `"cwd":"`),
		SessionID: firstString(data, `"sessionId":"`),
		Lineage:   firstString(data, `"session_id":"`),
		FirstUUID: firstString(data, `"uuid":"`),
		Team:      firstString(data, `"teamName":"`),
		Elsewhere: leavesElsewhere(data),
	}
	s.Start, s.End = timesIn(data)
	if s.Team != "" {
		s.Member = firstString(data, `"agentName":"`)
	}
	for rest := data; ; {
		at := summaryRecord.in(rest)
		if at < 0 {
			return s
		}
		start := bytes.LastIndexByte(rest[:at], '\n') + 1
		end := len(rest)
		if n := bytes.IndexByte(rest[at:], '\n'); n >= 0 {
			end = at + n
		}
		for _, r := range transcript.Read("", rest[start:end]).Records {
			if r.Type != "summary" || r.LeafUUID == "" {
				continue
			}
			if s.Summaries == nil {
				s.Summaries = make(map[string]string)
			}
			s.Summaries[r.LeafUUID] = transcript.String(transcript.Field(r.Raw, "summary"))
		}
		rest = rest[end:]
	}
}

var summaryRecord = newNeedle(`"type":"summary"`)

// firstString is the first value of a member that is not empty. In a file of
// the CI action there is a blank behind the colon. No value goes over the end of a line.
func firstString(data []byte, member string) string {
	if len(data) > 0 && data[0] == '[' {
		member = strings.Replace(member, ":", ": ", 1)
	}
	for n := newNeedle(member); ; {
		at := n.in(data)
		if at < 0 {
			return ""
		}
		data = data[at+len(member)-1:]
		end := 1
		for end < len(data) && data[end] != '"' && data[end] != '\n' {
			if data[end] == '\\' && end+1 < len(data) && data[end+1] != '\n' {
				end++
			}
			end++
		}
		if end >= len(data) {
			return ""
		}
		if data[end] == '"' {
			if s := transcript.String(data[:end+1]); s != "" {
				return s
			}
		}
		data = data[end:]
	}
}

// projectName is what people call a project: the last element of the folder in
// which most of its sessions were started. The folder below projects/ is a
// lossy form of it and only serves when no record has a folder.
func projectName(cwds []string, fallback string) (name, cwd string) {
	votes := make(map[string]int)
	for _, c := range cwds {
		if c != "" && !temporary(c) {
			votes[c]++
		}
	}
	if len(votes) == 0 {
		for _, c := range cwds {
			if c != "" {
				votes[c]++
			}
		}
	}
	best := make([]string, 0, len(votes))
	for c := range votes {
		best = append(best, c)
	}
	slices.SortFunc(best, func(a, b string) int {
		return cmp.Or(cmp.Compare(votes[b], votes[a]), cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
	if len(best) == 0 {
		return fallback, ""
	}
	cwd = best[0]
	name = path.Base(strings.ReplaceAll(cwd, `\`, "/"))
	if name == "/" || name == "." {
		name = fallback
	}
	return name, cwd
}

// temporary says that a folder is no place a project would live in.
func temporary(cwd string) bool {
	for _, p := range []string{"/tmp/", "/private/tmp/", "/var/folders/", "/private/var/folders/"} {
		if strings.HasPrefix(cwd+"/", p) {
			return true
		}
	}
	return false
}
