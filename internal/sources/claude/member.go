package claude

import (
	"bytes"
	"strings"
	"time"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A member is one of the few members of records that a scan reads. A line is decoded only if it contains the name of
// the member. The name alone proves nothing: values nested in a record have names, too, and writers may put spaces
// anywhere.
type member struct {
	name needle
	of   func(*transcript.Record) string
}

func newMember(name string, of func(*transcript.Record) string) member {
	return member{newNeedle(`"` + name + `"`), of}
}

var (
	folderOf  = newMember("cwd", func(r *transcript.Record) string { return r.CWD })
	sessionOf = newMember("sessionId", func(r *transcript.Record) string { return r.SessionID })
	lineageOf = newMember("session_id", func(r *transcript.Record) string { return r.LineageID })
	idOf      = newMember("uuid", func(r *transcript.Record) string { return r.UUID })
	parentOf  = newMember("logicalParentUuid", func(r *transcript.Record) string { return r.LogicalParentUUID })
	teamOf    = newMember("teamName", func(r *transcript.Record) string { return r.TeamName })
	memberOf  = newMember("agentName", func(r *transcript.Record) string { return r.AgentName })
	timeOf    = newMember("timestamp", func(r *transcript.Record) string {
		if r.Timestamp.IsZero() {
			return ""
		}
		return r.Timestamp.Format(time.RFC3339Nano)
	})

	// planOf finds the prompt that the program writes when a plan is approved and the context cleared.
	planOf = member{newNeedle(`"Implement the following plan:`), plannedIn}

	leafOf = newNeedle(`"leafUuid"`) // summaries have it, and last prompts
)

// plannedIn returns the session that made the plan of a prompt: the prompt names its log in the end.
func plannedIn(r *transcript.Record) string {
	if r.Type != "user" || r.Message == nil || !r.Message.Plain || len(r.Message.Content) != 1 {
		return ""
	}
	text := r.Message.Content[0].Text
	if !strings.HasPrefix(text, "Implement the following plan:") {
		return ""
	}
	_, log, _ := strings.Cut(text[strings.LastIndexByte(text, '\n')+1:], "read the full transcript at: ")
	id, ok := strings.CutSuffix(strings.TrimSpace(log), ".jsonl")
	if id = id[strings.LastIndexAny(id, `/\`)+1:]; !ok || id == r.SessionID {
		return ""
	}
	return id
}

// lineAround returns the bounds of the line that contains data[at], and whether it has a line end.
func lineAround(data []byte, at int) (start, end int, whole bool) {
	start = transcript.Whole(data[:at])
	if n := bytes.IndexByte(data[at:], '\n'); n >= 0 {
		return start, at + n, true
	}
	return start, len(data), false
}

// isRecord reports whether a line holds records. Logs have other lines, such as output of a program that shared the
// terminal.
func isRecord(line []byte) bool {
	line = bytes.TrimLeft(bytes.TrimPrefix(line, []byte("\ufeff")), " \t\r")
	return len(line) > 0 && line[0] == '{'
}

// values returns the values of the member in a line that contains its name at an offset, and the range that was read:
// the line, or only the name if the line cannot be decoded.
func (m member) values(data []byte, at int) (values []string, start, next int) {
	start, end, whole := lineAround(data, at)
	if !isRecord(data[start:end]) {
		return nil, start, end
	}
	records := transcript.Read("", data[start:end]).Records
	for i := range records {
		if v := m.of(&records[i]); v != "" {
			values = append(values, v)
		}
	}
	if len(records) > 0 || whole {
		return values, start, end
	}
	// The beginning of a file ends within a line.
	next = at + len(m.name.text)
	if v := sources.StringBehind(data[next:end]); v != "" {
		values = append(values, v)
	}
	return values, at, next
}

// first returns the first value of the member that is not empty.
func (m member) first(data []byte) string {
	for {
		at := m.name.in(data)
		if at < 0 {
			return ""
		}
		values, _, next := m.values(data, at)
		if len(values) > 0 {
			return values[0]
		}
		data = data[next:]
	}
}

// each calls found with all values of the member.
func (m member) each(data []byte, found func(string)) {
	for {
		at := m.name.in(data)
		if at < 0 {
			return
		}
		values, _, next := m.values(data, at)
		for _, v := range values {
			found(v)
		}
		data = data[next:]
	}
}

// eachOf calls found with the values of the member that are wanted. Lines without a wanted value are not decoded.
func (m member) eachOf(data []byte, wanted func(string) bool, found func(string)) {
	for {
		at := m.name.in(data)
		if at < 0 {
			return
		}
		next := at + len(m.name.text)
		if v := sources.StringBehind(data[next:min(len(data), next+longestID)]); v != "" && wanted(v) {
			var values []string
			values, _, next = m.values(data, at)
			for _, v := range values {
				if wanted(v) {
					found(v)
				}
			}
		}
		data = data[next:]
	}
}

// longestID is the largest number of bytes between the name of a member and the end of an id.
const longestID = 100

func firstTime(data []byte) time.Time {
	for {
		at := timeOf.name.in(data)
		if at < 0 {
			return time.Time{}
		}
		values, _, next := timeOf.values(data, at)
		for _, v := range values {
			if t := parseTime(v); !t.IsZero() {
				return t
			}
		}
		data = data[next:]
	}
}

func lastTime(data []byte) time.Time {
	for {
		at := bytes.LastIndex(data, timeOf.name.text)
		if at < 0 {
			return time.Time{}
		}
		values, start, _ := timeOf.values(data, at)
		for i := range values {
			if t := parseTime(values[len(values)-1-i]); !t.IsZero() {
				return t
			}
		}
		data = data[:start]
	}
}

func parseTime(text string) time.Time {
	at, err := time.Parse(time.RFC3339Nano, text)
	if err != nil {
		return time.Time{}
	}
	return at.UTC()
}
