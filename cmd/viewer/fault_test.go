//go:build linux

package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"viewer/internal/testing/corpus"
	"viewer/internal/testing/corpusgen"
)

// torture reports whether VIEWER_TORTURE is set, as by make torture. Then the tests that inject faults into the built
// program run longer.
func torture() bool { return os.Getenv("VIEWER_TORTURE") != "" }

// A fixture is the built program, a folder of sessions, and a folder for the site.
type fixture struct {
	*testing.T
	viewer, source, site string
}

func newFixture(t *testing.T, bytes, sessions int) *fixture {
	t.Helper()
	viewer, dir := builtProgram(t), t.TempDir()
	if err := os.Chmod(filepath.Dir(dir), 0o755); err != nil { // for tests that run the program as another user
		t.Fatal(err)
	}
	r := &fixture{t, viewer, filepath.Join(dir, "projects"), filepath.Join(dir, "site")}
	for f := range corpusgen.Folder(corpusgen.Options{Seed: 7, Bytes: bytes, Sessions: sessions}) {
		r.put(filepath.Join(r.source, filepath.FromSlash(f.Path)), f.Data)
	}
	return r
}

func (r *fixture) put(name string, data []byte) {
	r.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
		r.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o644); err != nil {
		r.Fatal(err)
	}
}

func (r *fixture) build(out string, args ...string) (string, error) {
	output, err := exec.Command(r.viewer, append([]string{"build", r.source, "-o", out}, args...)...).CombinedOutput()
	return string(output), err
}

func (r *fixture) mustBuild(out string, args ...string) string {
	r.Helper()
	output, err := r.build(out, args...)
	if err != nil {
		r.Fatalf("building: %v\n%s", err, output)
	}
	return output
}

// runOrKill runs a command and kills it after a time, or never if that is 0. It reports whether the command ended by
// itself. If the command fails by itself, so does the test.
func runOrKill(t *testing.T, cmd *exec.Cmd, after time.Duration) (done bool) {
	t.Helper()
	var output strings.Builder
	cmd.Stderr = &output
	if err := cmd.Start(); err != nil {
		t.Error(err)
		return true
	}
	if after > 0 {
		timer := time.AfterFunc(after, func() { _ = cmd.Process.Kill() })
		defer timer.Stop()
	}
	err := cmd.Wait()
	if err != nil && (after == 0 || cmd.ProcessState.ExitCode() > 0) {
		t.Errorf("%v: %v\n%s", cmd.Args[1:], err, &output)
		return true
	}
	return err == nil
}

// twiceInParallel runs a function twice at the same time.
func twiceInParallel(run func()) {
	var both sync.WaitGroup
	both.Go(run)
	both.Go(run)
	both.Wait()
}

var sessionLink = regexp.MustCompile(`href="((?:s|p|m)/[^"#]+)"`)

// checkReadable checks that all pages are complete and that the targets of the index exist.
func (r *fixture) checkReadable(after string) {
	r.Helper()
	files := r.files(r.site)
	for name, data := range files {
		if strings.HasSuffix(name, ".html") && !bytes.HasSuffix(data, []byte("</html>\n")) {
			r.Fatalf("after %s, %s has no end: %d bytes", after, name, len(data))
		}
	}
	for _, m := range sessionLink.FindAllSubmatch(files["index.html"], -1) {
		if _, there := files[string(m[1])]; !there {
			r.Fatalf("after %s, the index links to %s, which does not exist", after, m[1])
		}
	}
}

// files returns the files of a site, without its state.
func (r *fixture) files(dir string) map[string][]byte {
	r.Helper()
	all := make(map[string][]byte)
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if os.IsNotExist(err) {
			return nil
		}
		if err != nil || d.IsDir() && d.Name() != ".viewer" {
			return err
		}
		if d.IsDir() {
			return filepath.SkipDir
		}
		data, err := os.ReadFile(path)
		if os.IsNotExist(err) {
			return nil
		}
		name, _ := filepath.Rel(dir, path)
		all[filepath.ToSlash(name)] = data
		return err
	})
	if err != nil {
		r.Fatal(err)
	}
	return all
}

// checkClean checks that the site has the bytes of a build into a new folder.
func (r *fixture) checkClean(after string) {
	r.Helper()
	fresh := filepath.Join(r.TempDir(), "fresh")
	r.mustBuild(fresh)
	want, got := r.files(fresh), r.files(r.site)
	for name, data := range want {
		if !bytes.Equal(got[name], data) {
			r.Fatalf("after %s, %s differs from that of a clean build", after, name)
		}
	}
	for name := range got {
		if _, ok := want[name]; !ok {
			r.Fatalf("after %s, %s is left, which a clean build does not have", after, name)
		}
	}
}

// appendTo appends a record to a random session.
func (r *fixture) appendTo(random *rand.Rand) {
	r.Helper()
	sessions, _ := filepath.Glob(filepath.Join(r.source, "*", "*.jsonl"))
	f, err := os.OpenFile(sessions[random.IntN(len(sessions))], os.O_APPEND|os.O_WRONLY, 0)
	if err == nil {
		_, err = fmt.Fprintf(f,
			`{"type":"user","uuid":"%08x-cccc-4111-8111-111111111111","timestamp":"2026-05-12T10:00:00Z","message":{"role":"user","content":"Once more"}}`+"\n", random.Uint32())
		f.Close()
	}
	if err != nil {
		r.Fatal(err)
	}
}

// TestKilled kills builds at random moments, while sources change between them. The site must be readable at any time,
// and the next complete build must give the same site as a clean one.
func TestKilled(t *testing.T) {
	builds, size := 5, 800_000
	switch {
	case torture():
		builds, size = 200, 12_000_000
	case corpus.Full():
		builds, size = 12, 3_000_000
	}
	r := newFixture(t, size, 40)
	random := rand.New(rand.NewPCG(3, uint64(builds)))
	start := time.Now()
	r.mustBuild(filepath.Join(t.TempDir(), "measured"))
	took := time.Since(start)
	killed, started := 0, 0
	for ; started < builds || killed < builds/3 && started < 20*builds; started++ {
		cmd := exec.Command(r.viewer, "build", r.source, "-o", r.site)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Duration(random.Int64N(int64(took) + 1)))
		_ = cmd.Process.Kill()
		if err := cmd.Wait(); err != nil {
			killed++
		} else if started >= builds {
			took /= 2 // the machine was busier when it was measured
		}
		r.checkReadable(fmt.Sprintf("build %d", started))
		switch random.IntN(4) {
		case 0:
			r.appendTo(random)
		case 1:
			if err := os.RemoveAll(r.site); err != nil {
				t.Fatal(err)
			}
		}
		if started%20 == 11 {
			r.mustBuild(r.site)
			r.checkClean(fmt.Sprintf("%d builds", started+1))
		}
	}
	r.mustBuild(r.site)
	r.checkClean("all kills")
	t.Logf("killed %d of %d builds of about %v", killed, started, took.Round(time.Millisecond))
	if killed < builds/3 {
		t.Errorf("%d of %d builds were killed before they were done, want at least %d", killed, started, builds/3)
	}
}

// TestChangingSources builds while sessions are appended to, truncated and replaced. Each build must succeed, and the
// one after the changes must give the site of a clean build.
func TestChangingSources(t *testing.T) {
	builds, size := 3, 800_000
	switch {
	case torture():
		builds, size = 40, 2_000_000
	case corpus.Full():
		builds, size = 4, 2_000_000
	}
	r := newFixture(t, size, 20)
	stop, stopped := make(chan bool), make(chan bool)
	go func() {
		defer close(stopped)
		random := rand.New(rand.NewPCG(5, 6))
		for {
			select {
			case <-stop:
				return
			default:
			}
			sessions, _ := filepath.Glob(filepath.Join(r.source, "*", "*.jsonl"))
			name := sessions[random.IntN(len(sessions))]
			switch random.IntN(3) {
			case 0:
				r.appendTo(random)
			case 1:
				if info, err := os.Stat(name); err == nil {
					_ = os.Truncate(name, info.Size()*9/10)
				}
			case 2:
				if data, err := os.ReadFile(name); err == nil && os.WriteFile(name+".tmp", data, 0o644) == nil {
					_ = os.Rename(name+".tmp", name)
				}
			}
		}
	}()
	for i := range builds {
		if output, err := r.build(r.site); err != nil {
			t.Errorf("build %d: %v\n%s", i, err, output)
		}
		r.checkReadable(fmt.Sprintf("build %d", i))
	}
	close(stop)
	<-stopped
	r.mustBuild(r.site)
	r.checkClean("the last change")
	t.Logf("%d builds while sources changed", builds)
}

// TestTwoBuilds starts builds into one folder at the same time. At least one must succeed. The others may fail, with a
// message that another build is running.
func TestTwoBuilds(t *testing.T) {
	size := 1_000_000
	if corpus.Full() {
		size = 2_000_000
	}
	r := newFixture(t, size, 20)
	var all []*exec.Cmd
	var output []*bytes.Buffer
	for range 4 {
		cmd := exec.Command(r.viewer, "build", r.source, "-o", r.site)
		out := new(bytes.Buffer)
		cmd.Stdout, cmd.Stderr = out, out
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		all, output = append(all, cmd), append(output, out)
	}
	done := 0
	for i, cmd := range all {
		err := cmd.Wait()
		if err == nil {
			done++
		} else if !strings.Contains(output[i].String(), "another build is writing to "+r.site) {
			t.Errorf("error %v, want success or that another build is running\n%s", err, output[i])
		}
	}
	if done == 0 {
		t.Error("none of 4 builds succeeded, want at least 1")
	}
	r.checkClean("four builds at once")
	t.Logf("%d of 4 builds into one folder succeeded, the others found another build running", done)
}

// TestDiskFull builds to a small disk until it is full. The message must name file and cause, and the old site must
// stay readable. With more space, the next build must complete the site.
func TestDiskFull(t *testing.T) {
	r := newFixture(t, 2_000_000, 20)
	disk := t.TempDir()
	if err := syscall.Mount("none", disk, "tmpfs", 0, "size=900k"); err != nil {
		t.Skipf("this user may not mount a file system: %v", err)
	}
	defer syscall.Unmount(disk, syscall.MNT_DETACH)
	r.site = filepath.Join(disk, "site")
	output, err := r.build(r.site)
	if err == nil {
		t.Fatal("the site fits on the disk, want a failure: use more sessions")
	}
	for _, want := range []string{
		"viewer: error: writing " + r.site, ": no space left on device\n", "viewer: hint: free some space",
	} {
		if !strings.Contains(output, want) {
			t.Errorf("got\n%s\nwant %q", output, want)
		}
	}
	r.checkReadable("a full disk")
	if err := syscall.Mount("none", disk, "tmpfs", syscall.MS_REMOUNT, "size=200m"); err != nil {
		t.Fatal(err)
	}
	r.mustBuild(r.site)
	r.checkClean("more room")
}

// TestRestoreDiskFull restores an archive to a small disk. One message must name file and cause, and no partial file
// must stay.
func TestRestoreDiskFull(t *testing.T) {
	r := newFixture(t, 2_000_000, 20)
	kept, disk := filepath.Join(t.TempDir(), "kept"), t.TempDir()
	if output, err := exec.Command(r.viewer, "archive", r.source, "-o", kept).CombinedOutput(); err != nil {
		t.Fatalf("archiving: %v\n%s", err, output)
	}
	if err := syscall.Mount("none", disk, "tmpfs", 0, "size=900k"); err != nil {
		t.Skipf("this user may not mount a file system: %v", err)
	}
	defer syscall.Unmount(disk, syscall.MNT_DETACH)
	out := filepath.Join(disk, "restored")
	text, err := exec.Command(r.viewer, "archive", "restore", kept, "-o", out).CombinedOutput()
	output := string(text)
	if err == nil || strings.Count(output, "viewer: error: ") != 1 ||
		!strings.HasPrefix(output, "viewer: error: writing "+out) ||
		!strings.Contains(output, ": no space left on device\nviewer: hint: free some space") {
		t.Errorf("got %v\n%s\nwant one error that names the file", err, output)
	}
	err = filepath.WalkDir(out, func(p string, _ os.DirEntry, err error) error {
		if strings.Contains(p, ".viewer-") {
			t.Errorf("%s is still there", p)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestFewFiles: wherever a build reaches the limit of open files, it fails with a hint about this limit. No session is
// drawn as unreadable, and the next build completes the site.
func TestFewFiles(t *testing.T) {
	r := newFixture(t, 300_000, 6)
	for limit := 12; limit <= 18; limit++ {
		output, err := exec.Command("sh", "-c", `ulimit -n $0; exec "$@"`, strconv.Itoa(limit),
			r.viewer, "build", r.source, "-o", r.site).CombinedOutput()
		want := ": too many open files\nviewer: hint: raise the limit of open files, see ulimit -n\n"
		switch complete := err == nil && !strings.Contains(string(output), "problem"); {
		case complete && limit == 12:
			t.Error("a build with 12 open files succeeded, want an error")
		case !complete && !strings.HasSuffix(string(output), want):
			t.Errorf("with %d open files: error %v, want %q:\n%s", limit, err, want, output)
		}
	}
	r.mustBuild(r.site)
	r.checkClean("builds with few open files")
}

// TestSettingsAtLimit: settings that cannot be read at the limit of open files are no mistake of the user.
func TestSettingsAtLimit(t *testing.T) {
	r := newFixture(t, 3000, 1)
	cmd := exec.Command("sh", "-c", `ulimit -n 4; exec "$@"`, "sh", r.viewer, "list", r.source)
	cmd.Dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(cmd.Dir, "viewer.toml"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	output, _ := cmd.CombinedOutput()
	want := "viewer: error: reading viewer.toml: too many open files\n" +
		"viewer: hint: raise the limit of open files, see ulimit -n\n"
	if code := cmd.ProcessState.ExitCode(); code != 1 || string(output) != want {
		t.Errorf("exit code %d, want 1 and %q:\n%s", code, want, output)
	}
}

// TestNotAllowed runs the program as a user without some permissions. A file that cannot be read only loses its own
// session, and the message names a folder that cannot be written to.
func TestNotAllowed(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("needs root, to run the program as another user")
	}
	defer syscall.Umask(syscall.Umask(0o022)) // that user has to read what others may usually read
	r := newFixture(t, 300_000, 6)
	home := "/nonexistent"
	as := func(args ...string) (string, error) {
		cmd := exec.Command(r.viewer, args...)
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
		cmd.Dir, cmd.Env = filepath.Dir(r.viewer), []string{"HOME=" + home}
		output, err := cmd.CombinedOutput()
		return string(output), err
	}
	if _, err := as("--version"); errors.Is(err, fs.ErrPermission) {
		t.Skipf("another user cannot use the temporary folder: %v", err)
	}
	pages := func(site string) int {
		all, _ := filepath.Glob(filepath.Join(site, "s", "*", "index.html"))
		return len(all)
	}
	whole := filepath.Join(t.TempDir(), "whole")
	r.mustBuild(whole)
	sessions, _ := filepath.Glob(filepath.Join(r.source, "*", "[0-9a-f]*-*-*-*-*.jsonl"))
	if err := os.Chmod(sessions[0], 0); err != nil {
		t.Fatal(err)
	}
	open := filepath.Join(t.TempDir(), "open")
	if err := os.Mkdir(open, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(open, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(filepath.Dir(filepath.Dir(open)), 0o755); err != nil {
		t.Fatal(err)
	}
	output, err := as("build", r.source, "-o", filepath.Join(open, "site"), "--strict")
	if want := filepath.Base(sessions[0]) + ": permission denied"; err == nil || !strings.Contains(output, want) {
		t.Errorf("with --strict: error %v, want %q:\n%s", err, want, output)
	}
	if n := pages(filepath.Join(open, "site")); n != pages(whole)-1 {
		t.Errorf("%d sessions were built, want all %d but one", n, pages(whole))
	}
	output, err = as("build", r.source, "-o", r.site)
	if want := r.site + ": permission denied\n"; err == nil || !strings.Contains(output, want) ||
		!strings.Contains(output, "hint: use -o") {
		t.Errorf("a folder without permission: error %v, want %q and a hint:\n%s", err, want, output)
	}
	private := filepath.Join(open, "private")
	if err := os.Mkdir(private, 0o700); err != nil {
		t.Fatal(err)
	}
	home = private
	output, err = as("list", r.source)
	if want := "viewer.toml: permission denied\nviewer: hint: HOME may be that of another user: "; err == nil ||
		!strings.Contains(output, want) {
		t.Errorf("the home of another user: error %v, want %q:\n%s", err, want, output)
	}
	home = "/nonexistent"
	r.mustBuild(r.site)
	output, err = as("build", r.source, "-o", r.site, "--force")
	if err == nil || !strings.Contains(output, "permission denied") {
		t.Errorf("a site of another user: error %v, want permission denied\n%s", err, output)
	}
	r.checkReadable("a build that was not allowed")
}

// TestClocks builds from files with times of the far future and the far past.
func TestClocks(t *testing.T) {
	r := newFixture(t, 300_000, 6)
	sessions, _ := filepath.Glob(filepath.Join(r.source, "*", "*.jsonl"))
	random := rand.New(rand.NewPCG(8, 9))
	for _, at := range []time.Time{
		time.Now().AddDate(30, 0, 0), time.Unix(0, 0), time.Now().Add(-time.Hour), time.Unix(-1e9, 0),
	} {
		for _, name := range sessions {
			if err := os.Chtimes(name, at, at); err != nil {
				t.Fatal(err)
			}
		}
		r.mustBuild(r.site)
		r.appendTo(random)
		if output := r.mustBuild(r.site); !strings.Contains(output, "rendered 1, ") {
			t.Errorf("with files of %v: got %s, want one session rendered", at, output)
		}
		r.checkClean("clocks that show " + at.String())
	}
}

// TestFolderGone removes one project, and then all of them. The site must keep its pages.
func TestFolderGone(t *testing.T) {
	r := newFixture(t, 300_000, 6)
	r.mustBuild(r.site)
	before := r.files(r.site)
	if err := os.RemoveAll(r.source); err != nil {
		t.Fatal(err)
	}
	output, err := r.build(r.site)
	if want := "reading " + r.source + ": no such file or directory"; err == nil || !strings.Contains(output, want) {
		t.Errorf("error %v, want %q:\n%s", err, want, output)
	}
	for name, data := range r.files(r.site) {
		if !bytes.Equal(before[name], data) {
			t.Errorf("%s has changed, want it as before", name)
		}
	}
}

// TestFullOutput prints to a full disk, which must be reported and fail, and to a closed pipe, which must print
// nothing.
func TestFullOutput(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	const source = "../../testdata/projects/-srv-nightwatch"
	session := filepath.Join(source, "8a6f31d2-94c5-4be7-b0d8-3e27f5a1c960.jsonl")
	for _, args := range [][]string{
		{"export", session}, {"export", session, "--format", "json"}, {"check", source}, {"check", source, "--json"},
		{"search", "--source", source, "the"}, {"config"},
		{"list", source}, {"list", source, "--json"}, {"report", session}, {"report", session, "--json", "-"},
		{"report", session, "--summary", "-"},
		{"help"}, {"--version"}, {"licenses"}, {"completion", "bash"}, {"show", session},
	} {
		var output bytes.Buffer
		c := exec.Command("viewer", args...)
		c.Stdout, c.Stderr = full, &output
		if err := c.Run(); c.ProcessState.ExitCode() != exitFailed ||
			!strings.Contains(output.String(), "viewer: error: writing standard output: no space left on device\n") ||
			strings.Count(output.String(), "error: ") != 1 {
			t.Errorf("%v to a full disk: error %v, want exit code 1 and the cause\n%s", args, err, output.String())
		}
	}
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	reader.Close()
	defer writer.Close()
	var output bytes.Buffer
	c := exec.Command("viewer", "export", session)
	c.Stdout, c.Stderr = writer, &output
	if err := c.Run(); output.Len() > 0 {
		t.Errorf("to a closed pipe: error %v, messages, want none:\n%s", err, output.String())
	}
}
