//go:build cloud && linux

package main

import (
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
)

// answerS3 answers like S3 when it refuses a request.
func answerS3(w http.ResponseWriter, status int, code string) bool {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	fmt.Fprintf(w, `<?xml version="1.0"?><Error><Code>%s</Code><Message>Told to.</Message></Error>`, code)
	return true
}

// names returns the names of the objects with a prefix.
func (s *bucketServer) names(prefix string) []string {
	s.Helper()
	list, err := s.backend.ListBucket("logs", &gofakes3.Prefix{HasPrefix: true, Prefix: prefix},
		gofakes3.ListBucketPage{})
	if err != nil {
		s.Fatal(err)
	}
	var all []string
	for _, o := range list.Contents {
		all = append(all, o.Key)
	}
	return all
}

// checkKnown checks that each object of a prefix is one that one of the given builds has made.
func (s *bucketServer) checkKnown(prefix string, builds ...map[string]string) {
	s.Helper()
	for name, data := range s.objects(prefix) {
		found := false
		for _, made := range builds {
			found = found || made[name] == data
		}
		if !found {
			s.Errorf("%s (%d bytes) differs from that of each build", name, len(data))
		}
	}
}

// folderFiles returns the files of a site in a folder, without its state.
func folderFiles(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := make(map[string]string)
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if d.Name() == ".viewer" {
				return filepath.SkipDir
			}
			return nil
		}
		data, err := os.ReadFile(path)
		name, _ := filepath.Rel(dir, path)
		all[filepath.ToSlash(name)] = string(data)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// A bucketFault handles a request instead of the server.
type bucketFault func(w http.ResponseWriter, r *http.Request)

// refused answers with an error code of S3.
func refused(status int, code string) bucketFault {
	return func(w http.ResponseWriter, _ *http.Request) { answerS3(w, status, code) }
}

// cutBody closes the connection in the middle of an upload.
func cutBody(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.CopyN(io.Discard, r.Body, r.ContentLength/2)
	panic(http.ErrAbortHandler)
}

// cutAnswer ends a list in the middle.
func cutAnswer(w http.ResponseWriter, _ *http.Request) {
	fmt.Fprint(w, `<?xml version="1.0"?><ListBucketResult><Contents><Key>site/.vie`)
}

// notS3 answers like a server that is not S3.
func notS3(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html><p>Welcome</html>") }

// TestBucketSiteFaults: a permanent fault ends in one line with address and cause, and a hint. The previous site stays
// readable, no object is incomplete, and the next build completes the site.
func TestBucketSiteFaults(t *testing.T) {
	t.Parallel()
	const writing, reading = "writing s3://logs/site/", "reading s3://logs/site: "
	for _, c := range []struct {
		name       string
		puts       bool // puts fail, except the first two; otherwise lists fail
		fault      bucketFault
		where      string
		want, hint string
	}{
		{"throttled", true, refused(503, "SlowDown"), writing, "told to (SlowDown)", "later, or with fewer shards"},
		{"failing", true, refused(500, "InternalError"), writing, "told to (InternalError)", "run it again"},
		{"not allowed", true, refused(403, "AccessDenied"), writing, "no permission: told to (AccessDenied)", "what they may do there"},
		{"no bucket", true, refused(404, "NoSuchBucket"), writing, "no such bucket", "check its name"},
		{"wrong region", true, refused(301, "PermanentRedirect"), writing, "told to (PermanentRedirect)", "name the region"},
		{"clock", true, refused(403, "RequestTimeTooSkewed"), writing, "told to (RequestTimeTooSkewed)", "and the clock"},
		{"cut puts", true, cutBody, writing, "the connection was cut", "run it again"},
		{"cut lists", false, cutAnswer, reading, "the connection was cut in an answer", "run it again"},
		{"another server", false, notS3, reading, "the answer is not one of a bucket", "check the endpoint"},
		{"lists refused", false, refused(403, "AccessDenied"), reading, "no permission: told to (AccessDenied)", "check the credentials"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel() // most of the time is spent waiting
			var n atomic.Int64
			output, code := faultySite(t, func(w http.ResponseWriter, r *http.Request) bool {
				meant := r.Method == http.MethodPut && n.Add(1) > 2
				if !c.puts {
					meant = r.URL.Query().Has("list-type")
				}
				if meant {
					c.fault(w, r)
				}
				return meant
			})
			lines := strings.Split(strings.TrimSuffix(output, "\n"), "\n")
			if code != 1 || len(lines) != 2 || !strings.HasPrefix(lines[0], "viewer: error: "+c.where) ||
				!strings.HasSuffix(lines[0], c.want) || !strings.HasPrefix(lines[1], "viewer: hint: ") ||
				!strings.Contains(lines[1], c.hint) {
				t.Errorf("exit %d, want 1, %q and %q:\n%s", code, c.want, c.hint, output)
			}
		})
	}
}

// faultySite builds over an existing site in a bucket while requests fail, and returns messages and exit code of that
// build. Then it checks that the next build succeeds.
func faultySite(t *testing.T, fail func(http.ResponseWriter, *http.Request) bool) (output string, code int) {
	t.Helper()
	s := newBucketServer(t)
	folder, want := copyOfTestdata(t)
	build := func(out string) (string, error) { return s.viewer("build", folder, "-o", out) }
	site := s.address("logs/site")
	if output, err := build(site); err != nil {
		t.Fatal(output)
	}
	before := s.objects("site")
	appendPrompt(t, filepath.Join(folder, "-home-mara-ovenbell"))
	if output, err := build(want); err != nil {
		t.Fatal(output)
	}
	s.fail = fail
	output, err := build(site)
	s.fail = nil
	code = exitCode(err)
	s.checkKnown("site", before, folderFiles(t, want))
	if output, err := build(site); err != nil {
		t.Fatalf("the next build: %v\n%s", err, output)
	}
	s.checkSame(want, "site")
	return output, code
}

// TestBucketSlow: a server that is slow and answers out of order changes nothing.
func TestBucketSlow(t *testing.T) {
	t.Parallel()
	var n atomic.Int64
	output, code := faultySite(t, func(http.ResponseWriter, *http.Request) bool {
		if n.Add(1)%5 == 0 {
			time.Sleep(100 * time.Millisecond)
		}
		return false
	})
	if code != 0 {
		t.Errorf("exit %d, want 0\n%s", code, output)
	}
}

// TestBucketShards: shards that do not belong together are refused with one line and a hint, whatever is in the bucket.
func TestBucketShards(t *testing.T) {
	t.Parallel()
	s := newBucketServer(t)
	folder := "../../testdata/projects"
	must := func(args ...string) {
		t.Helper()
		if output, err := s.viewer(args...); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, output)
		}
	}
	fails := func(want, hint string, args ...string) {
		t.Helper()
		output, err := s.viewer(args...)
		lines := strings.Split(strings.TrimSuffix(output, "\n"), "\n")
		if exitCode(err) != 1 || len(lines) != 2 || lines[0] != "viewer: error: "+want ||
			!strings.HasPrefix(lines[1], "viewer: hint: "+hint) {
			t.Errorf("%v: %v, want %q\n%s", args, err, want, output)
		}
	}
	site := s.address("logs/parts")
	fails("s3://logs/parts contains no parts to merge", "build the shards first", "merge", site)
	must("plan", folder, "-o", site, "--shards", "2")
	fails("the plan in s3://logs/parts was made with other flags", "give viewer plan and each shard the same flags",
		"build", folder, "-o", site, "--shard", "0/2", "--no-search")
	fails("the plan in s3://logs/parts was made with --shards 2, not 3", "give --shard the number",
		"build", folder, "-o", site, "--shard", "0/3")
	must("build", folder, "-o", site, "--shard", "0/2")
	fails("s3://logs/parts lacks 1 of 2 parts: shard 1/2", "build them: ", "merge", site)
	must("build", folder, "-o", site, "--shard", "1/2")

	var part string
	for _, name := range s.names("parts/.viewer/parts/") {
		if strings.HasSuffix(name, "/part-00001") {
			part = name
		}
	}
	object, err := s.backend.GetObject("logs", part, nil)
	if err != nil {
		t.Fatal(err)
	}
	data, err := io.ReadAll(object.Contents)
	object.Contents.Close()
	if err != nil {
		t.Fatal(err)
	}
	s.put(part, data[:len(data)/2])
	fails("reading s3://logs/"+part+": it is damaged", "begin again with viewer plan", "merge", site)
	other, err := s.backend.GetObject("logs", strings.TrimSuffix(part, "1")+"0", nil)
	if err != nil {
		t.Fatal(err)
	}
	of0, err := io.ReadAll(other.Contents)
	other.Contents.Close()
	if err != nil {
		t.Fatal(err)
	}
	s.put(part, of0)
	fails("s3://logs/"+part+" belongs to another plan", "begin again with viewer plan", "merge", site)
	s.put(part, data)
	s.program = otherVersion(t)
	output, err := s.viewer("merge", site)
	s.program = ""
	if exitCode(err) != 1 || !strings.HasPrefix(output,
		"viewer: error: the parts in s3://logs/parts were made by another version of viewer\nviewer: hint: plan, build all") {
		t.Errorf("shards of two versions: error %v, want one that says so\n%s", err, output)
	}
	must("merge", site)
	if len(s.objects("parts")) < 20 {
		t.Error("the merge made too few objects for a site")
	}
}

// otherVersion returns a copy of the program that counts as another version, because its file has another time.
func otherVersion(t *testing.T) string {
	t.Helper()
	own, err := exec.LookPath("viewer")
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(own)
	if err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(t.TempDir(), "viewer")
	if err := os.WriteFile(other, data, 0o755); err != nil {
		t.Fatal(err)
	}
	return other
}

func exitCode(err error) int {
	ended := (*exec.ExitError)(nil)
	if errors.As(err, &ended) {
		return ended.ExitCode()
	}
	return 0
}
