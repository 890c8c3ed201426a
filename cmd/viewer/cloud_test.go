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

// A bucketServer speaks as S3 does, and fails when it is told to.
type bucketServer struct {
	*testing.T
	backend *s3mem.Backend
	url     string
	program string                                            // "" for viewer
	fail    func(w http.ResponseWriter, r *http.Request) bool // nil for never; true when it has answered
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

// command is the program with credentials.
func (s *bucketServer) command(args ...string) *exec.Cmd {
	cmd := exec.Command(cmp.Or(s.program, "viewer"), args...)
	cmd.Env = append(os.Environ(), "AWS_ACCESS_KEY_ID=reader", "AWS_SECRET_ACCESS_KEY=of-all-that-is-secret",
		"AWS_EC2_METADATA_DISABLED=true", "HOME="+s.TempDir())
	return cmd
}

// viewer runs the program with credentials.
func (s *bucketServer) viewer(args ...string) (string, error) {
	cmd := s.command(args...)
	said, err := cmd.CombinedOutput()
	if strings.Contains(string(said), "SDK ") {
		s.Errorf("%v has a library talk:\n%s", args, said)
	}
	if strings.Contains(string(said), "of-all-that-is-secret") {
		s.Errorf("%v tells a secret key:\n%s", args, said)
	}
	return string(said), err
}

// appendPrompt appends a prompt to the first session of a project and returns its file.
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

// copyOfTestdata returns a folder with the sessions of testdata, and one for the site that a build in a bucket should
// make.
func copyOfTestdata(t *testing.T) (folder, want string) {
	t.Helper()
	dir := t.TempDir()
	folder = filepath.Join(dir, "projects")
	if err := os.CopyFS(folder, os.DirFS("../../testdata/projects")); err != nil {
		t.Fatal(err)
	}
	return folder, filepath.Join(dir, "want")
}

// TestBucket builds a site of the sessions in a bucket: it is that of the same files in a folder.
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
		said, err := s.viewer(append([]string{"build", source, "-o", out}, more...)...)
		if err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
		return said
	}
	build(folder, want)
	build(s.address("logs/team/projects/"), out)
	if diff, err := exec.Command("diff", "-r", "--exclude=.viewer", want, out).CombinedOutput(); err != nil {
		t.Fatalf("the site is not that of the folder: %v\n%.2000s", err, diff)
	}
	requests := 0
	s.fail = func(_ http.ResponseWriter, r *http.Request) bool {
		if strings.HasSuffix(r.URL.Path, ".jsonl") {
			requests++
		}
		return false
	}
	if said := build(s.address("logs/team/projects"), out); !strings.Contains(said, "rendered 0, reused 18") ||
		requests > 6 { // a few whose place does not say whose they are: their beginning does
		t.Errorf("a build without a change opens %d logs and says\n%s", requests, said)
	}
	s.fail = nil
	file := appendPrompt(t, filepath.Join(folder, "-home-mara-ovenbell"))
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	s.put("team/projects/-home-mara-ovenbell/"+filepath.Base(file), data)
	if said := build(s.address("logs/team/projects"), out); !strings.Contains(said, "rendered 1, reused 17") {
		t.Errorf("an object that changed: %s", said)
	}

	one := s.address("logs/team/projects/-home-mara-ovenbell/" + filepath.Base(file))
	if said := build(one, filepath.Join(dir, "one")); !strings.Contains(said, "viewer: 1 session, ") {
		t.Errorf("one object: %s", said)
	}
	if said, err := s.viewer("list", s.address("logs/team")); err != nil || strings.Count(said, "\n") < 16 {
		t.Errorf("viewer list: %v\n%s", err, said)
	}
	shards := filepath.Join(dir, "shards")
	for i := range 2 {
		build(s.address("logs/team/projects"), shards, "--shard", fmt.Sprintf("%d/2", i))
	}
	if said, err := s.viewer("merge", shards); err != nil {
		t.Errorf("%v\n%s", err, said)
	}
	if diff, err := exec.Command("diff", "-r", "--exclude=.viewer", out, shards).CombinedOutput(); err != nil {
		t.Errorf("shards that read a bucket make another site: %v\n%.2000s", err, diff)
	}
}

// TestBucketFaults: a server that is busy or cuts connections is asked again, and one that fails is told in one line.
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
			said, err := s.viewer("build", s.address("logs/team/projects"), "-o", filepath.Join(t.TempDir(), "site"))
			if err != nil || !strings.Contains(said, "16 sessions") || s.failed.Load() == 0 {
				t.Errorf("after %d faults: %v\n%s", s.failed.Load(), err, said)
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
		said, err := s.viewer("build", s.address("logs/team"), "-o", out)
		if err == nil || !strings.Contains(said, "viewer: error: ") || !strings.Contains(said, c.want) ||
			!strings.Contains(said, "viewer: hint: ") || !strings.Contains(said, c.hint) ||
			strings.Count(said, "\n") != 2 {
			t.Errorf("%s: %v\n%s", c.code, err, said)
		}
		if _, err := os.Stat(out); err == nil {
			t.Errorf("%s leaves a folder", c.code)
		}
	}
	s.fail = nil
	for address, want := range map[string]string{
		s.address("nowhere/team"):   "reading s3://nowhere/team: no such bucket",
		s.address("logs/elsewhere"): "no sessions in s3://logs/elsewhere",
		"s3://":                     "s3: names no bucket",
	} {
		if said, err := s.viewer("build", address, "-o", out); err == nil || !strings.Contains(said, want) {
			t.Errorf("%s: %v\n%s", address, err, said)
		}
	}
}

// objects are those of a prefix, without those of the state.
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

// same demands that a prefix has the files of a site in a folder, and no others.
func (s *bucketServer) same(dir, prefix string) {
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
			s.Errorf("%s is not what it is in a folder: %d and %d bytes", name, len(got[name]), len(data))
		}
		n++
		return err
	})
	if err != nil {
		s.Fatal(err)
	}
	if n != len(got) || n < 20 {
		s.Errorf("%d objects, %d files", len(got), n)
	}
}

// checkHeaders checks what is said of an object that is put. It has the bytes of a file, so it has no encoding.
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
		t.Errorf("%s may be kept: %q, want %q", name, got, cache)
	}
	if got := r.Header.Get("Content-Type"); got != content {
		t.Errorf("%s is %q, want %q", name, got, content)
	}
	if got := r.Header.Get("Content-Encoding"); got != "" {
		t.Errorf("%s is encoded: %q", name, got)
	}
}

// TestBucketSite builds sites in a bucket: by one build, and by shards of which some are killed and some run twice.
func TestBucketSite(t *testing.T) {
	t.Parallel()
	s := newBucketServer(t)
	folder, want := copyOfTestdata(t)
	must := func(args ...string) string {
		t.Helper()
		said, err := s.viewer(args...)
		if err != nil {
			t.Fatalf("%v: %v\n%s", args, err, said)
		}
		return said
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
	said := must("build", folder, "-o", s.address("logs/one"))
	if !strings.Contains(said, "open s3://logs/one/index.html") {
		t.Error(said)
	}
	s.same(want, "one")
	counts()
	must("build", folder, "-o", s.address("logs/one"))
	if p, g := counts(); p > 0 || g > 5 {
		t.Errorf("without a change: %d puts, %d gets", p, g)
	}
	appendPrompt(t, filepath.Join(folder, "-home-mara-ovenbell"))
	must("build", folder, "-o", want)
	counts()
	must("build", folder, "-o", s.address("logs/one"))
	p, g := counts()
	t.Logf("an append: %d puts, %d gets", p, g)
	if p > 10 || g > 10 {
		t.Errorf("an append puts %d objects and gets %d", p, g)
	}
	s.same(want, "one")

	shards := s.address("logs/shards")
	must("plan", folder, "-o", shards, "--shards", "4")
	if said, err := s.viewer("merge", shards); err == nil || !strings.Contains(said, "lacks 4 of 4 parts") {
		t.Errorf("%v\n%s", err, said)
	}
	for i := range 4 {
		var done atomic.Int64
		limit := int64(3 + 2*i)
		s.fail = func(w http.ResponseWriter, r *http.Request) bool { // the shard is cut off in the middle
			if r.Method == http.MethodPut && done.Add(1) > limit {
				w.WriteHeader(http.StatusForbidden)
				return true
			}
			return false
		}
		if said, err := s.viewer("build", folder, "-o", shards, "--shard", fmt.Sprintf("%d/4", i)); err == nil ||
			!strings.Contains(said, "viewer: error: writing s3://logs/shards") {
			t.Errorf("a shard that may not write: %v\n%s", err, said)
		}
		s.fail = nil
		must("build", folder, "-o", shards, "--shard", fmt.Sprintf("%d/4", i))
	}
	must("build", folder, "-o", shards, "--shard", "2/4")
	must("merge", shards)
	s.same(want, "shards")
	if said := must("merge", shards); !strings.Contains(said, "s3://logs/shards is up to date") {
		t.Error(said)
	}
	must("build", folder, "-o", shards)
	s.same(want, "shards")

	twice := s.address("logs/twice")
	must("build", folder, "-o", twice, "--shard", "0/2")
	must("build", folder, "-o", twice, "--shard", "1/2")
	held, first := make(chan bool), make(chan string, 1)
	var marks atomic.Int64
	s.fail = func(_ http.ResponseWriter, r *http.Request) bool { // the merge that began first ends last
		if r.Method == http.MethodPut && strings.HasSuffix(r.URL.Path, "/.viewer/merged") && marks.Add(1) == 1 {
			held <- true
			<-held
		}
		return false
	}
	go func() {
		said, err := s.viewer("merge", twice)
		first <- fmt.Sprint(exitCode(err), " ", said)
	}()
	<-held
	must("merge", twice)
	held <- true
	if said := <-first; said != "1 viewer: error: another merge has made the site in s3://logs/twice\n"+
		"viewer: hint: the site is complete: nothing is left to do\n" {
		t.Errorf("the slower of two merges at once: %s", said)
	}
	s.fail = nil
	s.same(want, "twice")

	if said, err := s.viewer("build", folder, "-o", s.address("logs/team")); err == nil ||
		!strings.Contains(said, "s3://logs/team holds objects that viewer did not create") {
		t.Errorf("a prefix of others: %v\n%s", err, said)
	}
}

// TestBucketAppends appends to sessions again and again, until the updates of the state are written into its files.
// Each time the site is that of one build, and few objects are written. Then shards and a merge go on from there, and a
// session comes to a block whose sessions have their segments in the updates.
func TestBucketAppends(t *testing.T) {
	t.Parallel()
	s := newBucketServer(t)
	folder, want := copyOfTestdata(t)
	site := s.address("logs/grown")
	must := func(args ...string) {
		t.Helper()
		if said, err := s.viewer(args...); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, said)
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
			t.Fatal("the updates are never written into the files")
		}
		grow(n)
		puts.Store(0)
		before := files.Load()
		must("build", folder, "-o", site)
		if got := puts.Load(); got > 10 && files.Load() == before {
			t.Errorf("append %d puts %d objects", n, got)
		}
		s.same(want, "grown")
	}
	if segments.Load() < 18 {
		t.Errorf("%d segments are written, fewer than there are sessions", segments.Load())
	}

	grow(100)
	must("build", folder, "-o", site)
	grow(101)
	must("plan", folder, "-o", site, "--shards", "2")
	must("build", folder, "-o", site, "--shard", "1/2")
	must("build", folder, "-o", site, "--shard", "0/2")
	must("merge", site)
	s.same(want, "grown")
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
	s.same(want, "grown")
	if texts > 0 {
		t.Errorf("%d texts are read, since segments are not there", texts)
	}
}

// TestBucketStopped builds a new site and is stopped: the next build puts only what is not there.
func TestBucketStopped(t *testing.T) {
	t.Parallel()
	s := newBucketServer(t)
	folder, want := copyOfTestdata(t)
	if said, err := s.viewer("build", folder, "-o", want); err != nil {
		t.Fatal(said)
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
		if said, err := s.viewer(args...); exitCode(err) != 1 || !strings.Contains(said, "no permission") {
			t.Errorf("%v\n%s", err, said)
		}
		there := len(s.objects("stopped" + flag))
		s.fail = func(_ http.ResponseWriter, r *http.Request) bool {
			if r.Method == http.MethodPut && !strings.Contains(r.URL.Path, "/.viewer/") {
				again.Add(1)
			}
			return false
		}
		if said, err := s.viewer(args...); err != nil {
			t.Fatalf("%v\n%s", err, said)
		}
		if n := len(s.objects("stopped" + flag)); there < 8 || n != there+int(again.Load()) {
			t.Errorf("of %d objects %d were there and %d are put again", n, there, again.Load())
		}
		if flag == "--search" {
			s.same(want, "stopped"+flag)
		}
		if left := s.names("stopped" + flag + "/.viewer/journal"); len(left) > 0 {
			t.Errorf("%q is left", left)
		}
		s.fail = nil
	}
}

// TestBucketLargeObject writes an object that is too large for memory, while the server fails now and then: it is that
// object, in some requests, and its checksum is known.
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
		t.Errorf("%d bytes of %d, %v", len(got), len(want), err)
	}
	if puts.Load() < 3 {
		t.Errorf("%d MB are written by %d requests", len(want)>>20, puts.Load())
	}
	b, err := storage.OpenBucket(t.Context(), s.address("logs/large"))
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	sum := md5.Sum(want)
	if o, err := b.Stat(t.Context(), name); err != nil || !bytes.Equal(o.MD5, sum[:]) {
		t.Errorf("the checksum is %x, %v", o.MD5, err)
	}
}

// TestBucketBusy: a site is built in a bucket that throttles and fails now and then.
func TestBucketBusy(t *testing.T) {
	t.Parallel()
	s := newBucketServer(t)
	folder, want := copyOfTestdata(t)
	if said, err := s.viewer("build", folder, "-o", want); err != nil {
		t.Fatal(said)
	}
	var n atomic.Int64
	s.fail = func(w http.ResponseWriter, r *http.Request) bool {
		switch n.Add(1) % 11 {
		case 3:
			w.WriteHeader(http.StatusServiceUnavailable)
		case 7:
			w.WriteHeader(http.StatusInternalServerError)
		case 9:
			panic(http.ErrAbortHandler) // the connection is cut
		default:
			return false
		}
		return true
	}
	if said, err := s.viewer("build", folder, "-o", s.address("logs/busy")); err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	s.fail = nil
	s.same(want, "busy")
}

// TestBucketGateway does it all with versitygw, a server that keeps objects as files: sessions and site are in buckets.
func TestBucketGateway(t *testing.T) {
	t.Parallel()
	gateway, err := exec.LookPath("versitygw")
	if err != nil {
		t.Skip("there is no S3 server: go install github.com/versity/versitygw/cmd/versitygw@v1.8.0")
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
		said, err := s.viewer("list", source)
		if err == nil {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal(said)
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
		if said, err := s.viewer(args...); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, said)
		}
	}
	made := filepath.Join(dir, "buckets", "site", "team")
	if diff, err := exec.Command("diff", "-r", "--exclude=.viewer", want, made).CombinedOutput(); err != nil {
		t.Errorf("the site is not that in a folder: %v\n%.2000s", err, diff)
	}
	said, err := s.viewer("build", source, "-o", site)
	if err != nil || !strings.Contains(said, "rendered 0, reused 18") {
		t.Errorf("a build after the merge: %v\n%s", err, said)
	}
}
