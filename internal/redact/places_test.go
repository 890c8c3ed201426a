package redact

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"viewer/internal/testing/corpus"
)

// TestPlaces: a session that is told the places of an earlier one returns the same as if it searched all values, and
// knows the same after each, whatever follows. The places have no text.
func TestPlaces(t *testing.T) {
	redactor, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	token := func(i int) string { return "gh" + "p_" + fmt.Sprintf("x7Rk2mQ9vLw4Tz8bNc5Yh1Jd6Fs3Gp0Ae%03d", i) }
	var kinds []string
	for _, c := range records {
		kinds = append(kinds, c.in...)
	}
	for _, c := range texts {
		kinds = append(kinds, `{"message":{"content":`+q(c.in)+`}}`)
	}
	say := func(text string) string { return `{"text":` + q(text) + `}` }
	run := func(command string) string {
		return `{"id":"toolu_1","name":"Bash","input":{"command":` + q(command) + `}}`
	}
	own := []string{
		`{"a":1}`, say("nothing"), say("in /home/ottilie/tides"), say("on ottilie/fix-it"),
		`{"cwd":"/home/ottilie/tides","text":"in /home/ottilie and /Users/ottilie"}`,
		`{"cwd":"/home/other/x","text":"C:\\Users\\ottilie\\x, ottilie/fix-it"}`,
		say("password: Sommerregen42!"), say("Try Sommerregen42! now"), say(token(1)), say(token(2) + " " + token(1)),
		run("cat .env"), run("kubectl get secret -o yaml"), `{"tool_use_id":"toolu_1","content":"A=Lampe77"}`,
		`{"thinking":"in /home/ottilie","signature":"abc"}`,
	}
	rng := rand.New(rand.NewPCG(1, 1))
	skipped, searched := 0, 0
	rounds := 20
	if corpus.Full() {
		rounds = 300
	}
	for range rounds {
		var values [][]byte
		for range 1 + rng.IntN(60) {
			values = append(values, []byte(own[rng.IntN(len(own))]))
			if rng.IntN(4) == 0 {
				values = append(values, []byte(kinds[rng.IntN(len(kinds))]))
			}
		}
		from := rng.IntN(len(values) + 1)
		first := redactor.Session()
		first.BeginPlaces(nil)
		for _, v := range values[:from] {
			first.JSON(v)
		}
		known := first.EndPlaces()
		for _, secret := range []string{"ottilie", "Sommerregen", "Lampe77", token(1)[:12]} {
			if bytes.Contains(known, []byte(secret)) {
				t.Fatalf("the places have %q", secret)
			}
		}
		alone, told := redactor.Session(), redactor.Session()
		alone.BeginPlaces(nil)
		told.BeginPlaces(known)
		for i, v := range values {
			left := len(told.placed.known)
			want, got := alone.JSON(v), told.JSON(v)
			if !bytes.Equal(got, want) || !reflect.DeepEqual(told.Counts(), alone.Counts()) ||
				told.knowledge() != alone.knowledge() || told.all != alone.all || told.late != alone.late ||
				!reflect.DeepEqual(told.reading, alone.reading) || !reflect.DeepEqual(told.markers, alone.markers) {
				t.Fatalf("value %d of %d, %d known: %q becomes\n%q, want\n%q\n%v, want\n%v", i, len(values), from,
					v, got, want, told.Counts(), alone.Counts())
			}
			if p := told.placed; left > len(p.known) && len(p.made) > 0 && p.made[len(p.made)-1] != 0 {
				skipped++
			} else {
				searched++
			}
		}
		if want, got := alone.EndPlaces(), told.EndPlaces(); !bytes.Equal(got, want) {
			t.Fatalf("the places are %v, want %v", got, want)
		}
	}
	if skipped < 2*rounds {
		t.Errorf("%d values were not searched, %d were", skipped, searched)
	}
}

// TestPlacesOfOthers: places of other values, and damaged ones, cause no panic, and the values are searched.
func TestPlacesOfOthers(t *testing.T) {
	redactor, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	first := `{"cwd":"/home/ottilie/x"}`
	for _, known := range []Places{
		{0, 2, 200, 200, 1, 0}, {0, 2}, {0, 2, 8}, {0, 2, 8, 7}, {0, 2, 8, 0}, {0, 3, 8, 0, 8, 0}, {0, 255, 255},
		{0, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255}, {0, 255, 255, 255, 255, 255, 255, 255, 255, 127},
		{0, 2, 255, 255, 255, 255, 255, 255, 255, 255, 127, 0},
	} {
		s := redactor.Session()
		s.BeginPlaces(known)
		for range 3 {
			if got := string(s.JSON([]byte(first))); strings.Contains(got, "ottilie") {
				t.Errorf("%v: the name is left: %s", known, got)
			}
		}
		s.EndPlaces()
	}
}
