//go:build cloud && linux

package main

import (
	"bytes"
	"cmp"
	"crypto/md5"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"viewer/internal/sitegen/output"
	"viewer/internal/storage"
)

// A bucketServer is a local S3 server that can be told to fail.
type bucketServer struct {
	*testing.T
	backend *s3mem.Backend
	url     string
	program string                                            // "" for viewer
	fail    func(w http.ResponseWriter, r *http.Request) bool // may be nil; returns true if it has answered
	failed  atomic.Int64
}

func newBucketServer(t *testing.T) *bucketServer {
	t.Helper()
	s := &bucketServer{T: t, backend: s3mem.New()}
	inner := gofakes3.New(s.backend).Server()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if s.fail != nil && s.fail(w, r) {
			s.failed.Add(1)
			return
		}
		inner.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)
	s.url = server.URL
	if err := s.backend.CreateBucket("logs"); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir("../../testdata/projects", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		name, err := filepath.Rel("../../testdata/projects", path)
		if err == nil {
			s.put("team/projects/"+filepath.ToSlash(name), data)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (s *bucketServer) put(name string, data []byte) {
	s.Helper()
	_, err := s.backend.PutObject("logs", name, map[string]string{}, bytes.NewReader(data), int64(len(data)), nil)
	if err != nil {
		s.Fatal(err)
	}
}

// command returns a command of the program with credentials.
func (s *bucketServer) command(args ...string) *exec.Cmd {
	cmd := exec.Command(cmp.Or(s.program, "viewer"), args...)
	cmd.Env = append(os.Environ(), "AWS_ACCESS_KEY_ID=reader", "AWS_SECRET_ACCESS_KEY=of-all-that-is-secret",
		"AWS_EC2_METADATA_DISABLED=true", "HOME="+s.TempDir())
	return cmd
}

// viewer runs the program with credentials.
func (s *bucketServer) viewer(args ...string) (string, error) {
	cmd := s.command(args...)
	printed, err := cmd.CombinedOutput()
	if strings.Contains(string(printed), "SDK ") {
		s.Errorf("%v prints a message of the SDK:\n%s", args, printed)
	}
	if strings.Contains(string(printed), "of-all-that-is-secret") {
		s.Errorf("%v prints the secret key:\n%s", args, printed)
	}
	return string(printed), err
}

// appendPrompt appends a prompt to the first session of a project and returns the file of the session.
func appendPrompt(t *testing.T, project string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(project, "*.jsonl"))
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	f, err := os.OpenFile(files[0], os.O_APPEND|os.O_WRONLY, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := fmt.Fprintln(f, `{"type":"user","uuid":"00000000-cccc-4111-8111-111111111111",`+
		`"timestamp":"2026-05-12T10:00:00Z","message":{"role":"user","content":"Once more"}}`); err != nil {
		t.Fatal(err)
	}
	return files[0]
}

func (s *bucketServer) address(name string) string { return "s3://" + name + "?endpoint=" + s.url }

// copyOfTestdata returns a folder with a copy of the sessions of testdata, and a folder for the site that a build in a
// bucket is compared with.
func copyOfTestdata(t *testing.T) (folder, want string) {
	t.Helper()
	dir := t.TempDir()
	folder = filepath.Join(dir, "projects")
	if err := os.CopyFS(folder, os.DirFS("../../testdata/projects")); err != nil {
		t.Fatal(err)
	}
	return folder, filepath.Join(dir, "want")
}

// TestBucket builds a site of sessions in a bucket and compares it with that of the same files in a folder.
func TestBucket(t *testing.T) {
	t.Parallel()
	s := newBucketServer(t)
	dir := t.TempDir()
	out, want := filepath.Join(dir, "site"), filepath.Join(dir, "want")
	folder := filepath.Join(dir, "team", "projects")
	if err := os.CopyFS(folder, os.DirFS("../../testdata/projects")); err != nil {
		t.Fatal(err)
	}
	build := func(source, out string, more ...string) string {
		t.Helper()
		printed, err := s.viewer(append([]string{"build", source, "-o", out}, more...)...)
		if err != nil {
			t.Fatalf("%v\n%s", err, printed)
		}
		return printed
	}
	build(folder, want)
	build(s.address("logs/team/projects/"), out)
	if diff, err := exec.Command("diff", "-r", "--exclude=.viewer", want, out).CombinedOutput(); err != nil {
		t.Fatalf("the site differs from that of the folder: %v\n%.2000s", err, diff)
	}
	requests := 0
	s.fail = func(_ http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, ".jsonl") {
			requests++
		}
		return false
	}
	if printed := build(s.address("logs/team/projects"), out); !strings.Contains(printed, "rendered 0, reused 18") ||
		requests > 6 { // for a few files, the beginning has to tell which agent wrote them
		t.Errorf("a build without changes opens %d logs, want at most 6 and nothing rendered:\n%s", requests, printed)
	}
	s.fail = nil
	file := appendPrompt(t, filepath.Join(folder, "-home-mara-ovenbell"))
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s.put("team/projects/-home-mara-ovenbell/"+filepath.Base(file), data)
	if printed := build(s.address("logs/team/projects"), out); !strings.Contains(printed, "rendered 1, reused 17") {
		t.Errorf("a changed object: got %s, want one rendered", printed)
	}

	one := s.address("logs/team/projects/-home-mara-ovenbell/" + filepath.Base(file))
	if printed := build(one, filepath.Join(dir, "one")); !strings.Contains(printed, "viewer: 1 session, ") {
		t.Errorf("one object: got %s, want 1 session", printed)
	}
	if printed, err := s.viewer("list", s.address("logs/team")); err != nil || strings.Count(printed, "\n") < 16 {
		t.Errorf("viewer list: error %v, want at least 16 lines\n%s", err, printed)
	}
	shards := filepath.Join(dir, "shards")
	for i := range 2 {
		build(s.address("logs/team/projects"), shards, "--shard", fmt.Sprintf("%d/2", i))
	}
	if printed, err := s.viewer("merge", shards); err != nil {
		t.Errorf("%v\n%s", err, printed)
	}
	if diff, err := exec.Command("diff", "-r", "--exclude=.viewer", out, shards).CombinedOutput(); err != nil {
		t.Errorf("the site of shards that read a bucket differs: %v\n%.2000s", err, diff)
	}
}

// TestBucketFaults: requests to a server that is busy or closes connections are retried. A permanent failure is
// reported in one line, with a hint.
func TestBucketFaults(t *testing.T) {
	t.Parallel()
	s := newBucketServer(t)
	out := filepath.Join(t.TempDir(), "site")
	var n atomic.Int64
	answer := func(w http.ResponseWriter, status int, code string) bool {
		w.WriteHeader(status)
		fmt.Fprintf(w, `<?xml version="1.0"?><Error><Code>%s</Code><Message>Told to.</Message></Error>`, code)
		return true
	}
	for name, fail := range map[string]func(http.ResponseWriter, *http.Request) bool{
		"busy": func(w http.ResponseWriter, r *http.Request) bool {
			return n.Add(1)%7 == 0 && answer(w, 503, "SlowDown")
		},
		"failing": func(w http.ResponseWriter, r *http.Request) bool {
			return n.Add(1)%9 == 0 && answer(w, 500, "InternalError")
		},
	} {
		t.Run(name, func(t *testing.T) {
			s.fail = fail
			printed, err := s.viewer("build", s.address("logs/team/projects"), "-o", filepath.Join(t.TempDir(), "site"))
			if err != nil || !strings.Contains(printed, "16 sessions") || s.failed.Load() == 0 {
				t.Errorf("after %d faults: error %v, want 16 sessions\n%s", s.failed.Load(), err, printed)
			}
		})
	}
	for _, c := range []struct {
		status           int
		code, want, hint string
	}{
		{503, "SlowDown", "reading s3://logs/team: told to (SlowDown)", "run it again later"},
		{403, "AccessDenied", "reading s3://logs/team: no permission: told to (AccessDenied)", "check the credentials"},
		{404, "NoSuchBucket", "reading s3://logs/team: no such bucket", "check its name"},
		{400, "AuthorizationHeaderMalformed", "told to (AuthorizationHeaderMalformed)", "name the region"},
		{403, "RequestTimeTooSkewed", "told to (RequestTimeTooSkewed)", "and the clock"},
	} {
		s.fail = func(w http.ResponseWriter, r *http.Request) bool { return answer(w, c.status, c.code) }
		printed, err := s.viewer("build", s.address("logs/team"), "-o", out)
		if err == nil || !strings.Contains(printed, "viewer: error: ") || !strings.Contains(printed, c.want) ||
			!strings.Contains(printed, "viewer: hint: ") || !strings.Contains(printed, c.hint) ||
			strings.Count(printed, "\n") != 2 {
			t.Errorf("%s: error %v, want %q and %q:\n%s", c.code, err, c.want, c.hint, printed)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s: the failed build left a folder", c.code)
		}
	}
	s.fail = nil
	for address, want := range map[string]string{
		s.address("nowhere/team"):   "reading s3://nowhere/team: no such bucket",
		s.address("logs/elsewhere"): "no sessions in s3://logs/elsewhere",
		"s3://":                     "s3: names no bucket",
	} {
		if printed, err := s.viewer("build", address, "-o", out); err == nil || !strings.Contains(printed, want) {
			t.Errorf("%s: error %v, want %q\n%s", address, err, want, printed)
		}
	}
}

// objects returns the objects of a prefix, without those of the state.
func (s *bucketServer) objects(prefix string) map[string]string {
	s.Helper()
	all := make(map[string]string)
	list, err := s.backend.ListBucket("logs", &gofakes3.Prefix{HasPrefix: true, Prefix: prefix + "/"},
		gofakes3.ListBucketPage{})
	if err != nil {
		s.Fatal(err)
	}
	for _, o := range list.Contents {
		name := strings.TrimPrefix(o.Key, prefix+"/")
		if strings.HasPrefix(name, ".viewer/") {
			continue
		}
		got, err := s.backend.GetObject("logs", o.Key, nil)
		if err != nil {
			s.Fatal(err)
		}
		data, err := io.ReadAll(got.Contents)
		got.Contents.Close()
		if err != nil {
			s.Fatal(err)
		}
		all[name] = string(data)
		is := got.Metadata["Content-Type"]
		if strings.HasSuffix(name, ".html") && is != "text/html; charset=utf-8" {
			s.Errorf("%s is %q", name, is)
		}
	}
	return all
}

// checkSame checks that a prefix has the same files as a site in a folder, and no others.
func (s *bucketServer) checkSame(dir, prefix string) {
	s.Helper()
	got := s.objects(prefix)
	n := 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			if d != nil && d.Name() == ".viewer" {
				return filepath.SkipDir
			}
			return err
		}
		name, _ := filepath.Rel(dir, path)
		data, err := os.ReadFile(path)
		if got[filepath.ToSlash(name)] != string(data) {
			s.Errorf("%s differs from the file in the folder: %d bytes, want %d", name, len(got[name]), len(data))
		}
		n++
		return err
	})
	if err != nil {
		s.Fatal(err)
	}
	if n != len(got) || n < 20 {
		s.Errorf("%d objects, want the %d files of the folder, which must be at least 20", len(got), n)
	}
}

// checkHeaders checks the headers of an upload. An object has the bytes of a file, so it must have no Content-Encoding.
func checkHeaders(t *testing.T, r *http.Request) {
	t.Helper()
	name := r.URL.Path
	cache := "no-cache"
	if strings.Contains(name, "/assets/") || strings.Contains(name, "/media/") {
		cache = "public, max-age=31536000, immutable"
	}
	content := map[string]string{
		".html": "text/html; charset=utf-8", ".js": "text/javascript; charset=utf-8", ".css": "text/css; charset=utf-8",
		".json": "application/json", ".png": "image/png", ".svg": "image/svg+xml",
		".txt": "text/plain; charset=utf-8", ".pdf": "application/pdf",
	}[path.Ext(name)]
	if content == "" {
		content = "application/octet-stream"
	}
	if strings.Contains(name, "/.viewer/") {
		cache, content = r.Header.Get("Cache-Control"), r.Header.Get("Content-Type")
	}
	if got := r.Header.Get("Cache-Control"); got != cache {
		t.Errorf("%s: Cache-Control %q, want %q", name, got, cache)
	}
	if got := r.Header.Get("Content-Type"); got != content {
		t.Errorf("%s: Content-Type %q, want %q", name, got, content)
	}
	if got := r.Header.Get("Content-Encoding"); got != "" {
		t.Errorf("%s: Content-Encoding %q, want none", name, got)
	}
}

// TestBucketSite builds sites in a bucket: by one build, and by shards, some of which are killed or run twice.
func TestBucketSite(t *testing.T) {
	t.Parallel()
	s := newBucketServer(t)
	folder, want := copyOfTestdata(t)
	must := func(args ...string) string {
		t.Helper()
		printed, err := s.viewer(args...)
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, printed)
		}
		return printed
	}
	var puts, gets atomic.Int64
	s.fail = func(_ http.ResponseWriter, r *http.Request) bool {
		switch r.Method {
		case http.MethodPut:
			puts.Add(1)
			checkHeaders(t, r)
		case http.MethodGet:
			gets.Add(1)
		}
		return false
	}
	counts := func() (int64, int64) { return puts.Swap(0), gets.Swap(0) }
	must("build", folder, "-o", want)
	printed := must("build", folder, "-o", s.address("logs/one"))
	if !strings.Contains(printed, "open s3://logs/one/index.html") {
		t.Error(printed)
	}
	s.checkSame(want, "one")
	counts()
	must("build", folder, "-o", s.address("logs/one"))
	if p, g := counts(); p > 0 || g > 5 {
		t.Errorf("without changes: %d puts, %d gets, want no puts and at most 5 gets", p, g)
	}
	appendPrompt(t, filepath.Join(folder, "-home-mara-ovenbell"))
	must("build", folder, "-o", want)
	counts()
	must("build", folder, "-o", s.address("logs/one"))
	p, g := counts()
	t.Logf("an append: %d puts, %d gets", p, g)
	if p > 10 || g > 10 {
		t.Errorf("an append puts %d objects and gets %d, want at most 10 of each", p, g)
	}
	s.checkSame(want, "one")

	shards := s.address("logs/shards")
	must("plan", folder, "-o", shards, "--shards", "4")
	if printed, err := s.viewer("merge", shards); err == nil || !strings.Contains(printed, "lacks 4 of 4 parts") {
		t.Errorf("a merge without shards: error %v, want one that counts the missing parts\n%s", err, printed)
	}
	for i := range 4 {
		var done atomic.Int64
		limit := int64(3 + 2*i)
		s.fail = func(w http.ResponseWriter, r *http.Request) bool { // the shard fails in the middle
			if r.Method == http.MethodPut && done.Add(1) > limit {
				w.WriteHeader(http.StatusForbidden)
				return true
			}
			return false
		}
		if printed, err := s.viewer("build", folder, "-o", shards, "--shard", fmt.Sprintf("%d/4", i)); err == nil ||
			!strings.Contains(printed, "viewer: error: writing s3://logs/shards") {
			t.Errorf("a shard without permission to write: error %v, want one that names the address\n%s", err, printed)
		}
		s.fail = nil
		must("build", folder, "-o", shards, "--shard", fmt.Sprintf("%d/4", i))
	}
	must("build", folder, "-o", shards, "--shard", "2/4")
	must("merge", shards)
	s.checkSame(want, "shards")
	if printed := must("merge", shards); !strings.Contains(printed, "s3://logs/shards is up to date") {
		t.Error(printed)
	}
	must("build", folder, "-o", shards)
	s.checkSame(want, "shards")

	twice := s.address("logs/twice")
	must("build", folder, "-o", twice, "--shard", "0/2")
	must("build", folder, "-o", twice, "--shard", "1/2")
	held, first := make(chan bool), make(chan string, 1)
	var marks atomic.Int64
	s.fail = func(_ http.ResponseWriter, r *http.Request) bool { // the merge that starts first ends last
		if r.Method == http.MethodPut && strings.HasSuffix(r.URL.Path, "/.viewer/merged") && marks.Add(1) == 1 {
			held <- true
			<-held
		}
		return false
	}
	go func() {
		printed, err := s.viewer("merge", twice)
		first <- fmt.Sprint(exitCode(err), " ", printed)
	}()
	<-held
	must("merge", twice)
	held <- true
	if printed := <-first; printed != "1 viewer: error: another merge has made the site in s3://logs/twice\n"+
		"viewer: hint: the site is complete: nothing is left to do\n" {
		t.Errorf("the slower of two merges at the same time: got %s, want an error that says that the site is complete",
			printed)
	}
	s.fail = nil
	s.checkSame(want, "twice")

	if printed, err := s.viewer("build", folder, "-o", s.address("logs/team")); err == nil ||
		!strings.Contains(printed, "s3://logs/team contains objects that viewer did not create") {
		t.Errorf("a prefix of others: error %v, want one that says so\n%s", err, printed)
	}
}

// TestBucketAppends appends to sessions until the update files of the state are merged into its main files. After each
// append the site must be that of one build, and only few objects may be written. Then shards and a merge continue from
// that state, and a session is added to a block whose segments are only in the update files.
func TestBucketAppends(t *testing.T) {
	t.Parallel()
	s := newBucketServer(t)
	folder, want := copyOfTestdata(t)
	site := s.address("logs/grown")
	must := func(args ...string) {
		t.Helper()
		if printed, err := s.viewer(args...); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, printed)
		}
	}
	var puts, segments, files atomic.Int64
	s.fail = func(_ http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPut {
			puts.Add(1)
			if strings.Contains(r.URL.Path, "/.viewer/search/") {
				segments.Add(1)
			}
			if strings.HasSuffix(r.URL.Path, "/.viewer/files") {
				files.Add(1)
			}
		}
		return false
	}
	grow := func(n int) {
		t.Helper()
		project := []string{"-home-mara-ovenbell", "-srv-nightwatch"}[n%2]
		file := appendPrompt(t, filepath.Join(folder, project))
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		words := strings.Replace(string(data), "Once more", fmt.Sprintf("Once more, number%d %0*d", n, 400*n, n), 1)
		if err := os.WriteFile(file, []byte(words), 0o644); err != nil {
			t.Fatal(err)
		}
		must("build", folder, "-o", want)
	}
	must("build", folder, "-o", site)
	for n := 0; files.Load() < 2; n++ {
		if n == 60 {
			t.Fatal("after 60 appends, the updates are not merged into the main files of the state")
		}
		grow(n)
		puts.Store(0)
		before := files.Load()
		must("build", folder, "-o", site)
		if got := puts.Load(); got > 10 && files.Load() == before {
			t.Errorf("append %d puts %d objects, want at most 10", n, got)
		}
		s.checkSame(want, "grown")
	}
	if segments.Load() < 18 {
		t.Errorf("%d segments are written, want at least 18: one for each session", segments.Load())
	}

	grow(100)
	must("build", folder, "-o", site)
	grow(101)
	must("plan", folder, "-o", site, "--shards", "2")
	must("build", folder, "-o", site, "--shard", "1/2")
	must("build", folder, "-o", site, "--shard", "0/2")
	must("merge", site)
	s.checkSame(want, "grown")
	grow(102)
	must("build", folder, "-o", site)
	write(t, filepath.Join(folder, "-home-mara-ovenbell", "ab120000-0000-4000-8000-000000000000.jsonl"),
		`{"type":"user","uuid":"00000000-0001-4000-8000-000000000000","timestamp":"2026-05-04T09:00:00Z",`+
			`"message":{"role":"user","content":"A loaf of rye"}}`+"\n")
	must("build", folder, "-o", want)
	texts := 0
	inner := s.fail
	s.fail = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodGet && strings.HasSuffix(r.URL.Path, ".search.js") {
			texts++
		}
		return inner(w, r)
	}
	must("build", folder, "-o", site)
	s.checkSame(want, "grown")
	if texts > 0 {
		t.Errorf("%d texts are read, want none: the segments of their sessions were not found", texts)
	}
}

// TestBucketStopped interrupts the first build of a site. The next build must put only the missing objects.
func TestBucketStopped(t *testing.T) {
	t.Parallel()
	s := newBucketServer(t)
	folder, want := copyOfTestdata(t)
	if printed, err := s.viewer("build", folder, "-o", want); err != nil {
		t.Fatal(printed)
	}
	for _, flag := range []string{"--search", "--no-search"} {
		site := s.address("logs/stopped" + flag)
		args := []string{"build", folder, "-o", site}
		if flag == "--no-search" {
			args = append(args, flag)
		}
		var puts, again atomic.Int64
		s.fail = func(w http.ResponseWriter, r *http.Request) bool {
			return r.Method == http.MethodPut && puts.Add(1) > 12 && answerS3(w, 403, "AccessDenied")
		}
		if printed, err := s.viewer(args...); exitCode(err) != 1 || !strings.Contains(printed, "no permission") {
			t.Errorf("a build that is refused: error %v, want exit code 1 and the cause\n%s", err, printed)
		}
		there := len(s.objects("stopped" + flag))
		s.fail = func(_ http.ResponseWriter, r *http.Request) bool {
			if r.Method == http.MethodPut && !strings.Contains(r.URL.Path, "/.viewer/") {
				again.Add(1)
			}
			return false
		}
		if printed, err := s.viewer(args...); err != nil {
			t.Fatalf("%v\n%s", err, printed)
		}
		if n := len(s.objects("stopped" + flag)); there < 8 || n != there+int(again.Load()) {
			t.Errorf("of %d objects, the first build put %d and the second one %d; want at least 8 and the rest",
				n, there, again.Load())
		}
		if flag == "--search" {
			s.checkSame(want, "stopped"+flag)
		}
		if left := s.names("stopped" + flag + "/.viewer/journal"); len(left) > 0 {
			t.Errorf("%q is left, want no journal", left)
		}
		s.fail = nil
	}
}

// TestBucketLargeObject writes an object that is too large for memory, while the server fails now and then. The object
// must arrive complete, in several requests, and with a checksum.
func TestBucketLargeObject(t *testing.T) {
	s := newBucketServer(t)
	t.Setenv("AWS_ACCESS_KEY_ID", "reader")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "of-all-that-is-secret")
	var puts, n atomic.Int64
	s.fail = func(w http.ResponseWriter, r *http.Request) bool {
		if r.Method == http.MethodPut {
			puts.Add(1)
		}
		return n.Add(1)%4 == 0 && answerS3(w, 503, "SlowDown")
	}
	out, err := output.OpenBucket(t.Context(), s.address("logs/large"), false)
	if err != nil {
		t.Fatal(err)
	}
	defer out.Close()
	line := []byte(strings.Repeat("one line of many, ", 60) + "\n")
	const lines = 24 << 10
	const name = output.StateDir + "/sessions"
	err = out.WriteTemp(name, func(w io.Writer) error {
		for range lines {
			if _, err := w.Write(line); err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		err = out.Commit(name)
	}
	if err != nil {
		t.Fatal(err)
	}
	want := bytes.Repeat(line, lines)
	if got, err := out.ReadFile(name); err != nil || !bytes.Equal(got, want) {
		t.Errorf("got %d bytes (error %v) that differ from the %d written", len(got), len(want), err)
	}
	if puts.Load() < 3 {
		t.Errorf("%d MB are written by %d requests, want at least 3", len(want)>>20, puts.Load())
	}
	b, err := storage.OpenBucket(t.Context(), s.address("logs/large"))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	sum := md5.Sum(want)
	if o, err := b.Stat(t.Context(), name); err != nil || !bytes.Equal(o.MD5, sum[:]) {
		t.Errorf("got checksum %x (error %v), want %x", o.MD5, err, sum)
	}
}

// TestBucketBusy builds a site in a bucket whose server throttles and fails now and then.
func TestBucketBusy(t *testing.T) {
	t.Parallel()
	s := newBucketServer(t)
	folder, want := copyOfTestdata(t)
	if printed, err := s.viewer("build", folder, "-o", want); err != nil {
		t.Fatal(printed)
	}
	var n atomic.Int64
	s.fail = func(w http.ResponseWriter, r *http.Request) bool {
		switch n.Add(1) % 11 {
		case 3:
			w.WriteHeader(http.StatusServiceUnavailable)
		case 7:
			w.WriteHeader(http.StatusInternalServerError)
		case 9:
			panic(http.ErrAbortHandler) // this closes the connection
		default:
			return false
		}
		return true
	}
	if printed, err := s.viewer("build", folder, "-o", s.address("logs/busy")); err != nil {
		t.Fatalf("%v\n%s", err, printed)
	}
	s.fail = nil
	s.checkSame(want, "busy")
}

// TestBucketGateway builds sites with versitygw, an S3 server that stores objects as files. Sessions and site are in
// buckets.
func TestBucketGateway(t *testing.T) {
	t.Parallel()
	gateway, err := exec.LookPath("versitygw")
	if err != nil {
		t.Skip("versitygw is not installed: go install github.com/versity/versitygw/cmd/versitygw@v1.8.0")
	}
	dir := t.TempDir()
	for _, bucket := range []string{"sessions", "site"} {
		if err := os.MkdirAll(filepath.Join(dir, "buckets", bucket), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	folder, want := filepath.Join(dir, "buckets", "sessions", "team"), filepath.Join(dir, "want")
	if err := os.CopyFS(folder, os.DirFS("../../testdata/projects")); err != nil {
		t.Fatal(err)
	}
	port := freePort(t)
	server := exec.Command(gateway, "--access", "reader", "--secret", "of-all-that-is-secret", "--quiet",
		"--port", fmt.Sprintf("127.0.0.1:%d", port), "posix", filepath.Join(dir, "buckets"))
	if err := server.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait()
	})
	s := &bucketServer{T: t, url: fmt.Sprintf("http://127.0.0.1:%d", port)}
	source, site := s.address("sessions/team"), s.address("site/team")
	for deadline := time.Now().Add(time.Minute); ; time.Sleep(100 * time.Millisecond) {
		printed, err := s.viewer("list", source)
		if err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal(printed)
		}
	}
	for _, args := range [][]string{
		{"build", source, "-o", want},
		{"plan", source, "-o", site, "--shards", "3"},
		{"build", source, "-o", site, "--shard", "2/3"},
		{"build", source, "-o", site, "--shard", "0/3"},
		{"build", source, "-o", site, "--shard", "1/3"},
		{"build", source, "-o", site, "--shard", "2/3"},
		{"merge", site},
	} {
		if printed, err := s.viewer(args...); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, printed)
		}
	}
	made := filepath.Join(dir, "buckets", "site", "team")
	if diff, err := exec.Command("diff", "-r", "--exclude=.viewer", want, made).CombinedOutput(); err != nil {
		t.Errorf("the site differs from that in a folder: %v\n%.2000s", err, diff)
	}
	printed, err := s.viewer("build", source, "-o", site)
	if err != nil || !strings.Contains(printed, "rendered 0, reused 18") {
		t.Errorf("a build after the merge: error %v, want nothing rendered\n%s", err, printed)
	}
}
