package sitegen

import (
	"context"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/fstest"
	"time"
)

// TestFailedBuild: a build of a watched site fails after it has written pages, and the change that it drew is undone.
// The next build must write these pages again, in the same process and in another one.
func TestFailedBuild(t *testing.T) {
	for _, anew := range []bool{false, true} {
		w := watchCopy(t)
		added := filepath.Join(w.source, "-home-mara-ovenbell", "99999999-2222-4333-8444-555555555555.jsonl")
		data := read(t, w.file)
		write(t, added, data[:len(data)/2])
		blocked := filepath.Join(w.o.Out, "sessions.json")
		remove(t, blocked)
		if err := os.MkdirAll(filepath.Join(blocked, "in the way"), 0o700); err != nil {
			t.Fatal(err)
		}
		if _, err := w.site.Build(context.Background()); err == nil {
			t.Fatal("a build that cannot write a file did not fail")
		}
		remove(t, added)
		if err := os.RemoveAll(blocked); err != nil {
			t.Fatal(err)
		}
		if w.anew = anew; anew {
			if err := w.site.Close(); err != nil {
				t.Fatal(err)
			}
		}
		w.build()
		w.checkSame("a failed build")
	}
}

// A failingFS fails to open one file, as a disk with a fault does, while broken is true.
type failingFS struct {
	fs.FS
	name   string
	broken *atomic.Bool
}

func (f failingFS) Open(name string) (fs.File, error) {
	if name == f.name && f.broken.Load() {
		return nil, &fs.PathError{Op: "open", Path: name, Err: syscall.EIO}
	}
	return f.FS.Open(name)
}

// unreadable returns a source of three sessions, one of which has an agent and two of which share a history.
func unreadable() fstest.MapFS {
	files := fstest.MapFS{}
	add := func(name string, ids ...int) {
		var lines []byte
		for _, n := range ids {
			lines = fmt.Appendf(lines, `{"type":"user","uuid":"10000000-0000-4000-8000-0000000000%02d",`+
				`"sessionId":%q,"timestamp":"2026-03-02T09:%02d:00Z","cwd":"/w","message":{"role":"user","content":"%d"}}`+
				"\n", n, name, n, n)
		}
		files["-w/"+name] = &fstest.MapFile{Data: lines, ModTime: time.Unix(1e9, 0)}
	}
	add("one.jsonl", 1, 2, 3, 4, 5)
	add("fork.jsonl", 1, 2, 3, 4, 6)
	add("other.jsonl", 7)
	add("other/subagents/agent-a1.jsonl", 8)
	return files
}

// failsAt returns the options of a build that cannot read a file from a stage on.
func failsAt(t *testing.T, files fstest.MapFS, name string, at Stage, broken *atomic.Bool) Options {
	broken.Store(at == StageFind)
	o := Options{Sample: failingFS{files, "-w/" + name, broken}, Out: t.TempDir(), Version: "test"}
	o.probe = func(now Stage, _ string) {
		if now == at {
			broken.Store(true)
		}
	}
	return o
}

// TestUnreadableAgain: a file that could not be read is read by the next build, although its size and times are the
// same. It may be the log of a session or of an agent, or a copied history. Other sessions are drawn meanwhile.
func TestUnreadableAgain(t *testing.T) {
	files := unreadable()
	for _, c := range []struct {
		name     string
		at       Stage
		sessions int // meanwhile
	}{
		{"other.jsonl", StageFind, 2}, {"other.jsonl", StageRead, 2}, {"fork.jsonl", StageRead, 2},
		{"one.jsonl", StageRead, 2}, {"other/subagents/agent-a1.jsonl", StageFind, 3},
		{"other/subagents/agent-a1.jsonl", StageRead, 3},
	} {
		var broken atomic.Bool
		o := failsAt(t, files, c.name, c.at, &broken)
		if r := mustBuild(t, o); len(r.Problems) != 1 || r.Sessions != c.sessions {
			t.Errorf("%s fails at %v: %d sessions and the problems %v, want %d and one", c.name, c.at, r.Sessions,
				r.Problems, c.sessions)
		}
		broken.Store(false)
		o.probe = nil
		if r := mustBuild(t, o); len(r.Problems) != 0 || r.Sessions != 3 {
			t.Errorf("%s failed at %v, and can be read now: %d sessions and the problems %v, want 3 and none", c.name,
				c.at, r.Sessions, r.Problems)
		}
		compareClean(t, o)
	}
}

// TestUnreadableRemoved: a file that could not be read and is removed is no longer a problem, although all other files
// are the same.
func TestUnreadableRemoved(t *testing.T) {
	for _, c := range []struct {
		name     string
		at       Stage
		shards   int // 0 for none
		sessions int // afterwards
	}{
		{"other.jsonl", StageFind, 0, 4}, {"fork.jsonl", StageFind, 0, 3}, {"fork.jsonl", StageRead, 0, 3},
		{"fork.jsonl", StageFind, 2, 3}, {"fork.jsonl", StageRead, 2, 3}, {"agent-b2.jsonl", StageFind, 0, 3},
		{"other/subagents/agent-a1.jsonl", StageRead, 0, 4},
		{"other", StageFind, 0, 4}, {"other", StageFind, 2, 4}, // a folder
	} {
		files := unreadable()
		files["-w/agent-b2.jsonl"] = &fstest.MapFile{Data: fmt.Appendf(nil, line, 1, 1), ModTime: time.Unix(1e9, 0)}
		var broken atomic.Bool
		o := failsAt(t, files, c.name, c.at, &broken)
		if c.shards > 0 {
			mustPlan(t, o, c.shards)
			buildShards(t, o, c.shards, 0, 1)
			mustMerge(t, o)
		} else if r := mustBuild(t, o); len(r.Problems) != 1 {
			t.Errorf("%s fails at %v: got the problems %v, want one", c.name, c.at, r.Problems)
		}
		maps.DeleteFunc(files, func(name string, _ *fstest.MapFile) bool {
			return strings.HasPrefix(name+"/", "-w/"+c.name+"/")
		})
		broken.Store(false)
		o.probe = nil
		if r := mustBuild(t, o); len(r.Problems) != 0 || r.Sessions != c.sessions {
			t.Errorf("%s failed at %v with %d shards, and is gone: %d sessions and the problems %v, want %d and none",
				c.name, c.at, c.shards, r.Sessions, r.Problems, c.sessions)
		}
		compareClean(t, o)
	}
}

// TestUnreadableInShard: a file that a shard could not read is read by the build after the merge, although the plan has
// seen it. The state is that of one build. A merge of a large site does the same.
func TestUnreadableInShard(t *testing.T) {
	for _, large := range []int{0, 1} {
		for _, name := range []string{"other.jsonl", "one.jsonl", "other/subagents/agent-a1.jsonl"} {
			var broken atomic.Bool
			o := Options{Sample: failingFS{unreadable(), "-w/" + name, &broken}, Out: t.TempDir(), Version: "test"}
			o.Large = large
			mustPlan(t, o, 2)
			o.probe = func(now Stage, _ string) {
				if now == StageRead {
					broken.Store(true)
				}
			}
			one := o
			one.Out = t.TempDir()
			mustBuild(t, one)
			broken.Store(false)
			buildShards(t, o, 2, 0, 1)
			broken.Store(false)
			o.probe, one.probe = nil, nil
			merge := Options{Out: o.Out, Version: o.Version, Large: large}
			if r, err := Merge(t.Context(), merge); err != nil || len(r.Problems) != 1 {
				t.Errorf("%s could not be read: problems %v and error %v after the merge, want one problem", name,
					r.Problems, err)
			}
			if want, got := storedIn(t, one)["files"], storedIn(t, o)["files"]; !reflect.DeepEqual(got, want) {
				t.Errorf("%s could not be read: the files of the state are %v, those of one build %v", name, got, want)
			}
			if r := mustBuild(t, o); len(r.Problems) != 0 || r.Sessions != 3 {
				t.Errorf("%s can be read now: %d sessions and the problems %v, want 3 and none", name, r.Sessions,
					r.Problems)
			}
			compareClean(t, o)
		}
	}
}

// TestUnreadableBeside: a file next to a session that no page shows is reported as long as it cannot be read, also if
// the session grows.
func TestUnreadableBeside(t *testing.T) {
	files := unreadable()
	spilled := "-w/one/tool-results/spilled.txt"
	files[spilled] = &fstest.MapFile{Data: []byte("wax"), ModTime: time.Unix(1e9, 0)}
	var broken atomic.Bool
	broken.Store(true)
	o := Options{Sample: failingFS{files, spilled, &broken}, Out: t.TempDir(), Version: "test"}
	for i := range 3 {
		if i == 2 {
			log := files["-w/one.jsonl"]
			log.Data = append(log.Data, fmt.Sprintf(line, i, i)...)
		}
		if r := mustBuild(t, o); len(r.Problems) != 1 {
			t.Errorf("build %d: got the problems %v, want one", i, r.Problems)
		}
		compareClean(t, o)
	}
	broken.Store(false)
	if r := mustBuild(t, o); len(r.Problems) != 0 {
		t.Errorf("it can be read now: got the problems %v, want none", r.Problems)
	}
	compareClean(t, o)
}
