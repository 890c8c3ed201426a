package corpusgen

import (
	"fmt"
	"time"
)

// record appends a record with the id parent as its parent, and returns its own id.
func (s *session) record(parent string, format string, args ...any) string {
	id := s.uuid()
	up := "null" // the parent of the first record
	if parent != "" {
		up = `"` + parent + `"`
	}
	s.out = appendf(s.out, `{"parentUuid":%s,"isSidechain":%t`, up, s.sidechain)
	if s.agent != "" {
		s.out = appendf(s.out, `,"agentId":%q`, s.agent)
	}
	if s.v < 201090 { // later versions write the envelope last
		s.out = append(s.out, s.envelope...)
	}
	s.out = append(s.out, ',')
	s.out = appendf(s.out, format, args...)
	s.out = appendf(s.out, `,"uuid":%q,"timestamp":%q`, id, s.stamp())
	if s.v >= 201090 {
		s.out = append(s.out, s.envelope...)
	}
	s.out = append(s.out, "}\n"...)
	s.last = id
	return id
}

// newEnvelope returns the members that all records of a session share.
func (s *session) newEnvelope() []byte {
	e := []byte(`,"userType":"external"`)
	if s.v >= 201078 {
		e = append(e, `,"entrypoint":"cli"`...)
	}
	e = appendf(e, `,"cwd":%q,"sessionId":%q,"version":%q,"gitBranch":%q`, s.cwd, s.id, s.version, s.branch)
	if s.v >= 200055 && s.v <= 201112 {
		e = append(e, `,"slug":"wandering-lamp-corner"`...)
	}
	if s.v >= 201199 {
		e = appendf(e, `,"session_id":%q`, s.id)
	}
	return e
}

// line appends a record without a parent.
func (s *session) line(format string, args ...any) {
	s.out = append(appendf(s.out, format, args...), '\n')
}

// user appends a user record. Content is JSON; extra are further members, each with a comma before it.
func (s *session) user(parent string, content []byte, extra []byte) string {
	if s.v >= 201077 {
		extra = appendf(extra, `,"promptId":%q`, s.prompt)
	}
	return s.record(parent, `"type":"user","message":{"role":"user","content":%s}%s`, content, extra)
}

// begin starts an API message, to which the following blocks belong.
func (s *session) begin() {
	s.message = s.token("01", 22)
	s.context += 300 + s.rng.IntN(1800)
}

var outputTokens = distribution{1, 2, 60, 160, 400, 1800, 6000}

// block appends an assistant record, which holds one content block.
func (s *session) block(stop string, format string, args ...any) string {
	s.wait(3 * time.Second)
	if s.v < 201050 {
		stop = "null"
	} else {
		stop = `"` + stop + `"`
	}
	fresh, out := s.rng.IntN(4000), outputTokens.pick(s.rng)
	return s.record(s.last, `"message":{"model":%q,"id":"msg_%s","type":"message","role":"assistant","content":[%s],"stop_reason":%s,"stop_sequence":null%s,`+
		`"usage":{"input_tokens":%d,"cache_creation_input_tokens":%d,"cache_read_input_tokens":%d,"cache_creation":{"ephemeral_5m_input_tokens":%d,"ephemeral_1h_input_tokens":0},`+
		`"output_tokens":%d,"service_tier":"standard"%s}%s},"requestId":"req_%s","type":"assistant"%s`,
		s.model, s.message, appendf(nil, format, args...), stop, s.since(201089, `,"stop_details":null`),
		1+s.rng.IntN(12), fresh, s.context, fresh,
		out, s.moreUsage(fresh, out), s.since(201119, `,"diagnostics":null`), s.message,
		s.since(201217, `,"effort":"high"`))
}

// since returns a member that records have from a version on.
func (s *session) since(v version, member string) string {
	if s.v < v {
		return ""
	}
	return member
}

// moreUsage returns the members of usage that were added in 2.1.17 and 2.1.38. Their iterations repeat the totals.
func (s *session) moreUsage(fresh, out int) []byte {
	if s.v < 201038 {
		return []byte(s.since(201017, `,"inference_geo":"not_available"`))
	}
	return appendf(nil, `,"inference_geo":"","server_tool_use":{"web_search_requests":0,"web_fetch_requests":0},`+
		`"iterations":[{"input_tokens":2,"output_tokens":%d,"cache_read_input_tokens":%d,"cache_creation_input_tokens":%d,`+
		`"cache_creation":{"ephemeral_5m_input_tokens":%d,"ephemeral_1h_input_tokens":0},"type":"message"}],"speed":"standard"`, out, s.context, fresh, fresh)
}

// Signatures are longer in versions that log no text of the thinking.
var (
	signatureSizes       = distribution{200, 320, 450, 850, 1500, 4700, 24_000}
	silentSignatureSizes = distribution{200, 440, 1150, 2900, 6000, 17_500, 49_000}
)

// An opening says what a message has before its calls.
type opening struct{ thought, remark bool }

// openings returns the openings of messages with calls, and the percentage of answers without calls that begin with
// thinking.
func (s *session) openings() (before []weighted[opening], answers int) {
	values := func(nothing, thought, remark, both int) []weighted[opening] {
		return []weighted[opening]{
			{nothing, opening{}}, {thought, opening{thought: true}}, {remark, opening{remark: true}},
			{both, opening{true, true}},
		}
	}
	switch {
	case s.v < 200000:
		return values(37, 4, 57, 1), 1
	case s.v < 201000:
		return values(25, 18, 42, 15), 14
	case s.v < 201098:
		return values(7, 41, 8, 43), 60
	case s.v < 201150:
		return values(53, 11, 24, 11), 40
	}
	return values(33, 19, 8, 41), 64
}

func (s *session) think() {
	if s.silent {
		s.block("tool_use", `{"type":"thinking","thinking":"","signature":%q}`,
			s.base64(silentSignatureSizes.pick(s.rng)))
		return
	}
	s.block("tool_use", `{"type":"thinking","thinking":%q,"signature":%q}`, s.plain(thoughtSizes.pick(s.rng)),
		s.base64(signatureSizes.pick(s.rng)))
}

func (s *session) say(stop string, text []byte) { s.block(stop, `{"type":"text","text":%q}`, text) }

// A call is a tool_use block and the record that holds it.
type call struct{ id, record, name string }

// call appends a tool_use block; input is JSON.
func (s *session) call(name string, format string, args ...any) call {
	id := "toolu_" + s.token("01", 22)
	caller := ""
	if s.v >= 201017 {
		caller = `,"caller":{"type":"direct"}`
	}
	c := call{id: id, name: name}
	c.record = s.block("tool_use", `{"type":"tool_use","id":%q,"name":%q,"input":%s%s}`, id, name,
		appendf(nil, format, args...), caller)
	s.before(c)
	return c
}

// A result is the result of a call.
type result struct {
	content    []byte // as sent to the model: text, or a JSON array
	blocks     bool   // content is JSON
	failed     bool
	structured []byte // JSON; nil if there is none
}

// done appends the result of a call and the records of its hooks. The parent of the result is the call.
func (s *session) done(c call, r result) {
	s.wait(time.Duration(200+s.rng.IntN(9000)) * time.Millisecond)
	if s.v >= 201011 && s.v <= 201081 {
		s.after(c) // these versions log hooks before the result
	}
	content := r.content
	if !r.blocks {
		content = appendQuoted(nil, r.content)
	}
	block := appendf(nil, `[{"tool_use_id":%q,"type":"tool_result","content":%s`, c.id, content)
	if c.name == "Bash" || r.failed {
		block = appendf(block, `,"is_error":%t`, r.failed)
	}
	block = append(block, "}]"...)
	var extra []byte
	if r.structured != nil && (s.agent == "" || s.v < 201060) {
		extra = appendf(extra, `,"toolUseResult":%s`, r.structured)
	}
	if s.v >= 201001 {
		extra = appendf(extra, `,"sourceToolAssistantUUID":%q`, c.record)
	}
	s.user(c.record, block, extra)
	if s.v < 201011 || s.v > 201081 {
		s.after(c)
	}
	if c.name == "Edit" && s.v >= 201210 && !s.sidechain && s.rng.IntN(6) == 0 {
		s.delta()
	}
}

// fail appends the result of a failed call.
func (s *session) fail(c call, text string) {
	if s.v >= 200000 && c.name != "Bash" {
		text = "<tool_use_error>" + text + "</tool_use_error>"
	}
	s.done(c, result{content: []byte(text), failed: true, structured: appendQuoted(nil, "Error: "+text)})
}

func (s *session) wait(d time.Duration) { s.now = s.now.Add(d) }

func (s *session) stamp() string { return s.now.Format("2006-01-02T15:04:05.000Z") }

func (s *session) uuid() string {
	a, b := s.rng.Uint64(), s.rng.Uint64()
	return fmt.Sprintf("%08x-%04x-4%03x-a%03x-%012x", a>>32, a>>16&0xffff, a&0xfff, b>>48&0xfff, b&0xffffffffffff)
}

// token returns an id: a prefix and n random characters.
func (s *session) token(prefix string, n int) string {
	const letters = "ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz123456789"
	id := make([]byte, 0, len(prefix)+n)
	id = append(id, prefix...)
	for range n {
		id = append(id, letters[s.rng.IntN(len(letters))])
	}
	return string(id)
}

// hex returns an id of n random hex digits.
func (s *session) hex(n int) string { return fmt.Sprintf("%0*x", n, s.rng.Uint64())[:n] }

// base64 returns random text, like a signature.
func (s *session) base64(n int) []byte {
	at := s.rng.IntN(len(s.texts.noise) - n)
	return s.texts.noise[at : at+n]
}
