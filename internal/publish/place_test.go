package publish

import (
	"context"
	"crypto/md5"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"viewer/internal/storage"
)

func textFile(name, text string) File {
	return File{
		Name: name, Size: int64(len(text)), MD5: md5.Sum([]byte(text)),
		Data: func() ([]byte, error) { return []byte(text), nil },
	}
}

// publishTo publishes files to a folder and returns the plan.
func publishTo(t *testing.T, dir string, files ...File) *Plan {
	t.Helper()
	p, err := Open(t.Context(), dir)
	if err != nil {
		t.Fatal(err)
	}
	defer p.Close()
	old, err := p.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	plan, err := p.Plan(files, old, old.Next(), false)
	if err == nil {
		err = plan.Apply(t.Context(), "", false)
	}
	if err != nil {
		t.Fatal(err)
	}
	return plan
}

// TestFolder: a link is replaced and not followed, leftovers of a killed run are removed, and so are folders that
// become empty.
func TestFolder(t *testing.T) {
	dir := t.TempDir()
	www, outside := filepath.Join(dir, "www"), filepath.Join(dir, "outside")
	if err := os.WriteFile(outside, []byte("of others"), 0o644); err != nil {
		t.Fatal(err)
	}
	publishTo(t, www, textFile("index.html", "one"), textFile("s/a/index.html", "two"))
	page, left := filepath.Join(www, "index.html"), filepath.Join(www, "s", besidePrefix+NewName())
	if err := os.Remove(page); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, page); err != nil {
		t.Skip(err)
	}
	if err := os.WriteFile(left, []byte("half a page"), 0o644); err != nil {
		t.Fatal(err)
	}
	plan := publishTo(t, www, textFile("index.html", "one"))
	if len(plan.Changed) != 1 || len(plan.Removed) != 2 || plan.Others != 0 {
		t.Errorf("got %d changed, removed %q, %d other files; want 1, 2 and none",
			len(plan.Changed), plan.Removed, plan.Others)
	}
	if data, err := os.ReadFile(outside); err != nil || string(data) != "of others" {
		t.Errorf("a file outside is %q, error %v, want it unchanged", data, err)
	}
	if info, err := os.Lstat(page); err != nil || !info.Mode().IsRegular() {
		t.Errorf("got %v, error %v, want a regular file in place of the link", info, err)
	}
	if _, err := os.Stat(filepath.Join(www, "s")); err == nil {
		t.Error("an empty folder is left")
	}
}

// TestRecord: a record that names files of others, or has another version, is refused.
func TestRecord(t *testing.T) {
	for _, text := range []string{
		`{"schema":"viewer/published","version":1,"files":{"../outside":{}}}`,
		`{"schema":"viewer/published","version":1,"files":{"/etc/passwd":{}}}`,
		`{"schema":"viewer/published","version":1,"files":{".git/config":{}}}`,
		`{"schema":"viewer/published","version":1}`,
		`{"schema":"viewer/published","version":2,"files":{}}`,
		`{"schema":"another","version":1,"files":{}}`,
		`[]`, ``,
	} {
		dir := t.TempDir()
		name := filepath.Join(dir, recordPrefix+NewName()+recordSuffix)
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
		p, err := Open(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := p.Read(t.Context()); err == nil {
			t.Errorf("%s is accepted, want an error", text)
		}
		p.Close()
	}
}

// silent is a bucket that gives no checksums.
type silent struct{ *folder }

func (s silent) List(ctx context.Context, prefix string) iter.Seq2[storage.Object, error] {
	return func(yield func(storage.Object, error) bool) {
		for o, err := range s.folder.List(ctx, prefix) {
			o.MD5 = nil
			if !yield(o, err) {
				return
			}
		}
	}
}

// TestPlanWithoutChecksums: if a provider gives no checksums, the record says what was written.
func TestPlanWithoutChecksums(t *testing.T) {
	dir := t.TempDir()
	publishTo(t, dir, textFile("a.html", "one"), textFile("b.html", "two"))
	f, err := openFolder(dir)
	if err != nil {
		t.Fatal(err)
	}
	p := &Place{Name: dir, Kind: Bucket, bucket: silent{f}}
	defer p.Close()
	if err := p.list(t.Context()); err != nil {
		t.Fatal(err)
	}
	old, err := p.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	plan, err := p.Plan([]File{textFile("a.html", "one"), textFile("b.html", "new")}, old, old.Next(), false)
	if err != nil || plan.Same != 1 || len(plan.Changed) != 1 {
		t.Errorf("got %+v, error %v; want 1 unchanged and 1 changed", plan, err)
	}
}

func TestAddresses(t *testing.T) {
	dir := t.TempDir()
	taken := filepath.Join(dir, "a#b")
	if err := os.Mkdir(taken, 0o755); err != nil {
		t.Fatal(err)
	}
	for address, want := range map[string][]string{
		".#gh-pages": {".", "gh-pages"}, "git@host:me/a.git#x/y": {"git@host:me/a.git", "x/y"},
		"public": nil, "#gh-pages": nil, "public#": nil, taken: nil,
	} {
		repository, branch, ok := cutBranch(address)
		if ok != (want != nil) || ok && !slices.Equal([]string{repository, branch}, want) {
			t.Errorf("%s: got %q, %q, %v", address, repository, branch, ok)
		}
	}
	if name := NewName(); len(name) != 32 || name == NewName() || strings.ToLower(name) != name {
		t.Errorf("got the name %q, want 32 random characters in lower case", name)
	}
}
