package transcript

import (
	"bytes"
	"fmt"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

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
		case "iterations":
			if advice := adviceIn(d.p.value()); advice != nil {
				r.rare().Advice = advice
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

// adviceIn returns the requests among the iterations of an answer that its own usage does not include: those to
// advisors, for a summary by the server, and to a model that declined in the middle of its answer, so that another one
// answered (fallback_message). One that declined before it said anything is free.
func adviceIn(iterations jsontext.Value) (all []Advice) {
	const advisor, summary, fallback = "advisor_message", "compaction", "fallback_message"
	isIn := func(kind string) bool { return bytes.Contains(iterations, []byte(kind)) }
	if !isIn(advisor) && !isIn(summary) && !isIn(fallback) {
		return nil
	}
	answered := "" // by this model
	for it := range Elements(iterations) {
		if String(Field(it, "type")) == fallback {
			answered = String(Field(it, "model"))
		}
	}
	for it := range Elements(iterations) {
		a := Advice{Model: String(Field(it, "model")), Usage: iterationUsage(it)}
		switch kind := String(Field(it, "type")); {
		case kind == advisor, kind == summary:
		case kind == "message" && answered != "" && a.Model != "" && a.Model != answered && a.Usage.Output > 0:
		default:
			continue
		}
		if all = append(all, a); len(all) == maxAdvice {
			break
		}
	}
	return all
}

func iterationUsage(it jsontext.Value) Usage {
	tokens := func(v jsontext.Value, name string) int64 {
		n, err := strconv.ParseInt(string(Field(v, name)), 10, 64)
		if err != nil || n < 0 || n > 1e15 {
			return 0
		}
		return n
	}
	created := Field(it, "cache_creation")
	return Usage{
		Input: tokens(it, "input_tokens"), Output: tokens(it, "output_tokens"),
		CacheRead: tokens(it, "cache_read_input_tokens"), CacheWrite: tokens(it, "cache_creation_input_tokens"),
		CacheWrite5m: tokens(created, "ephemeral_5m_input_tokens"),
		CacheWrite1h: tokens(created, "ephemeral_1h_input_tokens"),
	}
}

// maxAdvice limits the requests of one answer that count besides it. Real ones have a few.
const maxAdvice = 100

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
