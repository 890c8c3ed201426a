package redact

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"testing"

	"viewer/internal/corpusgen"
)

// TestScout lets a scout go over values ahead of a session, for some of which it is too late, or which teach the session
// something: the session replaces what it replaces by itself.
func TestScout(t *testing.T) {
	lines := bytes.Split(bytes.TrimSpace(corpusgen.Session(3, 400_000)), []byte("\n"))
	dice := rand.New(rand.NewPCG(5, 6))
	for i := range 300 {
		c := records[dice.IntN(len(records))]
		at := dice.IntN(len(lines))
		for _, in := range slices.Backward(c.in) {
			lines = slices.Insert(lines, at, []byte(in))
		}
		name, secret := fmt.Sprintf("somebody%d", i%40), fake(uint64(100+i%90), 24, alnum)
		call := fmt.Sprintf("toolu_%d", 20+i%30)
		for _, line := range []string{
			`{"cwd":"/home/` + name + `/src"}`,
			`{"t":"/tmp/` + name + `/x ` + name + `@lantern:~$ ` + secret + `"}`,
			`{"t":"API_TOKEN=` + secret + `"}`,
			`{"message":{"content":[{"type":"tool_use","id":"` + call + `","name":"Bash","input":{"command":"cat .env | head"}}]}}`,
			`{"message":{"content":[{"content":"SHOP=Lampen","tool_use_id":"` + call + `"}]}}`,
			`{"tool_use_id":"` + gh + `"}`,
		} {
			if dice.IntN(6) == 0 {
				lines = slices.Insert(lines, dice.IntN(len(lines)), []byte(line))
			}
		}
	}
	alone, session := newSession(t, Options{}), newSession(t, Options{})
	scout := session.Scout()
	findings := []*Findings{{}, {}, {}}
	trusted, not := 0, 0
	var pieces [][][]byte
	for rest := lines; len(rest) > 0; {
		n := min(len(rest), 1+dice.IntN(12))
		pieces, rest = append(pieces, rest[:n]), rest[n:]
	}
	seen := 0 // pieces that the scout has gone over
	for i, piece := range pieces {
		for ; seen < len(pieces) && seen < i+len(findings); seen++ {
			f := findings[seen%len(findings)]
			session.Brief(f)
			scout.Look(f, slices.Values(pieces[seen]))
		}
		f := findings[i%len(findings)]
		session.Trust(f)
		for _, value := range piece {
			if dice.IntN(20) == 0 { // it is decoded for something else, or not at all
				if dice.IntN(2) == 0 {
					continue
				}
				value = bytes.Clone(value)
			}
			if _, ok := f.of(value, session); ok {
				trusted++
			} else {
				not++
			}
			if got, want := session.JSON(value), alone.JSON(value); !bytes.Equal(got, want) {
				t.Fatalf("with a scout\n%s\nis\n%s\nwant\n%s", value, got, want)
			}
		}
		session.Trust(nil)
	}
	if !reflect.DeepEqual(session.Counts(), alone.Counts()) || session.Known() != alone.Known() {
		t.Errorf("counts %v, want %v", session.Counts(), alone.Counts())
	}
	if trusted < len(lines)/5 || not < 100 {
		t.Errorf("of %d values the scout's findings were taken for %d, and for %d not", len(lines), trusted, not)
	}
}
