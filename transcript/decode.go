package transcript

import (
	"fmt"
	"strconv"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// A decoder fills one record from one JSON object. A field of a wrong type is
// noted and left empty; it never costs the record.
type decoder struct {
	pos      Pos
	problems *[]Problem
	inside   bool // a wrapper: what it holds wraps nothing more
}

func (d decoder) complain(field, format string, args ...any) {
	*d.problems = append(*d.problems, Problem{Pos: d.pos, Text: field + ": " + fmt.Sprintf(format, args...)})
}

// str, flag and number read a value of the type that the format promises;
// null means absent everywhere.
func (d decoder) str(to *string, field string, v jsontext.Value) {
	switch Kind(v) {
	case '"':
		*to = unquote(v)
	case 'n':
	default:
		d.complain(field, "want a string, got %s", kindName(v))
	}
}

func (d decoder) flag(to *bool, field string, v jsontext.Value) {
	switch Kind(v) {
	case 't':
		*to = true
	case 'f', 'n':
	default:
		d.complain(field, "want true or false, got %s", kindName(v))
	}
}

func (d decoder) number(to *int64, field string, v jsontext.Value) {
	switch Kind(v) {
	case '0':
		f, err := strconv.ParseFloat(string(v), 64)
		if err != nil || f < -1e15 || f > 1e15 {
			d.complain(field, "number out of range")
			return
		}
		*to = int64(f)
	case 'n':
	default:
		d.complain(field, "want a number, got %s", kindName(v))
	}
}

// dollars reads an amount of money; what is no amount is left out.
func (d decoder) dollars(to *float64, field string, v jsontext.Value) {
	switch Kind(v) {
	case '0':
		f, err := strconv.ParseFloat(string(v), 64)
		if err != nil || f < 0 || f > 1e9 {
			d.complain(field, "number out of range")
			return
		}
		*to = f
	case 'n':
	default:
		d.complain(field, "want a number, got %s", kindName(v))
	}
}

func (d decoder) time(to *time.Time, field string, v jsontext.Value) {
	var s string
	d.str(&s, field, v)
	if s == "" {
		return
	}
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil {
		d.complain(field, "cannot read the time %.40q", s)
		return
	}
	*to = t.UTC()
}

// object says whether v is an object, and notes any other value but null.
func (d decoder) object(field string, v jsontext.Value) bool {
	switch Kind(v) {
	case '{':
		return true
	case 'n':
	default:
		d.complain(field, "want an object, got %s", kindName(v))
	}
	return false
}

func kindName(v jsontext.Value) string {
	switch Kind(v) {
	case '{':
		return "an object"
	case '[':
		return "an array"
	case '"':
		return "a string"
	case 't', 'f':
		return "true or false"
	case '0':
		return "a number"
	case 'n':
		return "null"
	}
	return "nothing"
}

func (d decoder) record(v jsontext.Value) Record {
	r := Record{Pos: d.pos, Raw: v}
	var line jsontext.Value
	for name, value := range Members(v) {
		switch name {
		case "type":
			d.str(&r.Type, name, value)
		case "subtype":
			d.str(&r.Subtype, name, value)
		case "uuid":
			d.str(&r.UUID, name, value)
		case "parentUuid":
			d.str(&r.ParentUUID, name, value)
		case "logicalParentUuid":
			d.str(&r.LogicalParentUUID, name, value)
		case "sessionId":
			d.str(&r.SessionID, name, value)
		case "session_id":
			d.str(&r.LineageID, name, value)
		case "requestId", "request_id":
			d.str(&r.RequestID, name, value)
		case "agentId":
			d.str(&r.AgentID, name, value)
		case "agentName":
			d.str(&r.AgentName, name, value)
		case "teamName":
			d.str(&r.TeamName, name, value)
		case "timestamp":
			d.time(&r.Timestamp, name, value)
		case "cwd":
			d.str(&r.CWD, name, value)
		case "gitBranch":
			d.str(&r.GitBranch, name, value)
		case "version":
			// Bookkeeping kinds use the name for a number of their own.
			r.Version = TextOf(value)
		case "entrypoint":
			d.str(&r.Entrypoint, name, value)
		case "isMeta":
			d.flag(&r.IsMeta, name, value)
		case "isSidechain":
			d.flag(&r.IsSidechain, name, value)
		case "isCompactSummary":
			d.flag(&r.IsCompactSummary, name, value)
		case "isVirtual":
			d.flag(&r.IsVirtual, name, value)
		case "isApiErrorMessage":
			d.flag(&r.IsAPIError, name, value)
		case "origin":
			// An object with a kind; a bare string in some captures.
			if r.Origin = String(value); r.Origin == "" {
				r.Origin = String(Field(value, "kind"))
			}
		case "promptSource":
			d.str(&r.PromptSource, name, value)
		case "permissionMode":
			d.str(&r.PermissionMode, name, value)
		case "toolUseID":
			d.str(&r.ToolUseID, name, value)
		case "parentToolUseID", "parent_tool_use_id":
			d.str(&r.ParentToolUseID, name, value)
		case "sourceToolUseID":
			d.str(&r.SourceToolUseID, name, value)
		case "leafUuid":
			d.str(&r.LeafUUID, name, value)
		case "interruptedMessageId":
			d.str(&r.InterruptedMessageID, name, value)
		case "toolDenialKind":
			d.str(&r.ToolDenialKind, name, value)
		case "level":
			d.str(&r.Level, name, value)
		case "costUSD":
			d.dollars(&r.CostUSD, name, value)
		case "content":
			r.Content = value
		case "toolUseResult", "tool_use_result":
			r.ToolUseResult = value
		case "contexts":
			r.Contexts = value
		case "message":
			r.Message = d.message(value)
		case "attachment":
			r.Attachment = d.attachment(value)
		case "data":
			r.Data = value
			r.DataType = String(Field(value, "type"))
		case "line":
			line = value
		}
	}
	if r.SessionID == "" {
		r.SessionID = r.LineageID
	}
	if r.Type == "" && Kind(line) == '{' && !d.inside {
		// Older debug captures wrap each line: {"_dir":…,"_ts":…,"line":{…}}.
		d.inside = true
		inner := d.record(line)
		inner.Raw = v
		return inner
	}
	return r
}

func (d decoder) message(v jsontext.Value) *Message {
	if Kind(v) == '"' { // foreign files put the text itself here
		return &Message{Plain: true, Content: []Block{{Type: "text", Raw: v, Text: unquote(v)}}}
	}
	if !d.object("message", v) {
		return nil
	}
	m := new(Message)
	for name, value := range Members(v) {
		switch name {
		case "id":
			d.str(&m.ID, "message.id", value)
		case "role":
			d.str(&m.Role, "message.role", value)
		case "model":
			d.str(&m.Model, "message.model", value)
		case "stop_reason":
			d.str(&m.StopReason, "message.stop_reason", value)
		case "usage":
			if d.object("message.usage", value) {
				m.HasUsage = true
				m.Usage, m.Speed = d.usage(value)
			}
		case "content":
			m.Plain = Kind(value) == '"'
			m.Content = d.blocks("message.content", value, 0)
		}
	}
	return m
}

func (d decoder) usage(v jsontext.Value) (u Usage, speed string) {
	for name, value := range Members(v) {
		switch name {
		case "input_tokens":
			d.number(&u.Input, "usage.input_tokens", value)
		case "output_tokens":
			d.number(&u.Output, "usage.output_tokens", value)
		case "cache_read_input_tokens":
			d.number(&u.CacheRead, "usage.cache_read_input_tokens", value)
		case "cache_creation_input_tokens":
			d.number(&u.CacheWrite, "usage.cache_creation_input_tokens", value)
		case "cache_creation":
			for name, value := range Members(value) {
				switch name {
				case "ephemeral_5m_input_tokens":
					d.number(&u.CacheWrite5m, "usage.cache_creation.ephemeral_5m_input_tokens", value)
				case "ephemeral_1h_input_tokens":
					d.number(&u.CacheWrite1h, "usage.cache_creation.ephemeral_1h_input_tokens", value)
				}
			}
		case "server_tool_use":
			d.number(&u.WebSearches, "usage.server_tool_use.web_search_requests", orNull(Field(value, "web_search_requests")))
		case "speed":
			d.str(&speed, "usage.speed", value)
		}
	}
	return u, speed
}

func orNull(v jsontext.Value) jsontext.Value {
	if v == nil {
		return jsontext.Value("null")
	}
	return v
}

// maxDepth bounds content blocks inside tool results inside content blocks.
// Real files nest twice.
const maxDepth = 8

// blocks decodes content: a string is one text block, an object one block, an
// array a block for each element, null nothing; anything else is one block of no
// type, kept raw.
func (d decoder) blocks(field string, v jsontext.Value, depth int) []Block {
	switch Kind(v) {
	case 0, 'n':
		return nil
	case '"':
		return []Block{{Type: "text", Raw: v, Text: unquote(v)}}
	case '[':
		if depth >= maxDepth {
			return []Block{{Raw: v}}
		}
		blocks := make([]Block, 0, 1) // one block a message is the rule
		for e := range Elements(v) {
			blocks = append(blocks, d.block(field, len(blocks), e, depth))
		}
		return blocks
	case '{': // results of tools that run at the server: advisor_tool_result, web_fetch_tool_result
		if depth < maxDepth {
			return []Block{d.block(field, 0, v, depth)}
		}
	}
	return []Block{{Raw: v}}
}

func (d decoder) block(field string, i int, v jsontext.Value, depth int) Block {
	b := Block{Raw: v}
	switch Kind(v) {
	case '{':
	case '"':
		b.Type, b.Text = "text", unquote(v)
		return b
	default:
		d.complain(fmt.Sprintf("%s[%d]", field, i), "want a content block, got %s", kindName(v))
		return b
	}
	at := func(name string) string { return fmt.Sprintf("%s[%d].%s", field, i, name) }
	// A wrong type is rare: the name of the field is only made for it.
	str := func(to *string, name string, v jsontext.Value) {
		if Kind(v) == '"' {
			*to = unquote(v)
		} else {
			d.str(to, at(name), v)
		}
	}
	for name, value := range Members(v) {
		switch name {
		case "type":
			str(&b.Type, name, value)
		case "text", "thinking":
			str(&b.Text, name, value)
		case "id":
			str(&b.ID, name, value)
		case "name", "tool_name":
			str(&b.Name, name, value)
		case "input":
			b.Input = value
		case "tool_use_id":
			str(&b.ToolUseID, name, value)
		case "is_error":
			d.flag(&b.IsError, "is_error", value)
		case "content":
			b.Content = d.blocks(field, value, depth+1)
		case "source":
			b.Source = source(value)
		}
	}
	return b
}

func source(v jsontext.Value) Source {
	var s Source
	for name, value := range Members(v) {
		switch name {
		case "type":
			s.Kind = String(value)
		case "media_type":
			s.MediaType = String(value)
		case "data":
			if Kind(value) == '"' {
				s.Data = value
			}
		case "url":
			s.URL = String(value)
		}
	}
	return s
}

func (d decoder) attachment(v jsontext.Value) *Attachment {
	if !d.object("attachment", v) {
		return nil
	}
	a := &Attachment{Raw: v}
	for name, value := range Members(v) {
		switch name {
		case "type":
			d.str(&a.Type, "attachment.type", value)
		case "hookEvent":
			d.str(&a.HookEvent, "attachment.hookEvent", value)
		case "hookName":
			d.str(&a.HookName, "attachment.hookName", value)
		case "toolUseID":
			d.str(&a.ToolUseID, "attachment.toolUseID", value)
		}
	}
	return a
}
