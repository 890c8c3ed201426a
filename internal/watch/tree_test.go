package watch

import (
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"testing"
	"time"

	"github.com/fsnotify/fsnotify"

	"viewer/internal/fingerprint"
)

func rename(t *testing.T, from, to string) {
	t.Helper()
	if err := os.Rename(from, to); err != nil {
		t.Fatal(err)
	}
}

func link(t *testing.T, to, at string) {
	t.Helper()
	os.Remove(at)
	if err := os.Symlink(to, at); err != nil {
		t.Skip("this system has no symbolic links: ", err)
	}
}

// TestFolderMovedAwayAndBack: a folder that is moved away and back between two scans has lost its watches.
func TestFolderMovedAwayAndBack(t *testing.T) {
	play(t, Options{}, 0, func(s *fixture) {
		write(t, s.path("p/q/b.jsonl"), "1\n")
		s.sleep(sweepInterval)
		s.want("3s p/q/b.jsonl")
		s.fake.seen()
		rename(t, s.path("p"), s.dir+"-away")
		rename(t, s.dir+"-away", s.path("p"))
		s.notify("p", fsnotify.Rename)
		s.notify("p", fsnotify.Create)
		s.sleep(debounce)
		s.want("3.1s p/q/b.jsonl")
		folders, _ := s.fake.seen()
		if want := []string{s.path("p"), s.path("p/q")}; !slices.Equal(folders, want) {
			t.Errorf("watches again %v, want %v", folders, want)
		}
	})
}

func TestFolderMovedAwayForLonger(t *testing.T) {
	play(t, Options{}, 0, func(s *fixture) {
		write(t, s.path("p/b.jsonl"), "1\n")
		s.sleep(sweepInterval)
		rename(t, s.path("p"), s.dir+"-away")
		s.notify("p", fsnotify.Rename)
		s.sleep(sweepInterval)
		write(t, s.dir+"-away/b.jsonl", "1\n2\n")
		rename(t, s.dir+"-away", s.path("p"))
		s.notify("p", fsnotify.Create)
		s.sleep(sweepInterval)
		s.want("3s p/b.jsonl", "3.1s p/b.jsonl", "6.1s p/b.jsonl")
	})
}

// TestRootMovedAway: if the watched folder is replaced by another one with its name, the folder is reported, because
// files in it may have changed unnoticed between two scans.
func TestRootMovedAway(t *testing.T) {
	play(t, Options{}, 0, func(s *fixture) {
		rename(t, s.dir, s.dir+"-away")
		s.sleep(sweepInterval)
		s.want("3s a.jsonl")
		write(t, s.path("b.jsonl"), "1\n")
		s.sleep(sweepInterval)
		s.want("6s . b.jsonl")
		os.RemoveAll(s.dir)
		rename(t, s.dir+"-away", s.dir)
		s.sleep(sweepInterval)
		s.want("9s . a.jsonl b.jsonl")
		s.wantMessages() // a removed folder causes no message
	})
}

// TestFileAsRoot: a file is watched through its folder, which may have other files.
func TestFileAsRoot(t *testing.T) {
	play(t, Options{}, 0, func(s *fixture) {
		dir := s.dir
		write(t, filepath.Join(dir, "own", "x.txt"), "1\n")
		w := newWatcher(Options{
			Paths: []string{s.path("a.jsonl"), s.path("own"), s.path("later")},
		}, notifier{backend: s.fake})
		if want := []string{s.path("a.jsonl")}; !slices.Equal(w.tree.pathsOf(s.path("a.jsonl")), want) {
			t.Errorf("an event of %v gives the paths %v", want, w.tree.pathsOf(s.path("a.jsonl")))
		}
		if got := w.tree.pathsOf(s.path("other.jsonl")); len(got) > 0 {
			t.Errorf("an event of another file gives the paths %v, want none", got)
		}
		write(t, s.path("later"), "1\n")
		w.tree.examine(s.path("later"), true)
		os.Remove(s.path("a.jsonl"))
		w.tree.examine(s.path("a.jsonl"), true)
		write(t, filepath.Join(dir, "own", "deep", "y.txt"), "1\n")
		w.tree.examine(s.path("own/deep"), true)
		for _, name := range []string{"later", "a.jsonl", "own/deep/y.txt"} {
			if !w.tree.changed[s.path(name)] {
				t.Errorf("%s is not among the changed files: %v", name, w.tree.changed)
			}
		}
		if len(w.tree.changed) != 3 {
			t.Errorf("got changed files %v, want 3", w.tree.changed)
		}
	})
}

func TestLinks(t *testing.T) {
	follow := func(string, bool) bool { return true }
	play(t, Options{Enter: follow}, 0, func(s *fixture) {
		one, two := s.dir+"-one", s.dir+"-two"
		write(t, filepath.Join(one, "b.jsonl"), "1\n")
		write(t, filepath.Join(two, "c.jsonl"), "1\n")
		link(t, one, s.path("p"))
		link(t, s.dir, filepath.Join(one, "round")) // a cycle
		s.sleep(sweepInterval)
		s.want("3s p p/b.jsonl p/round")
		real, _ := filepath.EvalSymlinks(one)
		if got, _ := s.fake.seen(); !slices.Contains(got, real) {
			t.Errorf("watched %v, want these to include %s", got, real)
		}
		// The event has the path of the link's target.
		write(t, filepath.Join(one, "b.jsonl"), "1\n2\n")
		s.events <- fsnotify.Event{Name: filepath.Join(real, "b.jsonl"), Op: fsnotify.Write}
		s.sleep(debounce)
		s.want("3.1s p/b.jsonl")

		link(t, two, s.path("p"))
		s.sleep(sweepInterval)
		s.want("6s p/b.jsonl p/c.jsonl")
	})
}

// TestLinksByDefault: by default links to folders are not followed, links to files are.
func TestLinksByDefault(t *testing.T) {
	play(t, Options{}, 0, func(s *fixture) {
		write(t, s.dir+"-one/b.jsonl", "1\n")
		link(t, s.dir+"-one", s.path("folder"))
		link(t, s.dir+"-one/b.jsonl", s.path("file.jsonl"))
		s.sleep(sweepInterval)
		s.want("3s file.jsonl folder")
		write(t, s.dir+"-one/b.jsonl", "1\n2\n")
		s.sleep(sweepInterval)
		s.want("6s file.jsonl")
	})
}

// TestLinkToNothing: a link that leads to no file is reported when it is made or removed, because builds list it as a
// problem, and when the file is made.
func TestLinkToNothing(t *testing.T) {
	play(t, Options{}, 0, func(s *fixture) {
		link(t, "later.txt", s.path("b.jsonl"))
		s.sleep(sweepInterval)
		s.want("3s b.jsonl")
		s.sleep(sweepInterval)
		s.want()
		write(t, s.path("later.txt"), "1\n")
		s.sleep(sweepInterval)
		s.want("9s b.jsonl later.txt")
		os.Remove(s.path("later.txt"))
		s.sleep(sweepInterval)
		s.want("12s b.jsonl later.txt")
		os.Remove(s.path("b.jsonl"))
		s.sleep(sweepInterval)
		s.want("15s b.jsonl")
		link(t, "later.txt", s.path("b.jsonl"))
		s.notify("b.jsonl", fsnotify.Create)
		s.sleep(debounce)
		s.want("15.1s b.jsonl")
		os.Remove(s.path("b.jsonl"))
		s.notify("b.jsonl", fsnotify.Remove)
		s.sleep(debounce)
		s.want("15.2s b.jsonl")
		s.sleep(sweepInterval)
		s.want()
	})
}

// TestSourcesOverlap: for the system, a folder in two sources is one folder.
func TestSourcesOverlap(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "p", "a.jsonl"), "1\n")
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		t.Fatal(err)
	}
	link(t, dir, dir+"-link")
	tr := newTree(Options{Paths: []string{dir, dir + "-link"}}, notifier{backend: new(fakeNotifier)})
	tr.sweep(allFiles)
	want := []string{filepath.Join(dir, "p", "a.jsonl"), filepath.Join(dir+"-link", "p", "a.jsonl")}
	if got := tr.pathsOf(filepath.Join(real, "p", "a.jsonl")); !slices.Equal(got, want) {
		t.Errorf("an event gives the paths %v, want %v", got, want)
	}
}

func TestEnter(t *testing.T) {
	play(t, Options{Enter: func(dir string, _ bool) bool { return filepath.Base(dir) != "site" }}, 0, func(s *fixture) {
		write(t, s.path("site/index.html"), "1\n")
		write(t, s.path("p/a.jsonl"), "1\n")
		s.sleep(sweepInterval)
		s.want("3s p/a.jsonl")
		s.notify("site", fsnotify.Create)
		s.notify("site", fsnotify.Remove)
		s.sleep(sweepInterval)
		s.want()
		if folders, _ := s.fake.seen(); slices.Contains(folders, s.path("site")) {
			t.Error("site is watched, want it left out")
		}
	})
}

// TestSameSizeAndTime: a file with the same size and time may have changed.
func TestSameSizeAndTime(t *testing.T) {
	play(t, Options{}, 0, func(s *fixture) {
		info, err := os.Stat(s.path("a.jsonl"))
		if err != nil {
			t.Fatal(err)
		}
		write(t, s.path("a.jsonl"), "2\n")
		os.Chtimes(s.path("a.jsonl"), info.ModTime(), info.ModTime())
		s.notify("a.jsonl", fsnotify.Write)
		s.sleep(debounce)
		s.want("100ms a.jsonl") // reported by an event
		write(t, s.path("new"), "3\n")
		os.Chtimes(s.path("new"), info.ModTime(), info.ModTime())
		rename(t, s.path("new"), s.path("a.jsonl"))
		s.sleep(sweepInterval)
		s.want("3s a.jsonl") // another file with its name
	})
}

// TestOldTimeIsSet: a scan notices a file that was rewritten in the same size and given its old time.
func TestOldTimeIsSet(t *testing.T) {
	play(t, Options{}, 0, func(s *fixture) {
		before := stampOf(t, s.path("a.jsonl"))
		if before.Changed == 0 {
			t.Skip("this system does not tell when a file was last changed")
		}
		for stampOf(t, s.path("a.jsonl")) == before { // the clock of the file system has steps
			write(t, s.path("a.jsonl"), "2\n")
			os.Chtimes(s.path("a.jsonl"), time.Time{}, time.Unix(0, before.Mod))
		}
		s.sleep(sweepInterval)
		s.want("3s a.jsonl")
		s.sleep(sweepInterval)
		s.want()
	})
}

func stampOf(t *testing.T, path string) fingerprint.Stamp {
	t.Helper()
	info, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	return fingerprint.StampOf(info)
}

// TestReplacedByLinkToItself: a scan notices that a link to a file or folder has taken its place, because a source
// follows links differently.
func TestReplacedByLinkToItself(t *testing.T) {
	play(t, Options{}, 0, func(s *fixture) {
		write(t, s.path("p/b.jsonl"), "1\n")
		s.sleep(sweepInterval)
		s.want("3s p/b.jsonl")
		for _, name := range []string{"a.jsonl", "p"} {
			rename(t, s.path(name), s.dir+"-"+name)
			link(t, s.dir+"-"+name, s.path(name))
		}
		s.sleep(sweepInterval)
		s.want("6s a.jsonl p p/b.jsonl")
		for _, name := range []string{"a.jsonl", "p"} {
			os.Remove(s.path(name))
			rename(t, s.dir+"-"+name, s.path(name))
		}
		s.sleep(sweepInterval)
		s.want("9s a.jsonl p p/b.jsonl")
	})
}

// TestKindChanges: a file becomes a folder and a file again.
func TestKindChanges(t *testing.T) {
	play(t, Options{}, 0, func(s *fixture) {
		os.Remove(s.path("a.jsonl"))
		write(t, s.path("a.jsonl/b.jsonl"), "1\n")
		s.sleep(sweepInterval)
		s.want("3s a.jsonl a.jsonl/b.jsonl")
		os.RemoveAll(s.path("a.jsonl"))
		write(t, s.path("a.jsonl"), "1\n")
		s.sleep(sweepInterval)
		s.want("6s a.jsonl a.jsonl/b.jsonl")
	})
}

// TestPermission: an unreadable folder is reported once, and again after it was readable.
func TestPermission(t *testing.T) {
	if os.Getuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("this user may read everything")
	}
	play(t, Options{}, 0, func(s *fixture) {
		write(t, s.path("p/b.jsonl"), "1\n")
		s.sleep(sweepInterval)
		s.want("3s p/b.jsonl")
		for _, mode := range []os.FileMode{0, 0o444} { // names cannot be listed, or files cannot be accessed
			os.Chmod(s.path("p"), mode)
			s.sleep(10 * sweepInterval)
			s.wantMessages("watching " + s.path("p") + ": permission denied")
			os.Chmod(s.path("p"), 0o755)
			s.sleep(sweepInterval)
			s.wantMessages()
		}
		s.want("6s p/b.jsonl", "36s p/b.jsonl", "39s p/b.jsonl", "1m9s p/b.jsonl")
	})
}
