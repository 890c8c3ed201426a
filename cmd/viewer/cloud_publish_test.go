//go:build cloud && linux

package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// TestBucketPublish publishes to a bucket: a run without changes writes nothing, an append writes few objects, no
// object has the text of a revoked session, and objects of others stay.
func TestBucketPublish(t *testing.T) {
	t.Parallel()
	s := newBucketServer(t)
	dir := t.TempDir()
	projects := filepath.Join(dir, "projects")
	publishedSessions(t, projects)
	s.put("public/of-others.txt", []byte("stays"))
	var puts, deletes atomic.Int64
	s.fail = func(_ http.ResponseWriter, r *http.Request) bool {
		switch r.Method {
		case http.MethodPut:
			puts.Add(1)
		case http.MethodDelete:
			deletes.Add(1)
		}
		return false
	}
	home := t.TempDir()
	publish := func(want string, args ...string) (int64, int64) {
		t.Helper()
		puts.Store(0)
		deletes.Store(0)
		cmd := s.command(append([]string{"publish", s.address("logs/public"), projects}, args...)...)
		cmd.Env = append(cmd.Env, "HOME="+home, "XDG_CACHE_HOME="+home)
		output, err := cmd.CombinedOutput()
		if err != nil || !strings.Contains(string(output), want) {
			t.Fatalf("viewer publish %v: %v, and not %q:\n%s", args, err, want, output)
		}
		return puts.Load(), deletes.Load()
	}
	all := func() []byte {
		var data []byte
		for name, text := range s.objects("public") {
			data = append(append(data, name+"\n"...), text...)
		}
		return data
	}
	if p, _ := publish("nothing was written", "--dry-run"); p > 0 {
		t.Errorf("a dry run puts %d objects, want none", p)
	}
	publish("published 17 sessions", "--yes")
	if p, d := publish("is up to date", "--yes"); p+d > 0 {
		t.Errorf("without changes: %d puts, %d deletions, want none", p, d)
	}
	if data := string(all()); !strings.Contains(data, revokedWords) || strings.Contains(data, plantedKey) {
		t.Error("the session to revoke is missing, or its key is not redacted")
	}
	appendToPublished(t, projects)
	p, _ := publish("published 17 sessions", "--yes")
	t.Logf("an append puts %d objects", p)
	if p > 10 {
		t.Errorf("an append puts %d objects, want at most 10", p)
	}
	if err := os.RemoveAll(home); err != nil { // as on another machine
		t.Fatal(err)
	}
	if p, d := publish("is up to date", "--yes"); p+d > 0 {
		t.Errorf("from another machine: %d puts, %d deletions, want none", p, d)
	}
	_, d := publish("1 session was taken out", "--revoke", "a1b2c3d4", "--yes")
	if d == 0 {
		t.Error("a revocation deletes nothing")
	}
	checkAbsent(t, "the bucket", all(), revokedWords, plantedKey, "s/a1b2c3d4")
	checkWithoutRevoked(t, s.objects("public"), projects)
	if string(s.objects("public")["of-others.txt"]) != "stays" {
		t.Error("an object of others is missing")
	}
	// After a failed upload the next run completes the site, or removes what was uploaded.
	var n atomic.Int64
	inner := s.fail
	s.fail = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPut && n.Add(1) > 3 {
			w.WriteHeader(http.StatusForbidden)
			return true
		}
		return inner(w, r)
	}
	cmd := s.command("publish", s.address("logs/public"), projects, "--again", "a1b2", "--yes")
	output, err := cmd.CombinedOutput()
	if err == nil || !strings.Contains(string(output), "error: writing s3://logs/public/") {
		t.Errorf("without permission to write: error %v, want one that names the address\n%s", err, output)
	}
	s.fail = inner
	publish("1 session was taken out", "--revoke", "a1b2c3d4", "--yes")
	checkAbsent(t, "the bucket", all(), revokedWords, plantedKey, "s/a1b2c3d4")
}
