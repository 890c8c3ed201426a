package watch

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/fsnotify/fsnotify"
)

// A fixture is a watcher in a bubble of fake time, with a fake notifier and real files.
type fixture struct {
	t      *testing.T
	dir    string
	events chan fsnotify.Event
	errors chan error
	fake   *fakeNotifier
	start  time.Time
	stop   func()

	mu       sync.Mutex
	log      []string // "120ms a.jsonl b.jsonl": time and arguments of the calls of Changed
	messages []string // messages of Trouble
	answer   func() error
}

type fakeNotifier struct {
	mu      sync.Mutex
	folders []string
	most    int // how many folders can be watched, 0 for no limit
	closed  bool
}

func (f *fakeNotifier) Add(dir string) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.most > 0 && len(f.folders) == f.most {
		return syscall.ENOSPC
	}
	f.folders = append(f.folders, dir)
	return nil
}
func (f *fakeNotifier) Remove(string) error { return nil }
func (f *fakeNotifier) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.closed = true
	return nil
}

// seen returns the folders that were watched since the last call, and whether the notifier was closed.
func (f *fakeNotifier) seen() ([]string, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	folders := f.folders
	f.folders = nil
	return folders, f.closed
}

// play runs a test in fake time. The folder has a.jsonl; missing options are set.
func play(t *testing.T, o Options, most int, test func(s *fixture)) {
	dir := t.TempDir()
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	write(t, filepath.Join(dir, "a.jsonl"), "1\n")
	synctest.Test(t, func(t *testing.T) {
		s := &fixture{
			t: t, dir: dir, events: make(chan fsnotify.Event), errors: make(chan error),
			fake: &fakeNotifier{most: most},
		}
		o.Paths = []string{dir}
		o.Changed = s.changed
		o.Failed = s.trouble
		b := notifier{events: s.events, errors: s.errors, backend: s.fake}
		if o.Poll > 0 {
			b = notifier{}
		}
		w := newWatcher(o, b)
		ctx, cancel := context.WithCancel(t.Context())
		done := make(chan struct{})
		s.start = time.Now()
		go func() { w.Run(ctx); close(done) }()
		s.stop = func() { cancel(); <-done }
		defer func() { s.stop() }()
		synctest.Wait()
		test(s)
	})
}

func (s *fixture) changed(files []string) error {
	var names []string
	for _, f := range files {
		name, _ := filepath.Rel(s.dir, f)
		names = append(names, filepath.ToSlash(name))
	}
	s.mu.Lock()
	s.log = append(s.log, time.Since(s.start).String()+" "+strings.Join(names, " "))
	answer := s.answer
	s.mu.Unlock()
	if answer != nil {
		return answer()
	}
	return nil
}

func (s *fixture) trouble(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.messages = append(s.messages, err.Error())
}

// respond sets the result of Changed from now on.
func (s *fixture) respond(answer func() error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.answer = answer
}

// want compares the calls of Changed since the last comparison.
func (s *fixture) want(lines ...string) {
	s.t.Helper()
	synctest.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Equal(s.log, lines) {
		s.t.Errorf("got\n\t%s\nwant\n\t%s", strings.Join(s.log, "\n\t"), strings.Join(lines, "\n\t"))
	}
	s.log = nil
}

// wantMessages compares the messages since the last comparison.
func (s *fixture) wantMessages(lines ...string) {
	s.t.Helper()
	synctest.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	if !slices.Equal(s.messages, lines) {
		s.t.Errorf("got messages %q, want %q", s.messages, lines)
	}
	s.messages = nil
}

func (s *fixture) path(name string) string { return filepath.Join(s.dir, filepath.FromSlash(name)) }

// append makes a file longer and sends an event.
func (s *fixture) append(name string) {
	s.t.Helper()
	s.grow(name)
	s.notify(name, fsnotify.Write)
}

func (s *fixture) grow(name string) {
	s.t.Helper()
	data, _ := os.ReadFile(s.path(name))
	write(s.t, s.path(name), string(data)+"more\n")
}

// sleep advances the fake time, and runs everything that is due.
func (s *fixture) sleep(d time.Duration) {
	time.Sleep(d)
	synctest.Wait()
}

func (s *fixture) notify(name string, op fsnotify.Op) {
	s.events <- fsnotify.Event{Name: s.path(name), Op: op}
	synctest.Wait()
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func TestChangeIsReportedAfterDelay(t *testing.T) {
	play(t, Options{}, 0, func(s *fixture) {
		s.append("a.jsonl")
		s.sleep(debounce - 1)
		s.want()
		s.sleep(1)
		s.want("100ms a.jsonl")
	})
}

func TestBurstIsReportedOnce(t *testing.T) {
	play(t, Options{}, 0, func(s *fixture) {
		for range 1000 {
			s.append("a.jsonl")
		}
		s.sleep(time.Minute)
		s.want("100ms a.jsonl")
	})
}

func TestLongestDelay(t *testing.T) {
	play(t, Options{}, 0, func(s *fixture) {
		for range 30 { // 2.4 s without 100 ms between two changes
			s.append("a.jsonl")
			s.sleep(80 * time.Millisecond)
		}
		s.sleep(time.Minute)
		s.want("1s a.jsonl", "2.04s a.jsonl", "2.42s a.jsonl")
	})
}

func TestTwoFilesAreReportedTogether(t *testing.T) {
	play(t, Options{}, 0, func(s *fixture) {
		s.append("b.jsonl")
		s.sleep(50 * time.Millisecond)
		s.append("a.jsonl")
		s.sleep(time.Minute)
		s.want("150ms a.jsonl b.jsonl")
	})
}

// TestSlowListener: changes during a call of Changed are reported when it returns. There are never two calls at the
// same time.
func TestSlowListener(t *testing.T) {
	play(t, Options{}, 0, func(s *fixture) {
		running := 0
		s.respond(func() error {
			if running++; running > 1 {
				t.Error("two calls of Changed at the same time")
			}
			time.Sleep(5 * time.Second)
			running--
			return nil
		})
		s.append("a.jsonl")
		s.sleep(time.Second)
		for range 10 {
			s.append("a.jsonl")
			s.append("b.jsonl")
			s.sleep(200 * time.Millisecond)
		}
		s.sleep(time.Minute)
		s.want("100ms a.jsonl", "5.1s a.jsonl b.jsonl")
	})
}

// TestFailure: after a failure the same files are reported again, with increasing delays, and at once if another file
// changes.
func TestFailure(t *testing.T) {
	play(t, Options{}, 0, func(s *fixture) {
		s.respond(func() error { return errors.New("disk full") })
		s.append("a.jsonl")
		s.sleep(100 * time.Second)
		s.want("100ms a.jsonl", "1.1s a.jsonl", "3.1s a.jsonl", "7.1s a.jsonl", "15.1s a.jsonl", "31.1s a.jsonl",
			"1m1.1s a.jsonl", "1m31.1s a.jsonl")
		s.respond(nil)
		s.append("b.jsonl")
		s.sleep(time.Hour)
		s.want("1m40.1s a.jsonl b.jsonl")
	})
}

// TestFailuresWithChanges: changes after failures are reported at once, and do not lengthen the delay of the next
// attempt. Neither does a change during a call that fails.
func TestFailuresWithChanges(t *testing.T) {
	play(t, Options{}, 0, func(s *fixture) {
		s.respond(func() error { time.Sleep(300 * time.Millisecond); return errors.New("half a line") })
		for range 4 {
			s.append("a.jsonl")
			s.sleep(220 * time.Millisecond)
		}
		s.sleep(10 * time.Second)
		s.want("100ms a.jsonl", "400ms a.jsonl", "700ms a.jsonl", "1s a.jsonl", "2.3s a.jsonl", "4.6s a.jsonl",
			"8.9s a.jsonl")
	})
}

func TestEventsWithoutChange(t *testing.T) {
	play(t, Options{}, 0, func(s *fixture) {
		s.notify("a.jsonl", fsnotify.Chmod) // reading may cause events too
		s.sleep(24 * time.Hour)
		s.want()
	})
}

// TestSweep: changes without an event are found by a scan.
func TestSweep(t *testing.T) {
	play(t, Options{}, 0, func(s *fixture) {
		s.grow("a.jsonl")
		write(s.t, s.path("new/deep/b.jsonl"), "1\n")
		s.sleep(sweepInterval)
		s.want("3s a.jsonl new/deep/b.jsonl")
		if folders, _ := s.fake.seen(); !slices.Contains(folders, s.path("new/deep")) {
			t.Errorf("new/deep is not watched, only %v", folders)
		}
		os.RemoveAll(s.path("new"))
		s.sleep(sweepInterval)
		s.want("6s new/deep/b.jsonl")
	})
}

// TestKeep: a file that must exist is reported as long as it is missing, and never because it is written.
func TestKeep(t *testing.T) {
	kept := filepath.Join(t.TempDir(), "site", "index.html")
	write(t, kept, "1\n")
	play(t, Options{Required: []string{kept}}, 0, func(s *fixture) {
		s.sleep(sweepInterval)
		write(s.t, kept, "2\n")
		s.sleep(sweepInterval)
		s.want()
		os.RemoveAll(filepath.Dir(kept))
		s.sleep(2 * sweepInterval)
		name, err := filepath.Rel(s.path("."), kept)
		if err != nil {
			t.Fatal(err)
		}
		name = filepath.ToSlash(name)
		s.want("9s "+name, "12s "+name)
		write(s.t, kept, "3\n")
		s.sleep(sweepInterval)
		s.want()
	})
}

// TestSweepOfOldFiles: there are many old files, so they are checked less often.
func TestSweepOfOldFiles(t *testing.T) {
	play(t, Options{}, 0, func(s *fixture) {
		long := time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC) // the fake time begins in 2000
		os.Chtimes(s.path("a.jsonl"), long, long)
		s.sleep(sweepInterval)
		s.want("3s a.jsonl")
		os.Chtimes(s.path("a.jsonl"), long, long.Add(time.Second))
		s.sleep((fullSweep-1)*sweepInterval - 1)
		s.want()
		s.sleep(1)
		s.want("1m0s a.jsonl")
	})
}

// TestOverflow: the system drops events if there are too many.
func TestOverflow(t *testing.T) {
	play(t, Options{}, 0, func(s *fixture) {
		s.grow("a.jsonl")
		s.errors <- fsnotify.ErrEventOverflow
		s.want("0s a.jsonl")
	})
}

func TestPoll(t *testing.T) {
	play(t, Options{Poll: time.Second}, 0, func(s *fixture) {
		s.grow("a.jsonl")
		s.sleep(time.Second)
		s.want("1s a.jsonl")
		write(t, s.path("x/b.jsonl"), "1\n")
		s.sleep(time.Second)
		s.want("2s x/b.jsonl")
		if folders, _ := s.fake.seen(); len(folders) > 0 {
			t.Errorf("watched %v, want none", folders)
		}
	})
}

// TestLimit: at the limit of the system the watcher polls, which is reported once.
func TestLimit(t *testing.T) {
	play(t, Options{}, 2, func(s *fixture) {
		s.wantMessages() // there is only one folder
		write(t, s.path("x/b.jsonl"), "1\n")
		s.notify("x", fsnotify.Create)
		write(t, s.path("y/b.jsonl"), "1\n")
		s.notify("y", fsnotify.Create)
		s.sleep(debounce)
		s.want("100ms x/b.jsonl y/b.jsonl")
		s.wantMessages("watching folders: no space left on device")
		if _, closed := s.fake.seen(); !closed {
			t.Error("the notifier was not closed")
		}
		long := time.Date(1990, 1, 1, 0, 0, 0, 0, time.UTC)
		s.grow("y/b.jsonl")
		os.Chtimes(s.path("y/b.jsonl"), long, long)
		s.sleep(sweepInterval + fallback)
		os.Chtimes(s.path("y/b.jsonl"), long, long.Add(100)) // 100 ns, the precision of NTFS
		s.sleep(fallback)
		s.want("3s y/b.jsonl", "7s y/b.jsonl")
		s.wantMessages()
	})
}

// TestBrokenNotifier: after an error of the notifier the watcher polls.
func TestBrokenNotifier(t *testing.T) {
	play(t, Options{}, 0, func(s *fixture) {
		s.errors <- fs.ErrInvalid
		synctest.Wait()
		s.grow("a.jsonl")
		s.sleep(sweepInterval)
		s.want("3s a.jsonl")
		s.wantMessages("watching folders: invalid argument")
		if _, closed := s.fake.seen(); !closed {
			t.Error("the notifier was not closed")
		}
	})
}

// TestStop: Run returns when Changed has returned.
func TestStop(t *testing.T) {
	play(t, Options{}, 0, func(s *fixture) {
		s.respond(func() error { time.Sleep(10 * time.Second); return nil })
		s.append("a.jsonl")
		s.sleep(debounce)
		began := time.Now()
		s.stop()
		if d := time.Since(began); d != 10*time.Second {
			t.Errorf("stopped after %v, want 10 s, as long as Changed takes", d)
		}
	})
}
