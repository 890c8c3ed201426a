package pi_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"strings"
	"testing"
	"time"

	"viewer/internal/sources"
	"viewer/internal/sources/pi"
	"viewer/internal/testing/sourcetest"
	"viewer/internal/transcript"
)

// TestDatabase: OpenClaw keeps the lines of all sessions in a database, in any order, packed or not. A line that cannot
// be unpacked is a problem of its session. Credentials in other tables are never read.
func TestDatabase(t *testing.T) {
	data, err := os.ReadFile("testdata/openclaw-agent.sqlite")
	if err != nil {
		t.Fatal(err)
	}
	split := func(data []byte) []sources.Part {
		parts, err := pi.Source{}.Split(bytes.NewReader(data), int64(len(data)))
		if err != nil || len(parts) != 2 {
			t.Fatalf("got %d sessions, error %v, want 2", len(parts), err)
		}
		return parts
	}
	parts := split(data)
	if got, want := parts[0].Changed, time.UnixMilli(1790000000003).UTC(); !got.Equal(want) {
		t.Errorf("the first session changed at %v, want %v", got, want)
	}
	for i, want := range []string{"user Light the lamp, assistant Lit.", "user And the other?"} {
		read, err := parts[i].Read()
		if err != nil {
			t.Fatal(err)
		}
		if !(pi.Source{}).Match(sources.NewHead(read)) || bytes.Contains(read, []byte("secret")) {
			t.Errorf("session %s is\n%s", parts[i].Name, read)
		}
		f := list.Read(parts[i].Name, read, transcript.Options{Own: true})
		var said []string
		for _, r := range f.Records {
			if r.Message != nil {
				said = append(said, r.Message.Role+" "+r.Message.Content[0].Text)
			}
		}
		if got := strings.Join(said, ", "); got != want {
			t.Errorf("session %s: got %s, want %s", parts[i].Name, got, want)
		}
		if got := len(f.Problems); got != i {
			t.Errorf("session %s has %d problems, want %d: %v", parts[i].Name, got, i, f.Problems)
		}
	}
	stamp := binary.BigEndian.AppendUint64(nil, 1790000000004)[2:] // of the last line of the second session
	again := split(bytes.Replace(data, stamp, binary.BigEndian.AppendUint64(nil, 1790000000005)[2:], 1))
	if again[0].Version != parts[0].Version || again[1].Version == parts[1].Version {
		t.Errorf("got versions %v and %v, want only the second changed", parts, again)
	}
	if !(pi.Source{}).MayHold("/h/.openclaw/agents/main/agent/openclaw-agent.sqlite") {
		t.Error("the database is not opened")
	}
}

// TestDamaged: of a damaged database, the rest is read.
func TestDamaged(t *testing.T) {
	sourcetest.Damage(t, pi.Source{}, "testdata/openclaw-agent.sqlite")
}
