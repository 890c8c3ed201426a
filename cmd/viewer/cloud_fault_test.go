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

// answerS3 answers as S3 does when it refuses a request.
func answerS3(w http.ResponseWriter, status int, code string) bool {
	w.Header().Set("Content-Type", "application/xml")
	w.WriteHeader(status)
	fmt.Fprintf(w, `<?xml version="1.0"?><Error><Code>%s</Code><Message>Told to.</Message></Error>`, code)
	return true
}

// names are those of the objects that begin so.
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

// whole demands that each object of a prefix is one that a build has made, now or before.
func (s *bucketServer) whole(prefix string, builds ...map[string]string) {
	s.Helper()
	for name, data := range s.objects(prefix) {
		found := false
		for _, made := range builds {
			found = found || made[name] == data
		}
		if !found {
			s.Errorf("%s has %d bytes that no build has made", name, len(data))
		}
	}
}

// folderFiles are the files of a site in a folder, without its state.
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

// A bucketFault is what a server does to a request instead of answering it.
type bucketFault func(w http.ResponseWriter, r *http.Request)

// refused answers with a code of S3.
func refused(status int, code string) bucketFault {
	return func(w http.ResponseWriter, _ *http.Request) { answerS3(w, status, code) }
}

// cutBody cuts the connection in the middle of what is put.
func cutBody(_ http.ResponseWriter, r *http.Request) {
	_, _ = io.CopyN(io.Discard, r.Body, r.ContentLength/2)
	panic(http.ErrAbortHandler)
}

// cutAnswer ends a list in the middle.
func cutAnswer(w http.ResponseWriter, _ *http.Request) {
	fmt.Fprint(w, `<?xml version="1.0"?><ListBucketResult><Contents><Key>site/.vie`)
}

// notS3 answers as some other server does.
func notS3(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "<html><p>Welcome</html>") }

// TestBucketSiteFaults: a fault that lasts ends in one line that names address and cause, and in a hint. What was
// there before can be read, no object is torn, and the next build makes the site whole.
func TestBucketSiteFaults(t *testing.T) {
	t.Parallel()
	const writing, reading = "writing s3://logs/site/", "reading s3://logs/site: "
	for _, c := range []struct {
		name       string
		puts       bool // it happens to puts but the first two, and else to lists
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
			t.Parallel() // most of it is waiting
			var n atomic.Int64
			said, code := faultySite(t, func(w http.ResponseWriter, r *http.Request) bool {
				meant := r.Method == http.MethodPut && n.Add(1) > 2
				if !c.puts {
					meant = r.URL.Query().Has("list-type")
				}
				if meant {
					c.fault(w, r)
				}
				return meant
			})
			lines := strings.Split(strings.TrimSuffix(said, "\n"), "\n")
			if code != 1 || len(lines) != 2 || !strings.HasPrefix(lines[0], "viewer: error: "+c.where) ||
				!strings.HasSuffix(lines[0], c.want) || !strings.HasPrefix(lines[1], "viewer: hint: ") ||
				!strings.Contains(lines[1], c.hint) {
				t.Errorf("exit %d, want %q and %q:\n%s", code, c.want, c.hint, said)
			}
		})
	}
}

// faultySite builds over a site in a bucket while there are faults, and says how that ended.
func faultySite(t *testing.T, fail func(http.ResponseWriter, *http.Request) bool) (said string, code int) {
	t.Helper()
	s := newBucketServer(t)
	folder, want := copyOfTestdata(t)
	build := func(out string) (string, error) { return s.viewer("build", folder, "-o", out) }
	site := s.address("logs/site")
	if said, err := build(site); err != nil {
		t.Fatal(said)
	}
	before := s.objects("site")
	appendPrompt(t, filepath.Join(folder, "-home-mara-ovenbell"))
	if said, err := build(want); err != nil {
		t.Fatal(said)
	}
	s.fail = fail
	said, err := build(site)
	s.fail = nil
	code = exitCode(err)
	s.whole("site", before, folderFiles(t, want))
	if said, err := build(site); err != nil {
		t.Fatalf("the next build: %v\n%s", err, said)
	}
	s.same(want, "site")
	return said, code
}

// TestBucketSlow: a server that takes its time, and answers out of order, changes nothing.
func TestBucketSlow(t *testing.T) {
	t.Parallel()
	var n atomic.Int64
	said, code := faultySite(t, func(http.ResponseWriter, *http.Request) bool {
		if n.Add(1)%5 == 0 {
			time.Sleep(100 * time.Millisecond)
		}
		return false
	})
	if code != 0 {
		t.Errorf("exit %d\n%s", code, said)
	}
}

// TestBucketShards: what does not fit together says so in one line, whatever there is in the bucket.
func TestBucketShards(t *testing.T) {
	t.Parallel()
	s := newBucketServer(t)
	folder := "../../testdata/projects"
	must := func(args ...string) {
		t.Helper()
		if said, err := s.viewer(args...); err != nil {
			t.Fatalf("%v: %v\n%s", args, err, said)
		}
	}
	fails := func(want, hint string, args ...string) {
		t.Helper()
		said, err := s.viewer(args...)
		lines := strings.Split(strings.TrimSuffix(said, "\n"), "\n")
		if exitCode(err) != 1 || len(lines) != 2 || lines[0] != "viewer: error: "+want ||
			!strings.HasPrefix(lines[1], "viewer: hint: "+hint) {
			t.Errorf("%v: %v, want %q\n%s", args, err, want, said)
		}
	}
	site := s.address("logs/parts")
	fails("s3://logs/parts holds no parts to merge", "build the shards first", "merge", site)
	must("plan", folder, "-o", site, "--shards", "2")
	fails("the plan in s3://logs/parts was made with other flags", "give viewer plan and each shard the same flags",
		"build", folder, "-o", site, "--shard", "0/2", "--no-search")
	fails("the plan in s3://logs/parts is for 2 shards, not 3", "give --shard the number",
		"build", folder, "-o", site, "--shard", "0/3")
	must("build", folder, "-o", site, "--shard", "0/2")
	fails("s3://logs/parts lacks 1 of 2 parts: shards 1/2", "build them: ", "merge", site)
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
	fails("s3://logs/"+part+" is of another plan", "begin again with viewer plan", "merge", site)
	s.put(part, data)
	s.program = otherVersion(t)
	said, err := s.viewer("merge", site)
	s.program = ""
	if exitCode(err) != 1 || !strings.HasPrefix(said,
		"viewer: error: the parts in s3://logs/parts were made by another version of viewer\nviewer: hint: plan, build all") {
		t.Errorf("%v\n%s", err, said)
	}
	must("merge", site)
	if len(s.objects("parts")) < 20 {
		t.Error("the merge made no site")
	}
}

// otherVersion is a program that another version stands for: a file of another time.
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
