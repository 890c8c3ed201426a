package render

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/cespare/xxhash/v2"
	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/stats"
	"viewer/internal/testing/corpusgen"
	"viewer/internal/tools"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// TestSignature changes every field that a page is drawn from, one at a time. The signature of the page must change
// each time, unless the field is listed with the reason why it is not part of the signature.
func TestSignature(t *testing.T) {
	without := map[string]string{
		"Message.Record":     "records do not change; which one it is shows in its place",
		"Message.Block":      "a block is that of its record",
		"Turn.Index":         "not drawn",
		"Turn.Messages":      "what is drawn of a turn is in its prompt and items, but for the strip of an agent",
		"Group.Agents":       "see Agent",
		"Group.Resumes":      "see Agent",
		"Agent.Conversation": "see its turns",
		"Agent.toolUseID":    "not exported",
		"Agent.linked":       "not exported",
		"inner.Conversation": "see its turns",
		"Request.ID":         "not drawn but as the place of its record",
		"Request.Model":      "decides whether its context is told, which is in the signature",
		"Request.Speed":      "shows in the cost",
		"Request.CostUSD":    "shows in the cost",
		"Request.OutputOnly": "shows in the cost",
		"Request.Several":    "shows in totals, and in the strip of an agent",
		"Request.OfSession":  "shows in totals",
		"Request.Window":     "comes with the tokens that show in totals",
		"Request.First":      "shows in the record that is drawn",
		"Request.Last":       "not drawn",
		"Request.Repeats":    "shows in totals, and in the strip of an agent",
		"Request.Usage":      "as its context",
		"TaskState.Change":   "shows in its tasks",
		"Task.Past":          "shows in what is told of the last of them",
		"TaskPast.Change":    "not drawn",
		"turnPart.turn":      "see Turn",
		"turnPart.items":     "see Group and Message",
	}
	f := transcript.Read("s.jsonl", corpusgen.Session(3, 3_000_000))
	c := normalize.Build(normalize.Input{ID: "s", Main: &f})
	b := Open(Session{Conversation: c, Main: &f, Folder: "s"})
	page := 0
	var group *normalize.Group
	var agent *normalize.Agent
	for i, j := range b.b.jobs {
		if i == 0 || j.inner != nil {
			continue
		}
		for _, l := range j.parts[j.index] {
			for _, item := range l.items {
				if g, ok := item.(*normalize.Group); ok && group == nil && g.Call != nil && g.Result != nil &&
					c.Sent.Fates[g.Call].Number > 2 {
					group, page = g, i
				}
			}
		}
	}
	if group == nil {
		t.Fatal("no later page has a call")
	}
	j := &b.b.jobs[page]
	l := &j.parts[j.index][0]
	agent = &normalize.Agent{ID: "a", Conversation: &normalize.Conversation{}}
	group.Agents = append(group.Agents, agent)
	in := &inner{Conversation: agent.Conversation, name: "a", hasPages: true}
	b.b.data.inners[agent.Conversation] = in
	totals := stats.Totals{Models: []stats.Model{{Name: "m"}}, Credits: []stats.Credit{{Unit: "c"}}}
	request := &normalize.Request{Model: "m", HasUsage: true, Usage: transcript.Usage{Input: 12_345},
		First: group.Call.Record}
	table := b.b.data.sentTables[c]
	table.requests[group.Call.Record] = request
	fate := c.Sent.Fates[group.Call]
	made := &tools.Task{ID: "1", Past: []tools.TaskPast{{Subject: "s", Status: "completed"}}}
	state := tools.TaskState{Tasks: []*tools.Task{made}}

	sign := func() signature {
		c.Sent.Fates[group.Call] = fate
		b.b.data.tasks[group] = state
		now, _ := b.b.sign(j)
		return now
	}
	signTotals := func() signature {
		s := signer{data: b.b.data}
		s.totals(totals)
		return s.signature()
	}
	for _, v := range []struct {
		of   any
		sign func() signature
	}{
		{group.Call, sign}, {group.Result, sign}, {group, sign}, {agent, sign}, {in, sign}, {l, sign}, {&fate, sign},
		{request, sign}, {&state, sign}, {made, sign}, {&made.Past[0], sign},
		{&totals, signTotals}, {&totals.Usage, signTotals}, {&totals.Cost, signTotals}, {&totals.Models[0], signTotals},
		{&totals.Models[0].Usage, signTotals}, {&totals.Models[0].Cost, signTotals}, {&totals.Credits[0], signTotals},
	} {
		value := reflect.ValueOf(v.of).Elem()
		for i := range value.NumField() {
			name := value.Type().Name() + "." + value.Type().Field(i).Name
			// including unexported fields
			field := reflect.NewAt(value.Field(i).Type(), value.Field(i).Addr().UnsafePointer()).Elem()
			if without[name] != "" || field.Kind() == reflect.Struct {
				continue
			}
			before := v.sign()
			old := reflect.New(field.Type()).Elem()
			old.Set(field)
			change(t, name, field)
			if v.sign() == before {
				t.Errorf("a changed %s gives the same signature: add it to sign.go", name)
			}
			field.Set(old)
			if v.sign() != before {
				t.Fatalf("%s: the signature changed without a change", name)
			}
		}
	}
}

// TestSignedEnd: a page changes when a command that it shows ends on a later page.
func TestSignedEnd(t *testing.T) {
	f := transcript.Read("s.jsonl", corpusgen.Session(3, 100_000))
	b := Open(Session{Conversation: normalize.Build(normalize.Input{ID: "s", Main: &f}), Main: &f, Folder: "s"})
	for i := range b.b.jobs {
		j := &b.b.jobs[i]
		for _, l := range j.parts[j.index] {
			for _, item := range l.items {
				g, ok := item.(*normalize.Group)
				if !ok {
					continue
				}
				before, _ := b.b.sign(j)
				b.b.data.ends[g] = "2"
				if after, _ := b.b.sign(j); after == before {
					t.Error("the end of a command gives the same signature")
				}
				return
			}
		}
	}
	t.Fatal("no page has a call")
}

// change sets a field to another value.
func change(t *testing.T, name string, field reflect.Value) {
	t.Helper()
	switch field.Interface().(type) {
	case time.Duration:
		field.SetInt(field.Int() + int64(time.Hour))
		return
	}
	switch field.Kind() {
	case reflect.String:
		field.SetString(field.String() + "x")
	case reflect.Bool:
		field.SetBool(!field.Bool())
	case reflect.Int, reflect.Int32, reflect.Int64:
		field.SetInt(field.Int() + 1)
	case reflect.Uint8:
		field.SetUint(field.Uint() ^ 1)
	case reflect.Slice:
		one := reflect.New(field.Type().Elem()).Elem()
		if one.Kind() == reflect.Pointer {
			one.Set(reflect.New(one.Type().Elem()))
			if m, ok := one.Interface().(*normalize.Message); ok {
				m.Record = new(transcript.Record)
			}
		}
		field.Set(reflect.Append(field, one))
	case reflect.Pointer:
		if !field.IsNil() {
			field.SetZero()
			return
		}
		field.Set(reflect.New(field.Type().Elem()))
		if m, ok := field.Interface().(*normalize.Message); ok {
			m.Record = new(transcript.Record)
		}
	default:
		t.Fatalf("%s: this test cannot change a %s: list the field, or extend the test", name, field.Kind())
	}
}

// TestSignerHash: the hash of a value is the same whether it was hashed just before or not.
func TestSignerHash(t *testing.T) {
	long := jsontext.Value(strings.Repeat("kiln", 2000))
	other := jsontext.Value(strings.Repeat("nail", 2000))
	var s signer
	for i, v := range []jsontext.Value{long, long, long[:6000], other, long, {}, long[:10], long[:4096], long[4:]} {
		if got, want := s.hash(v), xxhash.Sum64(v); got != want {
			t.Errorf("value %d has the hash %x, want %x", i, got, want)
		}
	}
}
