package render

import (
	"bytes"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"golang.org/x/tools/txtar"

	"viewer/internal/stats"
	"viewer/internal/testing/corpus"
	"viewer/internal/testing/golden"
	"viewer/internal/testing/htmlcheck"
	"viewer/internal/transcript"
	"viewer/normalize"
)

// FuzzShuffled draws sessions of all kinds of records in random order. There may be no panic, the ledger must balance,
// and pages may only contain what our templates write.
func FuzzShuffled(f *testing.F) {
	kinds := kindsOfRecords(f)
	if len(kinds.calls) < 60 || len(kinds.others) < 150 {
		f.Fatalf("only %d calls and %d other records to shuffle", len(kinds.calls), len(kinds.others))
	}
	for seed := range uint64(30) {
		f.Add(seed)
	}
	prices := stats.ListPrices()
	f.Fuzz(func(t *testing.T, seed uint64) {
		s := sessionShuffler{kinds: kinds, rng: rand.New(rand.NewPCG(seed, 2))}
		main, agent := s.session(), s.session()
		file, inside := transcript.Read("s.jsonl", main), transcript.Read("agent-1.jsonl", agent)
		agents := []normalize.AgentFile{{ID: "1", File: &inside}}
		c := normalize.Build(normalize.Input{ID: "s", Main: &file, Agents: agents})
		d := DrawSession(Session{Main: &file, Agents: agents, Folder: "s", Conversation: c, Prices: prices})
		if !d.Ledger.Balanced() {
			t.Errorf("the ledger is not balanced: %+v", d.Ledger)
		}
		for _, p := range d.Pages {
			for _, finding := range htmlcheck.ForeignMarkupInPage(p.Name, p.HTML) {
				t.Error(finding)
			}
		}
	})
}

// recordKinds are records of which sessions are made.
type recordKinds struct {
	calls  [][2]string // calls with their results
	others []string
}

// kindsOfRecords returns the records of all golden cases and of testdata, and while fuzzing also those of real
// sessions, if they exist on this machine.
func kindsOfRecords(f *testing.F) recordKinds {
	var kinds recordKinds
	for _, pattern := range []string{"testdata/*/*.txtar", "../normalize/testdata/*/*.txtar"} {
		for _, path := range golden.Glob(f, pattern) {
			archive, err := txtar.ParseFile(path)
			if err != nil {
				f.Fatal(err)
			}
			for _, section := range archive.Files {
				if strings.HasSuffix(section.Name, ".jsonl") {
					kinds.take(section.Data)
				}
			}
		}
	}
	paths := golden.Glob(f, "../testdata/projects/*/*.jsonl")
	if flag.Lookup("test.fuzz").Value.String() != "" {
		real, reason := corpus.Find(f, "*/*/*/*.jsonl")
		if reason != "" {
			f.Log(reason)
		}
		paths = append(paths, real...)
	}
	for _, path := range paths {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		kinds.take(data)
	}
	return kinds
}

var callID = regexp.MustCompile(`"type":"(?:tool_use|tool_result)"[^{}]*?"(?:id|tool_use_id)":"([^"]+)"|"tool_use_id":"([^"]+)"`)

// take adds the lines of a session, without those that are too long.
func (k *recordKinds) take(data []byte) {
	calls := make(map[string]string) // calls by id
	for line := range bytes.Lines(data) {
		text := strings.TrimSpace(string(line))
		if len(text) == 0 || len(text) > 4000 {
			continue
		}
		id := ""
		if m := callID.FindStringSubmatch(text); m != nil {
			id = m[1] + m[2]
		}
		switch call := calls[id]; {
		case id == "":
			k.others = append(k.others, text)
		case strings.Contains(text, `"tool_use"`):
			calls[id] = text
		case call != "":
			k.calls = append(k.calls, [2]string{call, text})
		}
	}
}

// A sessionShuffler writes one session.
type sessionShuffler struct {
	kinds recordKinds
	rng   *rand.Rand
	out   bytes.Buffer
	n     int
	ids   []string
	clock time.Time
}

var (
	idMember   = regexp.MustCompile(`"(uuid|parentUuid)":(?:"[^"]*"|null)`)
	timeMember = regexp.MustCompile(`"timestamp":"[^"]*"`)
)

// chance returns true in n percent of the calls.
func (s *sessionShuffler) chance(n int) bool { return s.rng.IntN(100) < n }

// write appends a record. Its parent is usually the previous one, and sometimes a random one.
func (s *sessionShuffler) write(line string) {
	s.n++
	own, parent := fmt.Sprintf(`"%08x-0000-4000-8000-%012x"`, uint32(s.n)*2654435761, s.n), "null"
	if len(s.ids) > 0 {
		parent = s.ids[len(s.ids)-1]
		if s.chance(4) {
			parent = s.ids[s.rng.IntN(len(s.ids))]
		}
	}
	s.ids = append(s.ids, own)
	s.clock = s.clock.Add(time.Duration(s.rng.IntN(20)) * time.Second)
	line = idMember.ReplaceAllStringFunc(line, func(m string) string {
		if strings.HasPrefix(m, `"uuid"`) {
			return `"uuid":` + own
		}
		return `"parentUuid":` + parent
	})
	line = timeMember.ReplaceAllLiteralString(line, `"timestamp":"`+s.clock.Format("2006-01-02T15:04:05.000Z")+`"`)
	s.out.WriteString(line + "\n")
}

// call appends a call with its result, which may be an error or missing.
func (s *sessionShuffler) call(kind [2]string) {
	id := callID.FindStringSubmatch(kind[0])
	call, result := kind[0], kind[1]
	if id != nil {
		fresh := fmt.Sprintf(`"toolu_%06d"`, s.n)
		call = strings.ReplaceAll(call, `"`+id[1]+id[2]+`"`, fresh)
		result = strings.ReplaceAll(result, `"`+id[1]+id[2]+`"`, fresh)
	}
	s.write(call)
	switch {
	case s.chance(5):
		return
	case s.chance(15):
		result = strings.Replace(result, `"type":"tool_result"`, `"type":"tool_result","is_error":true`, 1)
	}
	if s.chance(20) {
		s.other()
	}
	s.write(result)
}

func (s *sessionShuffler) other() { s.write(s.kinds.others[s.rng.IntN(len(s.kinds.others))]) }

// session writes a session.
func (s *sessionShuffler) session() []byte {
	s.out.Reset()
	s.clock = time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	quiet := s.kinds.others[s.rng.IntN(len(s.kinds.others))] // as some versions write after each call
	for range 3 + s.rng.IntN(12) {
		if s.chance(50) {
			s.other()
			continue
		}
		kind := s.kinds.calls[s.rng.IntN(len(s.kinds.calls))]
		for range 1 + s.rng.IntN(12) {
			s.call(kind)
			if s.chance(40) {
				s.write(quiet)
			}
		}
	}
	return bytes.Clone(s.out.Bytes())
}
