package transcript

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

// A decoder fills one record from one JSON object while its parser reads it. A field with a wrong type is reported and
// left empty; the record is kept. If the parser failed, the record must not be used.
type decoder struct {
	p        parser
	pos      Pos // of the record
	interned *interner
	inside   bool // in a wrapper: wrappers inside are not opened
	quota
}

func (d *decoder) complain(field, format string, args ...any) {
	d.note(Problem{Pos: d.pos, Text: field + ": " + fmt.Sprintf(format, args...)})
}

// longestName is the maximum length of a name or an id, in bytes, because lists and facts of sessions contain them.
// Real ones have a few hundred at most.
const longestName = 16 << 10

// str, long, flag and number read a value of the expected type. null always means absent. str is for names, ids and
// other strings that are not prose.
func (d *decoder) str(to *string, field string) {
	d.long(to, field)
	if len(*to) > longestName {
		d.cut(to, field)
	}
}

func (d *decoder) cut(to *string, field string) {
	d.complain(field, "%d bytes are kept of %d", longestName, len(*to))
	*to = strings.ToValidUTF8((*to)[:longestName], "") + "…"
}

func (d *decoder) long(to *string, field string) {
	switch d.p.kind() {
	case '"':
		*to = d.text()
	case 'n':
		d.p.skip()
	default:
		d.complain(field, "want a string, got %s", kindName(d.p.value()))
	}
}

// text reads the string at the parser's position.
func (d *decoder) text() string {
	start := d.p.pos
	d.p.text()
	switch v := d.p.data[start:d.p.pos]; {
	case d.p.failed:
		return ""
	case d.p.odd:
		return unquote(v)
	default:
		return d.interned.of(v[1 : len(v)-1])
	}
}

func (d *decoder) flag(to *bool, field string) {
	switch d.p.kind() {
	case 't':
		*to = true
		d.p.skip()
	case 'f', 'n':
		d.p.skip()
	default:
		d.complain(field, "want true or false, got %s", kindName(d.p.value()))
	}
}

// number reads a count.
func (d *decoder) number(to *int64, field string) {
	if f, ok := d.amount(1e15, field); ok {
		*to = int64(f)
	}
}

// amount reads a number from 0 to most. It returns false for any other value, which is reported unless it is null.
func (d *decoder) amount(most float64, field string) (f float64, ok bool) {
	switch d.p.kind() {
	case '0':
		f, err := strconv.ParseFloat(string(d.p.value()), 64)
		if err == nil && 0 <= f && f <= most {
			return f, true
		}
		d.complain(field, "number out of range")
	case 'n':
		d.p.skip()
	default:
		d.complain(field, "want a number, got %s", kindName(d.p.value()))
	}
	return 0, false
}

func (d *decoder) time(to *time.Time, field string) {
	var s string
	d.str(&s, field)
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

// object reports whether the next value is an object, and enters it. Any other value is skipped, and reported unless it
// is null.
func (d *decoder) object(field string) bool {
	switch d.p.kind() {
	case '{':
		d.p.open()
		return true
	case 'n':
		d.p.skip()
	default:
		d.complain(field, "want an object, got %s", kindName(d.p.value()))
	}
	return false
}

// member returns the name of the next member of the current object. The value follows.
func (d *decoder) member(first bool) (name []byte, ok bool) {
	if !d.p.next('}', first) {
		return nil, false
	}
	name = d.p.name()
	return name, !d.p.failed
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

// record fills r from the object at the parser's position.
func (d *decoder) record(r *Record) {
	var line jsontext.Value
	start := d.p.pos
	d.p.open()
	for name, ok := d.member(true); ok; name, ok = d.member(false) {
		if string(name) == "line" {
			line = d.p.value()
		} else {
			d.usualMember(r, name)
		}
	}
	r.Pos, r.Raw = d.pos, d.p.data[start:d.p.pos]
	if r.Message == nil && r.Attachment == nil && r.Type != "progress" && r.Type != "stream_event" {
		d.values++ // drawn on a separate line
	}
	r.SessionID = cmp.Or(r.SessionID, r.LineageID)
	if r.Type == "" && Kind(line) == '{' && !d.inside && !d.p.failed {
		// Older debug captures wrap each line: {"_dir":…,"_ts":…,"line":{…}}.
		raw := r.Raw
		*r = Record{Rare: &nothing}
		inner := decoder{p: parser{data: line}, pos: d.pos, quota: d.quota, interned: d.interned, inside: true}
		inner.record(r)
		d.quota = inner.quota
		r.Raw = raw
	}
}

// usualMember reads a member that most records have; others are passed to flagMember.
func (d *decoder) usualMember(r *Record, name []byte) {
	switch string(name) {
	case "type":
		d.str(&r.Type, "type")
	case "subtype":
		d.str(&r.Subtype, "subtype")
	case "uuid":
		d.str(&r.UUID, "uuid")
	case "parentUuid":
		d.str(&r.ParentUUID, "parentUuid")
	case "sessionId":
		d.str(&r.SessionID, "sessionId")
	case "session_id":
		d.str(&r.LineageID, "session_id")
	case "requestId":
		d.str(&r.RequestID, "requestId")
	case "request_id":
		d.str(&r.RequestID, "request_id")
	case "agentId":
		d.str(&r.AgentID, "agentId")
	case "timestamp":
		d.time(&r.Timestamp, "timestamp")
	case "cwd":
		d.str(&r.CWD, "cwd")
	case "gitBranch":
		d.str(&r.GitBranch, "gitBranch")
	case "version":
		// Bookkeeping records use the name for a number.
		r.Version = TextOf(d.p.value())
	case "entrypoint":
		d.str(&r.Entrypoint, "entrypoint")
	case "toolUseID":
		d.str(&r.ToolUseID, "toolUseID")
	case "content":
		r.Content = d.p.value()
	case "toolUseResult", "tool_use_result":
		r.ToolUseResult = d.p.value()
	case "message":
		r.Message = d.message(r)
	case "attachment":
		r.Attachment = d.attachment()
	default:
		d.flagMember(r, name)
	}
}

// flagMember reads a boolean member; others are passed to rareMember.
func (d *decoder) flagMember(r *Record, name []byte) {
	switch string(name) {
	case "isMeta":
		d.flag(&r.IsMeta, "isMeta")
	case "isSidechain":
		d.flag(&r.IsSidechain, "isSidechain")
	case "isCompactSummary":
		d.flag(&r.IsCompactSummary, "isCompactSummary")
	case "isVisibleInTranscriptOnly":
		d.flag(&r.IsTranscriptOnly, "isVisibleInTranscriptOnly")
	case "isVirtual":
		d.flag(&r.IsVirtual, "isVirtual")
	case "isApiErrorMessage":
		d.flag(&r.IsAPIError, "isApiErrorMessage")
	default:
		d.rareMember(r, name)
	}
}

// rareMember reads a member that few records have. Unknown members are skipped.
func (d *decoder) rareMember(r *Record, name []byte) {
	switch string(name) {
	case "logicalParentUuid":
		d.str(&r.rare().LogicalParentUUID, "logicalParentUuid")
	case "agentName":
		d.str(&r.rare().AgentName, "agentName")
	case "teamName":
		d.str(&r.rare().TeamName, "teamName")
	case "origin":
		d.origin(r)
	case "promptSource":
		d.str(&r.rare().PromptSource, "promptSource")
	case "advisorModel":
		d.str(&r.rare().AdvisorModel, "advisorModel")
	case "permissionMode":
		d.str(&r.rare().PermissionMode, "permissionMode")
	case "parentToolUseID":
		d.str(&r.rare().ParentToolUseID, "parentToolUseID")
	case "parent_tool_use_id":
		d.str(&r.rare().ParentToolUseID, "parent_tool_use_id")
	case "sourceToolUseID":
		d.str(&r.rare().SourceToolUseID, "sourceToolUseID")
	case "leafUuid":
		d.str(&r.rare().LeafUUID, "leafUuid")
	case "interruptedMessageId":
		d.str(&r.rare().InterruptedMessageID, "interruptedMessageId")
	case "toolDenialKind":
		d.str(&r.rare().ToolDenialKind, "toolDenialKind")
	case "level":
		d.str(&r.rare().Level, "level")
	case "costUSD":
		if dollars, ok := d.amount(1e9, "costUSD"); ok {
			r.rare().CostUSD = dollars
		}
	case "wireToolInputs", "wire_tool_inputs":
		r.rare().WireInputs = d.p.value()
	case "turnOrigin":
		d.str(&r.rare().TurnOrigin, "turnOrigin")
	case "serverClassifierRequest":
		r.rare().Classifier = d.p.value()
	case "contexts":
		r.rare().Contexts = d.p.value()
	case "data":
		data := d.p.value()
		r.rare().Data, r.rare().DataType = data, String(Field(data, "type"))
	default:
		d.p.value()
	}
}

// origin reads an object with a kind, which is a string in some captures.
func (d *decoder) origin(r *Record) {
	value := d.p.value()
	origin := cmp.Or(String(value), String(Field(value, "kind")))
	if origin != "" {
		r.rare().Origin = origin
	}
	if Kind(value) == '{' {
		r.rare().OriginValue = value
	}
}

func (d *decoder) message(r *Record) *Message {
	if d.p.kind() == '"' { // files of other programs have the text itself here
		d.values += valuesPerBlock
		return &Message{Plain: true, Content: []Block{d.plain()}}
	}
	if !d.object("message") {
		return nil
	}
	m := new(Message)
	for name, ok := d.member(true); ok; name, ok = d.member(false) {
		switch string(name) {
		case "id":
			d.str(&m.ID, "message.id")
		case "role":
			d.str(&m.Role, "message.role")
		case "model":
			d.str(&m.Model, "message.model")
		case "stop_reason":
			d.str(&m.StopReason, "message.stop_reason")
		case "input_transformations":
			if value := d.p.value(); Kind(value) != 'n' {
				r.rare().Transformations = value
			}
		case "usage":
			if d.object("message.usage") {
				m.HasUsage = true
				m.Usage, m.Speed = d.usage(r)
			}
		case "content":
			m.Plain = d.p.kind() == '"'
			m.Content = d.blocks("message.content", 0)
		default:
			d.p.value()
		}
	}
	if len(m.Content) > 0 {
		d.values += valuesPerBlock // for its first block; the others are counted when they are read
	}
	return m
}

// usage reads the current object, of the message of a record.
func (d *decoder) usage(r *Record) (u Usage, speed string) {
	for name, ok := d.member(true); ok; name, ok = d.member(false) {
		switch string(name) {
		case "input_tokens":
			d.number(&u.Input, "usage.input_tokens")
		case "output_tokens":
			d.number(&u.Output, "usage.output_tokens")
		case "cache_read_input_tokens":
			d.number(&u.CacheRead, "usage.cache_read_input_tokens")
		case "cache_creation_input_tokens":
			d.number(&u.CacheWrite, "usage.cache_creation_input_tokens")
		case "cache_creation":
			if !d.enter() {
				break
			}
			for name, ok := d.member(true); ok; name, ok = d.member(false) {
				switch string(name) {
				case "ephemeral_5m_input_tokens":
					d.number(&u.CacheWrite5m, "usage.cache_creation.ephemeral_5m_input_tokens")
				case "ephemeral_1h_input_tokens":
					d.number(&u.CacheWrite1h, "usage.cache_creation.ephemeral_1h_input_tokens")
				default:
					d.p.value()
				}
			}
		case "server_tool_use":
			if !d.enter() {
				break
			}
			for name, ok := d.member(true); ok; name, ok = d.member(false) {
				if string(name) == "web_search_requests" {
					d.number(&u.WebSearches, "usage.server_tool_use.web_search_requests")
				} else {
					d.p.value()
				}
			}
		case "speed":
			d.str(&speed, "usage.speed")
		case "x_anthropic_cost_usd": // of a gateway
			if dollars, ok := d.amount(1e9, "usage.x_anthropic_cost_usd"); ok {
				r.rare().CostUSD = dollars
			}
		default:
			d.p.value()
		}
	}
	return u, speed
}

// enter enters an object if it is next. Any other value is skipped.
func (d *decoder) enter() bool {
	if d.p.kind() == '{' {
		d.p.open()
		return true
	}
	d.p.value()
	return false
}

// maxDepth limits the nesting of content blocks in tool results in content blocks. Real files nest twice.
const maxDepth = 8

// plain returns the next string as a block of text.
func (d *decoder) plain() Block {
	start := d.p.pos
	text := d.text()
	return Block{Type: "text", Raw: d.p.data[start:d.p.pos], Text: text}
}

// blocks decodes content: a string is one text block, an object one block, an array one block for each element, null
// nothing. Anything else is one block without type, kept raw.
func (d *decoder) blocks(field string, depth int) []Block {
	switch d.p.kind() {
	case 0:
		return nil
	case 'n':
		d.p.value()
		return nil
	case '"':
		return []Block{d.plain()}
	case '[':
		if depth >= maxDepth {
			break
		}
		blocks := make([]Block, 0, 1) // usually a message has one block
		d.p.open()
		unread := 0
		counts := 1
		if depth == 0 {
			counts = valuesPerBlock
		}
		for first := true; d.p.next(']', first); first = false {
			if start := d.p.pos; len(blocks) > 0 && !d.admit(d.pos.Offset+int64(start), counts) {
				if d.p.value(); !d.admit(d.pos.Offset+int64(d.p.pos), counts) { // nor is it long enough
					unread++
					continue
				}
				d.p.pos = start
			}
			blocks = append(blocks, d.block(field, len(blocks), depth))
		}
		if unread > 0 {
			d.complain(field, "%d more blocks are not read: they are too many and too small for a message", unread)
		}
		return blocks
	case '{': // results of tools that run on the server: advisor_tool_result, web_fetch_tool_result
		if depth < maxDepth {
			return []Block{d.block(field, 0, depth)}
		}
	}
	return []Block{{Raw: d.p.value()}}
}

func (d *decoder) block(field string, i, depth int) Block {
	switch d.p.kind() {
	case '{':
	case '"':
		return d.plain()
	default:
		b := Block{Raw: d.p.value()}
		d.complain(fmt.Sprintf("%s[%d]", field, i), "want a content block, got %s", kindName(b.Raw))
		return b
	}
	// Errors are rare, so the name of the field is only built for them.
	full := func(name string) string { return fmt.Sprintf("%s[%d].%s", field, i, name) }
	long := func(to *string, name string) {
		switch d.p.kind() {
		case '"', 'n':
			d.long(to, "")
		default:
			d.long(to, full(name))
		}
	}
	str := func(to *string, name string) {
		long(to, name)
		if len(*to) > longestName {
			d.cut(to, full(name))
		}
	}
	var b Block
	start := d.p.pos
	d.p.open()
	for name, ok := d.member(true); ok; name, ok = d.member(false) {
		switch string(name) {
		case "type":
			str(&b.Type, "type")
		case "text":
			long(&b.Text, "text")
		case "thinking":
			long(&b.Text, "thinking")
		case "id":
			str(&b.ID, "id")
		case "name":
			str(&b.Name, "name")
		case "tool_name":
			str(&b.Name, "tool_name")
		case "input":
			b.Input = d.p.value()
		case "tool_use_id":
			str(&b.ToolUseID, "tool_use_id")
		case "is_error":
			d.flag(&b.IsError, "is_error")
		case "content":
			b.Plain = d.p.kind() == '"'
			b.Content = d.blocks(field, depth+1)
		case "source":
			b.Source = source(d.p.value())
		default:
			d.p.value()
		}
	}
	b.Raw = d.p.data[start:d.p.pos]
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

func (d *decoder) attachment() *Attachment {
	d.p.space()
	start := d.p.pos
	if !d.object("attachment") {
		return nil
	}
	d.values += valuesPerBlock
	a := new(Attachment)
	for name, ok := d.member(true); ok; name, ok = d.member(false) {
		switch string(name) {
		case "type":
			d.str(&a.Type, "attachment.type")
		case "hookEvent":
			d.str(&a.HookEvent, "attachment.hookEvent")
		case "hookName":
			d.str(&a.HookName, "attachment.hookName")
		case "toolUseID":
			d.str(&a.ToolUseID, "attachment.toolUseID")
		default:
			d.p.value()
		}
	}
	a.Raw = d.p.data[start:d.p.pos]
	return a
}
