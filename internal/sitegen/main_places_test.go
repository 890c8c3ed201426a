package sitegen

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"github.com/cespare/xxhash/v2"

	"viewer/internal/codec"
	"viewer/internal/fingerprint"
)

// TestPlacesEdits changes a transcript with secrets in random ways, each time in a new process that knows where the
// last one found something. The site must be that of a clean build, and no file of it may have a secret.
func TestPlacesEdits(t *testing.T) {
	const password, other = "Sommerregen42!", "Laternenpfahl77?"
	token := func(i int) string { return strings.Replace(secretToken, "x7Rk2", fmt.Sprintf("q%dZk%d", i, i), 1) }
	for seed := range sequences(1, 3, 24) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(seed, 7))
			source := t.TempDir()
			file := filepath.Join(source, "-home-ottilie-tides", "11111111-2222-4333-8444-555555555555.jsonl")
			agent := filepath.Join(strings.TrimSuffix(file, ".jsonl"), "subagents", "agent-0badcafe.jsonl")
			n := 0
			record := func(kind, rest string) string {
				n++
				return fmt.Sprintf(`{"type":%q,"uuid":"%08d-aaaa-4111-8111-111111111111","cwd":"/home/ottilie/tides",`+
					`"sessionId":"11111111-2222-4333-8444-555555555555","timestamp":"2026-05-12T10:00:00Z",%s}`+"\n",
					kind, n, rest)
			}
			say := func(text string) string {
				return record("user", fmt.Sprintf(`"message":{"role":"user","content":%q}`, text))
			}
			lines := []func() string{
				func() string { return say("Nothing new in /home/ottilie/tides or /Users/ottilie") },
				func() string { return say("Try " + password + " or " + other) },
				func() string { return say("password: " + password) },
				func() string { return say("DB_PASSWORD=" + other) },
				func() string { return say("Use " + token(rng.IntN(4)) + " and " + token(rng.IntN(4))) },
				func() string {
					return record("assistant", fmt.Sprintf(`"message":{"id":"m%d","role":"assistant","content":[`+
						`{"type":"tool_use","id":"toolu_%d","name":"Bash","input":{"command":"cat .env"}}]}`, n, n/10))
				},
				func() string {
					return record("user", fmt.Sprintf(`"message":{"role":"user","content":[{"type":"tool_result",`+
						`"tool_use_id":"toolu_%d","content":"SHOP=%s"}]}`, n/10, other))
				},
				func() string { return "no JSON, password=" + password + "\n" },
				func() string { return strings.TrimSuffix(say("The rest of "+token(9)+" follows"), "}\n") },
				func() string { return "\n" },
			}
			some := func() (text string) {
				for range 1 + rng.IntN(4) {
					text += lines[rng.IntN(len(lines))]()
				}
				return text
			}
			write(t, file, []byte(say("It begins")+some()+some()))
			o := Options{Sources: []string{source}, Out: t.TempDir(), Version: "test", storedSize: 1}
			mustBuild(t, o)
			var story []string
			for range 15 {
				data := read(t, file)
				switch kind := rng.IntN(10); kind {
				case 0:
					write(t, file, data[:len(data)-rng.IntN(min(len(data)/2, 600))])
					story = append(story, "truncated")
				case 1:
					at := rng.IntN(len(data))
					write(t, file, append(append(bytes.Clone(data[:at]), 'e'), data[at+1:]...))
					story = append(story, "changed")
				case 2:
					write(t, agent, []byte(strings.ReplaceAll(some(), `"type"`, `"isSidechain":true,"type"`)))
					story = append(story, "agent")
				case 3:
					o.Version += "+"
					story = append(story, "version")
				case 4:
					write(t, file, append([]byte(some()), data...))
					story = append(story, "prepended")
				case 5:
					o.Verify = true
					story = append(story, "verified")
				}
				more := some()
				appendTo(t, file, more)
				story = append(story, more)
				if r := mustBuild(t, o); len(r.Wrong) > 0 {
					t.Errorf("pages that would be drawn differently: %v", r.Wrong)
				}
				o.Verify = false
				compareClean(t, o)
				if t.Failed() {
					t.Fatalf("after %q", story)
				}
			}
			walkFiles(t, o.Out, func(path string) {
				for _, secret := range []string{token(0), token(1), "ottilie"} {
					if bytes.Contains(read(t, path), []byte(secret)) {
						t.Errorf("%s is in %s", secret, path)
					}
				}
			})
		})
	}
}

// placeholder is as long as secretToken.
var placeholder = strings.Repeat("x", len(secretToken))

// secretSession writes a session whose prompts have a token, except for some that have the placeholder. It returns the
// options of its site.
func secretSession(t *testing.T) (o Options, file string) {
	source := t.TempDir()
	file = filepath.Join(source, "-srv-lamps", "11111111-2222-4333-8444-555555555555.jsonl")
	write(t, file, nil)
	for i := range 10 {
		text := "Use " + placeholder
		if i%2 == 0 {
			text = "Use " + secretToken
		}
		appendTo(t, file, sayAt(i, text))
	}
	return Options{Sources: []string{source}, Out: t.TempDir(), Version: "test", storedSize: 1}, file
}

func sayAt(i int, text string) string {
	return fmt.Sprintf(`{"type":"user","uuid":"%08d-aaaa-4111-8111-111111111111","cwd":"/srv/lamps",`+
		`"timestamp":"2027-05-12T10:00:00Z","message":{"role":"user","content":%q}}`+"\n", i, text)
}

// isShown reports whether a site has the token.
func isShown(t *testing.T, site string) (shown bool) {
	walkFiles(t, site, func(path string) { shown = shown || bytes.Contains(read(t, path), []byte(secretToken)) })
	return shown
}

// TestPlacesUsed stores wrong places, which say that no value has a secret. They are used only after an append.
func TestPlacesUsed(t *testing.T) {
	for _, c := range []struct {
		name   string
		change func(file string, data []byte)
		want   bool
	}{
		{"an append", func(file string, _ []byte) { appendTo(t, file, sayAt(20, "More")) }, true},
		{"a rewritten beginning", func(file string, data []byte) {
			write(t, file, append(bytes.Replace(data, []byte("e"), []byte("a"), 1), sayAt(20, "More")...))
		}, false},
		{"a missing end", func(file string, data []byte) { write(t, file, data[:len(data)-1]) }, false},
	} {
		o, file := secretSession(t)
		mustBuild(t, o)
		if isShown(t, o.Out) {
			t.Fatal("the token is shown")
		}
		plantPlaces(t, filepath.Join(o.Out, pagesDir, stem(file)))
		c.change(file, read(t, file))
		mustBuild(t, o)
		if got := isShown(t, o.Out); got != c.want {
			t.Errorf("%s: the places are used: %v, want %v", c.name, got, c.want)
		}
	}
}

// plantPlaces makes all places of a stored session say that the value has nothing to replace.
func plantPlaces(t *testing.T, stored string) {
	t.Helper()
	body := strings.TrimPrefix(string(read(t, stored)), pagesMagic)
	d := codec.Decoder{Rest: body[:len(body)-len(fingerprint.Digest{})]}
	e := codec.Encoder(pagesMagic)
	e.Digest(d.Digest())
	e.Int(d.Int())
	if places := d.Text(); len(places) < 10 {
		t.Fatalf("%d bytes of places are stored", len(places))
	}
	e.Text(strings.Repeat("\x01", 1000))
	e = append(e, d.Rest...)
	e.Digest(fingerprint.FromXXH64(xxhash.Sum64(e[len(pagesMagic):])))
	write(t, stored, e)
}

// TestPlacesRewritten rewrites the beginning of a transcript between the scan and the reading.
func TestPlacesRewritten(t *testing.T) {
	o, file := secretSession(t)
	mustBuild(t, o)
	appendTo(t, file, sayAt(20, "More"))
	o.probe = func(at Stage, _ string) {
		if at == StageRead {
			write(t, file, bytes.Replace(read(t, file), []byte(placeholder), []byte(secretToken), 1))
		}
	}
	mustBuild(t, o)
	if isShown(t, o.Out) {
		t.Error("the token is shown")
	}
}
