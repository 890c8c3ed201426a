// Package manysessions invents folders of many small sessions. The frequencies of words are like those of real texts:
// some words are in all sessions, most in a few. It is for tests of very large sites, and never part of the program.
package manysessions

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Projects is the number of projects of a folder. Session n is in project n modulo Projects, and is an hour older than
// session n-1.
const Projects = 12

// Newest is the start of the newest session.
var Newest = time.Date(2026, 11, 20, 18, 30, 0, 0, time.UTC)

// Word returns the word of a rank. The first ranks are the most frequent.
func Word(rank int) string {
	const consonants, vowels = "bdfgklmnprstvz", "aeiou"
	var b strings.Builder
	for n := rank + 70; n > 0; n /= 70 {
		b.WriteByte(consonants[n%70/5])
		b.WriteByte(vowels[n%5])
	}
	return b.String()
}

// Text returns some words in a row.
func Text(r *rand.Rand, words int) string {
	var b strings.Builder
	for i := range words {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(Word(int(math.Pow(60_000, r.Float64())))) // roughly the distribution of ranks in real texts
	}
	return b.String()
}

// ID returns the id of a session.
func ID(n int) string { return fmt.Sprintf("%08x-aaaa-4111-8111-%012x", n, n) }

// Path returns the path of the file of a session, relative to the folder.
func Path(n int) string {
	return filepath.Join(fmt.Sprintf("-w-project-%d", n%Projects), ID(n)+".jsonl")
}

// Record returns record k of session n, with a text.
func Record(n, k int, role, text string) string {
	content := fmt.Sprintf("%q", text)
	if role == "assistant" {
		content = fmt.Sprintf(`[{"type":"text","text":%q}]`, text)
	}
	at := Newest.Add(-time.Duration(n)*time.Hour + time.Duration(k)*time.Second)
	return fmt.Sprintf(`{"type":%q,"uuid":"%08x-bbbb-4111-8111-%012x","sessionId":%q,"cwd":"/w/project-%d","timestamp":%q,`+
		`"message":{"id":"m%d-%d","role":%[1]q,"model":"claude-fable-5","content":%[9]s,`+
		`"usage":{"input_tokens":10,"output_tokens":20}}}`+"\n",
		role, n, k, ID(n), n%Projects, at.Format(time.RFC3339), n, k, content)
}

// Write writes a folder of n sessions of two messages. Session k contains the word unique<k>, and one in 50 sessions
// the word some.
func Write(dir string, n int) error {
	r := rand.New(rand.NewPCG(24, 4))
	for k := range n {
		answer := fmt.Sprintf("%s unique%d", Text(r, 60), k)
		if k%50 == 7 {
			answer += " scarcely seen"
		}
		text := Record(k, 0, "user", Text(r, 12)) + Record(k, 1, "assistant", answer)
		name := filepath.Join(dir, Path(k))
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}
