package export

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"viewer/internal/tools"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// atifVersion is the version of the Agent Trajectory Interchange Format.
const atifVersion = "ATIF-v1.7"

// ATIF returns a session as a trajectory in the Agent Trajectory Interchange Format, which Harbor defined: a step for
// each prompt, for each request with its calls and results, and for each remark of the program. Agents are embedded.
// Facts without a member in the format are in "extra". Images are described by type and size, or by their address.
//
// All options count except Color, Longest and LongestText. Attempts that were taken back are left out.
func ATIF(s Session, o Options) ([]byte, error) {
	turns, err := choose(s.Conversation, o)
	if err != nil {
		return nil, err
	}
	w := atifWriter{Session: s, o: o, context: callContext(s), taken: make(map[string]bool)}
	t := w.trajectory(s.Conversation, turns)
	t.SessionID = s.Conversation.ID
	if o.whole() {
		for _, a := range s.Conversation.Agents {
			w.agent(&t, a)
		}
		t.Final = w.whole(t.sums).counts()
	}
	t.Extra = extra{"title": s.Title(), "project": s.Project}.orNil()
	if len(t.Steps) == 0 {
		return nil, errNoSteps
	}
	return encode(t)
}

// An extra has facts without a member in the format.
type extra map[string]any

// orNil returns the members that are not empty, or nil if all are.
func (e extra) orNil() extra {
	for name, v := range e {
		switch v := v.(type) {
		case string:
			if v == "" {
				delete(e, name)
			}
		case int64:
			if v == 0 {
				delete(e, name)
			}
		case bool:
			if !v {
				delete(e, name)
			}
		case []string:
			if len(v) == 0 {
				delete(e, name)
			}
		}
	}
	if len(e) == 0 {
		return nil
	}
	return e
}

type trajectory struct {
	Schema    string       `json:"schema_version"`
	SessionID string       `json:"session_id,omitempty"`
	ID        string       `json:"trajectory_id,omitempty"` // of an agent
	Agent     atifAgent    `json:"agent"`
	Steps     []atifStep   `json:"steps"`
	Final     *finalCounts `json:"final_metrics,omitempty"`
	Extra     extra        `json:"extra,omitempty"`
	Agents    []trajectory `json:"subagent_trajectories,omitempty"`

	sums sums
}

type atifAgent struct {
	Name    string `json:"name"`
	Version string `json:"version"`
	Model   string `json:"model_name,omitempty"`
	Extra   extra  `json:"extra,omitempty"`
}

type atifStep struct {
	ID          int          `json:"step_id"` // from 1
	Time        string       `json:"timestamp,omitempty"`
	Source      string       `json:"source"` // user, agent, system
	Model       string       `json:"model_name,omitempty"`
	Message     any          `json:"message"` // a string, or parts
	Reasoning   string       `json:"reasoning_content,omitempty"`
	Calls       []atifCall   `json:"tool_calls,omitempty"`
	Observation *observation `json:"observation,omitempty"`
	Metrics     *atifMetrics `json:"metrics,omitempty"`
	Extra       extra        `json:"extra,omitempty"`

	ids map[string]int // how many calls had an id
}

type atifCall struct {
	ID        string `json:"tool_call_id"`
	Name      string `json:"function_name"`
	Arguments raw    `json:"arguments"`
	Extra     extra  `json:"extra,omitempty"`
}

type observation struct {
	Results []atifResult `json:"results"`
}

type atifResult struct {
	Call    string    `json:"source_call_id,omitempty"`
	Content any       `json:"content,omitempty"` // a string, or parts
	Agents  []atifRef `json:"subagent_trajectory_ref,omitempty"`
	Extra   extra     `json:"extra,omitempty"`
}

type atifRef struct {
	Trajectory string `json:"trajectory_id"`
	Extra      extra  `json:"extra,omitempty"`
}

type atifPart struct {
	Type   string      `json:"type"` // text, image
	Text   string      `json:"text,omitempty"`
	Source *atifSource `json:"source,omitempty"`
}

type atifSource struct {
	Type string `json:"media_type"`
	Path string `json:"path"`
}

// atifMetrics are the tokens of one request. Prompt tokens include cached ones.
type atifMetrics struct {
	Prompt     int64    `json:"prompt_tokens,omitempty"`
	Completion int64    `json:"completion_tokens"`
	Cached     int64    `json:"cached_tokens,omitempty"`
	Cost       *float64 `json:"cost_usd,omitempty"`
	Extra      extra    `json:"extra,omitempty"`
}

type finalCounts struct {
	Prompt     int64    `json:"total_prompt_tokens,omitempty"`
	Completion int64    `json:"total_completion_tokens,omitempty"`
	Cached     int64    `json:"total_cached_tokens,omitempty"`
	Cost       *float64 `json:"total_cost_usd,omitempty"`
	Steps      int      `json:"total_steps"`
	Extra      extra    `json:"extra,omitempty"`
}

type atifWriter struct {
	Session
	o       Options
	context tools.Context
	taken   map[string]bool // ids of trajectories in use
}

// sources are the names of the sides in the format.
var sources = [...]string{byUser: "user", byModel: "agent", byProgram: "system"}

// trajectory returns a conversation without its id.
func (w *atifWriter) trajectory(c *normalize.Conversation, turns []turn) trajectory {
	f := &c.Facts
	t := trajectory{Schema: atifVersion, Steps: []atifStep{}, Agent: atifAgent{
		Name: c.Writer.ID(), Version: "unknown", Extra: extra{"cwd": f.CWD, "git_branches": f.Branches}.orNil(),
	}}
	if len(f.Versions) > 0 {
		t.Agent.Version = f.Versions[len(f.Versions)-1]
	}
	if len(f.Models) > 0 {
		t.Agent.Model = f.Models[0]
	}
	for _, turn := range turns {
		for _, s := range w.o.stepsOf(turn) {
			step := w.step(&t, &s)
			step.ID = len(t.Steps) + 1
			if m := step.Metrics; m != nil {
				t.sums.usage = t.sums.usage.Add(s.request.Usage)
				if m.Cost != nil {
					t.sums.cost += *m.Cost
				}
				t.sums.listed = t.sums.listed || m.Extra["list_price"] == true
			}
			t.Steps = append(t.Steps, step)
		}
	}
	t.sums.steps = len(t.Steps)
	t.Final = t.sums.counts()
	return t
}

// sums are the tokens and the cost of the steps of a trajectory.
type sums struct {
	usage  transcript.Usage
	cost   float64 // in dollars
	listed bool    // a part of the cost is list prices
	steps  int
}

// whole returns the sums of the main trajectory. The format wants its cost to include that of agents. Tokens that the
// log states only for the whole session are in no step.
func (w *atifWriter) whole(s sums) sums {
	t := &w.Totals
	if cost := t.Cost.Total(); cost > 0 && w.CostOf != nil {
		s.cost, s.listed = cost.Dollars(), t.Cost.List > 0
	}
	if t.Requests == 0 && t.Tokens() > 0 {
		s.usage = t.Usage
	}
	return s
}

func (s sums) counts() *finalCounts {
	f := &finalCounts{
		Prompt: max(0, s.usage.Context()), Completion: max(0, s.usage.Output), Cached: max(0, s.usage.CacheRead),
		Extra: extra{"cache_creation_tokens": max(0, s.usage.CacheWrite), "list_price": s.listed}.orNil(),
		Steps: s.steps,
	}
	if cost := rounded(s.cost); cost > 0 {
		f.Cost = &cost
	}
	return f
}

// rounded removes the error of floating point from an amount in dollars.
func rounded(dollars float64) float64 {
	f, _ := strconv.ParseFloat(strconv.FormatFloat(dollars, 'f', 9, 64), 64)
	return f
}

// step returns a step without its number. The agents of its calls become agents of t.
func (w *atifWriter) step(t *trajectory, s *step) atifStep {
	a := atifStep{Time: Stamp(s.record.Timestamp), Source: sources[s.side], Message: ""}
	more := extra{}
	switch s.side {
	case byModel:
		if r := s.record; r.Message != nil && !strings.HasPrefix(r.Message.Model, "<") {
			a.Model = r.Message.Model
		}
		a.Message = w.joined(s.messages, normalize.Text)
		if slices.ContainsFunc(s.messages, isMedia) {
			a.Message = messageParts(withoutThoughts(s.messages))
		}
		a.Reasoning = w.joined(s.messages, normalize.Thinking)
		encrypted := int64(0)
		for _, m := range s.messages {
			if m.Block != nil && m.Block.OnlyEncrypted() {
				encrypted += m.Block.Encrypted
			}
		}
		more["encrypted_reasoning_bytes"] = encrypted
		a.Metrics = w.metrics(s.request)
	case byUser:
		a.Message = messageParts(s.messages)
		w.describe(more, s)
	case byProgram:
		w.describe(more, s)
		var texts []string
		for _, m := range s.messages {
			if m.Kind == normalize.Output {
				a.observe(atifResult{Content: m.Text})
			} else {
				texts = append(texts, said(m))
			}
		}
		a.Message = w.together(texts)
	}
	for _, m := range s.messages {
		if m.Ending != normalize.NoEnding {
			more["ending"] = m.Ending.String()
		}
	}
	for _, g := range s.calls {
		w.call(t, &a, g)
	}
	a.Extra = more.orNil()
	return a
}

// describe adds the kind of a step where its source does not tell.
func (w *atifWriter) describe(more extra, s *step) {
	if len(s.messages) == 0 {
		return
	}
	m := s.messages[0]
	if m.Kind != normalize.Prompt {
		more["kind"] = m.Kind.String()
	}
	more["queued"] = m.Queued
	var contexts []jsonContext
	for _, m := range s.messages {
		for _, c := range m.Contexts {
			contexts = append(contexts, jsonContext{c.Kind.String(), c.Name, c.Label, c.Detail})
		}
	}
	if contexts != nil {
		more["contexts"] = contexts
	}
}

func (a *atifStep) observe(r atifResult) {
	if a.Observation == nil {
		a.Observation = new(observation)
	}
	a.Observation.Results = append(a.Observation.Results, r)
}

// unique returns an id that no other call of the step has.
func (a *atifStep) unique(id string) string {
	if a.ids == nil {
		a.ids = make(map[string]int)
	}
	a.ids[id]++
	if n := a.ids[id]; n > 1 {
		return a.unique(fmt.Sprintf("%s-%d", id, n))
	}
	return id
}

// call adds a call with its result and its agents.
func (w *atifWriter) call(t *trajectory, a *atifStep, g *normalize.Group) {
	id := a.unique(callID(g)) // results refer to calls of their own step
	var r atifResult
	if g.Call != nil {
		c := atifCall{ID: id, Name: g.Call.Name, Arguments: arguments(g)}
		about := extra{"exit": tools.Describe(g, w.context).Exit}
		if !g.State.OK() {
			about["state"] = g.State.String()
		}
		c.Extra = about.orNil()
		a.Calls = append(a.Calls, c)
		r.Call = id
	}
	for _, agent := range g.Agents {
		r.Agents = append(r.Agents, w.agent(t, agent))
	}
	if g.Result != nil {
		r.Content = resultParts(g.Result.Block)
		more := extra{"is_error": g.Result.Block.IsError && g.State != normalize.Done}
		if at := g.Result.Time(); !at.Equal(g.Head().Time()) {
			more["timestamp"] = Stamp(at)
		}
		if g.Call == nil {
			more["tool_call_id"] = id
		}
		r.Extra = more.orNil()
	}
	if g.Result != nil || r.Agents != nil {
		a.observe(r)
	}
}

// agent embeds the trajectory of an agent.
func (w *atifWriter) agent(t *trajectory, a *normalize.Agent) atifRef {
	id := a.ID
	for i := 2; w.taken[id] || id == ""; i++ {
		id = fmt.Sprintf("%s-%d", a.ID, i)
	}
	w.taken[id] = true
	var turns []turn
	for _, turn := range a.Conversation.Turns {
		turns = append(turns, w.o.turn(turn, everywhere))
	}
	inner := w.trajectory(a.Conversation, turns)
	inner.ID = id
	inner.Extra = extra{"agent_type": a.Type, "description": a.Description, "workflow_run": a.Run}.orNil()
	if len(inner.Steps) > 0 { // the format requires one
		t.Agents = append(t.Agents, inner)
	}
	return atifRef{Trajectory: id, Extra: extra{"agent_type": a.Type, "description": a.Description}.orNil()}
}

// metrics returns the tokens of a request, or nil if the log does not have them.
func (w *atifWriter) metrics(r *normalize.Request) *atifMetrics {
	if r == nil {
		return nil
	}
	u := r.Usage
	m := &atifMetrics{Prompt: max(0, u.Context()), Completion: max(0, u.Output), Cached: max(0, u.CacheRead)}
	more := extra{
		"cache_creation_tokens":    max(0, u.CacheWrite),
		"cache_creation_1h_tokens": max(0, u.CacheWrite1h), // and what else decides the price
		"web_search_requests":      max(0, u.WebSearches),
	}
	if r.Speed != "standard" {
		more["speed"] = r.Speed
	}
	if w.CostOf != nil {
		cost := w.CostOf(r)
		if d := cost.Total().Dollars(); d > 0 {
			m.Cost = &d
			more["list_price"] = cost.List > 0
		}
	}
	m.Extra = more.orNil()
	return m
}

// imageTypes are the types of images that the format allows.
var imageTypes = map[string]bool{"image/jpeg": true, "image/png": true, "image/gif": true, "image/webp": true}

// imagePart returns an image by its address, or a description.
func imagePart(b *transcript.Block) atifPart {
	if b.Source.URL != "" && imageTypes[b.Source.MediaType] {
		return atifPart{Type: "image", Source: &atifSource{b.Source.MediaType, b.Source.URL}}
	}
	return atifPart{Type: "text", Text: "[" + mediaWords(b) + "]"}
}

// messageParts returns the parts of a prompt, or a string if it is one text.
func messageParts(all []*normalize.Message) any {
	var parts []atifPart
	for _, m := range all {
		if isMedia(m) {
			parts = append(parts, imagePart(m.Block))
		} else if text := said(m); text != "" {
			parts = append(parts, atifPart{Type: "text", Text: text})
		}
	}
	return plainParts(parts)
}

// resultParts returns the parts of a result, or a string if it is one text.
func resultParts(b *transcript.Block) any {
	var parts []atifPart
	for i := range b.Content {
		text, ok := resultWords(&b.Content[i])
		switch {
		case ok && text == "":
		case ok:
			parts = append(parts, atifPart{Type: "text", Text: text})
		default:
			parts = append(parts, imagePart(&b.Content[i]))
		}
	}
	return plainParts(parts)
}

func plainParts(parts []atifPart) any {
	switch {
	case len(parts) == 0:
		return ""
	case len(parts) == 1 && parts[0].Type == "text":
		return parts[0].Text
	}
	return parts
}
