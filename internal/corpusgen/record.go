package corpusgen

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
)

// A writer appends records to a session. Each hangs on the one before it, but for the results of
// calls, which hang on their call.
type writer struct {
	out     strings.Builder
	dice    *rand.Rand
	now     time.Time
	started time.Time // of the turn
	last    string    // the record that the next one hangs on
	message string    // the API message that the next block belongs to
	prompts string    // the id that the records of a turn share
	cached  int
	tail    fields
}

// fields is a JSON object that keeps its order.
type fields []field

type field struct {
	name  string
	value any
}

func (f fields) MarshalJSON() ([]byte, error) {
	var b strings.Builder
	b.WriteByte('{')
	for i, member := range f {
		value, err := json.Marshal(member.value)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", member.name, err)
		}
		if i > 0 {
			b.WriteByte(',')
		}
		fmt.Fprintf(&b, "%q:%s", member.name, value)
	}
	b.WriteByte('}')
	return []byte(b.String()), nil
}

func (w *writer) line(f fields) {
	data, err := json.Marshal(f)
	if err != nil {
		panic(err) // the values above are strings, numbers and fields
	}
	w.out.Write(data)
	w.out.WriteByte('\n')
}

// record appends a record of the chain and returns its id.
func (w *writer) record(parent string, f ...field) string {
	id := w.uuid()
	var up any // the first record has none
	if parent != "" {
		up = parent
	}
	head := fields{{"parentUuid", up}, {"isSidechain", false}}
	stamp := fields{{"uuid", id}, {"timestamp", w.stamp()}}
	w.line(append(append(append(head, f...), stamp...), w.tail...))
	w.last = id
	return id
}

func (w *writer) prompt(text string) {
	w.started, w.prompts = w.now, w.uuid()
	w.record(w.last, field{"promptId", w.prompts}, field{"type", "user"}, field{"message", fields{{"role", "user"}, {"content", text}}},
		field{"permissionMode", "default"}, field{"origin", fields{{"kind", "human"}}}, field{"promptSource", "typed"})
}

// begin starts an API message.
func (w *writer) begin() {
	w.message = w.id("msg_01")
	w.cached += 300 + w.dice.IntN(900)
}

func (w *writer) block(stop string, block fields) string {
	w.wait(2 * time.Second)
	usage := fields{{"input_tokens", 4}, {"cache_creation_input_tokens", 320}, {"cache_read_input_tokens", w.cached}, {"output_tokens", 60 + w.dice.IntN(400)}, {"service_tier", "standard"}}
	return w.record(w.last, field{"message", fields{{"model", model}, {"id", w.message}, {"type", "message"}, {"role", "assistant"},
		{"content", []any{block}}, {"stop_reason", stop}, {"stop_sequence", nil}, {"usage", usage}}},
		field{"requestId", "req_" + strings.TrimPrefix(w.message, "msg_")}, field{"type", "assistant"})
}

func (w *writer) think(text string) {
	w.block("tool_use", fields{{"type", "thinking"}, {"thinking", text}, {"signature", "EqQBexample"}})
}

func (w *writer) text(text string) { w.block("tool_use", fields{{"type", "text"}, {"text", text}}) }

// A call is a tool_use block and the record that holds it.
type call struct{ id, record, name string }

func (w *writer) call(name string, input fields) call {
	id := w.id("toolu_01")
	record := w.block("tool_use", fields{{"type", "tool_use"}, {"id", id}, {"name", name}, {"input", input}, {"caller", fields{{"type", "direct"}}}})
	return call{id, record, name}
}

func (w *writer) result(c call, content string, failed bool, structured any) {
	w.wait(time.Duration(1+w.dice.IntN(5)) * time.Second)
	block := fields{{"tool_use_id", c.id}, {"type", "tool_result"}, {"content", content}, {"is_error", failed}}
	w.record(c.record, field{"promptId", w.prompts}, field{"type", "user"}, field{"message", fields{{"role", "user"}, {"content", []any{block}}}},
		field{"toolUseResult", structured}, field{"sourceToolAssistantUUID", c.record})
}

// hook appends the report of a hook that ran after a call.
func (w *writer) hook(c call) {
	w.record(w.last, field{"attachment", fields{{"type", "hook_success"}, {"hookName", "PostToolUse:" + c.name}, {"toolUseID", c.id}, {"hookEvent", "PostToolUse"},
		{"content", ""}, {"stdout", "formatted 1 file\n"}, {"stderr", ""}, {"exitCode", 0}, {"command", "gofmt -l -w ."}, {"durationMs", 38}}}, field{"type", "attachment"})
}

func (w *writer) duration() {
	w.record(w.last, field{"type", "system"}, field{"subtype", "turn_duration"}, field{"durationMs", w.now.Sub(w.started).Milliseconds()}, field{"messageCount", 9})
}

func (w *writer) wait(d time.Duration) { w.now = w.now.Add(d) }

func (w *writer) stamp() string { return w.now.Format("2006-01-02T15:04:05.000Z") }

func (w *writer) uuid() string {
	a, b := w.dice.Uint64(), w.dice.Uint64()
	return fmt.Sprintf("%08x-%04x-4%03x-a%03x-%012x", a>>32, a>>16&0xffff, a&0xfff, b>>48&0xfff, b&0xffffffffffff)
}

func (w *writer) id(prefix string) string {
	return fmt.Sprintf("%s%016x%06x", prefix, w.dice.Uint64(), w.dice.Uint32()&0xffffff)
}
