package main

import (
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// A fileInfo holds what .goreleaser.yaml sets for a file of an archive besides its contents.
type fileInfo struct {
	MTime, Owner, Group string
	Mode                int
}

// An archived file is added to an archive beside the program.
type archived struct {
	Src  string
	Info fileInfo
}

// releaseTags are the build tags of releases. The last leaves out what Google's driver of buckets has for gRPC, which
// is not used: a sixth of the program, and a fifth of the instructions of its start.
const releaseTags = "cloud,parquet,disable_grpc_modules"

// TestDefaultModules: a program without build tags depends on no driver of a bucket, and not on the Parquet library. A
// released program does, but not on what only gRPC needs.
func TestDefaultModules(t *testing.T) {
	modules := func(tags string) []string {
		cmd := exec.Command("go", "list", "-deps", "-tags", tags, "-f", "{{with .Module}}{{.Path}}{{end}}", ".")
		out, err := cmd.Output()
		if err != nil {
			t.Skipf("go list: %v", err)
		}
		all := strings.Fields(string(out))
		slices.Sort(all)
		return slices.Compact(all)
	}
	large := regexp.MustCompile(`cloud|aws|[Aa]zure|google\.golang\.org|parquet|opentelemetry`)
	for _, name := range modules("") {
		if large.MatchString(name) {
			t.Errorf("the program without tags depends on %s", name)
		}
	}
	released := modules(releaseTags)
	if !slices.ContainsFunc(released, large.MatchString) {
		t.Error("the program with the tags of a release has no drivers")
	}
	for _, name := range released {
		if strings.Contains(name, "envoyproxy") {
			t.Errorf("the program with the tags of a release depends on %s", name)
		}
	}
}

// TestReleaseTargets: releases are built for the targets that make check covers, with the same flags, and without a
// version set by linker flags. The checks build one target of each system, and drivers of buckets and Parquet for the
// current system only.
func TestReleaseTargets(t *testing.T) {
	data, err := os.ReadFile("../../.goreleaser.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var release struct {
		Builds []struct {
			Main                              string
			Env, Flags, Ldflags, Goos, Goarch []string
			ModTimestamp                      string `yaml:"mod_timestamp"`
		}
		Archives []struct {
			BuildsInfo fileInfo `yaml:"builds_info"`
			Files      []archived
		}
		Checksum struct{ Algorithm string }
	}
	if err := yaml.Unmarshal(data, &release); err != nil {
		t.Fatal(err)
	}
	b := release.Builds[0]
	var targets []string
	for _, system := range b.Goos {
		for _, arch := range b.Goarch {
			targets = append(targets, system+"/"+arch)
		}
	}
	script, err := os.ReadFile("../../.ci/cross")
	if err != nil {
		t.Fatal(err)
	}
	m := regexp.MustCompile(`targets=\(([^)]*)\)`).FindStringSubmatch(string(script))
	if m == nil || !slices.Equal(strings.Fields(m[1]), targets) {
		t.Errorf("released for %v, want the checked targets %v", targets, m)
	}
	if b.Main != "./cmd/viewer" || !slices.Equal(b.Flags, []string{"-trimpath", "-tags=" + releaseTags}) ||
		!slices.Equal(b.Ldflags, []string{"-s -w"}) || !slices.Equal(b.Env, []string{"CGO_ENABLED=0"}) ||
		b.ModTimestamp == "" {
		t.Errorf("got build %+v, want the flags that the checks use", b)
	}
	if !strings.Contains(string(script), "-tags="+releaseTags) {
		t.Errorf(".ci/cross does not build with -tags=%s, as releases do", releaseTags)
	}
	if release.Checksum.Algorithm != "sha256" {
		t.Errorf("got checksums %+v, want sha256", release.Checksum)
	}
	for _, a := range release.Archives {
		if want := (fileInfo{"{{ .CommitDate }}", "root", "root", 0o755}); a.BuildsInfo != want {
			t.Errorf("the program in an archive has info %+v, want %+v", a.BuildsInfo, want)
		}
		for _, f := range a.Files {
			if want := (fileInfo{"{{ .CommitDate }}", "root", "root", 0o644}); f.Src == "" || f.Info != want {
				t.Errorf("%s in an archive has info %+v, want %+v, so that the bytes do not depend on builder and time",
					f.Src, f.Info, want)
			}
		}
	}
	for _, a := range release.Archives {
		for _, must := range []string{"LICENSE", "cmd/viewer/licenses.txt"} {
			if !slices.ContainsFunc(a.Files, func(f archived) bool { return f.Src == must }) {
				t.Errorf("archives lack %s", must)
			}
		}
	}
	container, err := os.ReadFile("../../Containerfile")
	if err != nil {
		t.Fatal(err)
	}
	build := "CGO_ENABLED=0 go build -trimpath -tags=" + releaseTags + " -ldflags='-s -w' -o /viewer ./cmd/viewer"
	if !strings.Contains(string(container), build) {
		t.Errorf("Containerfile does not run %s", build)
	}
	if !strings.Contains(string(container), "licenses.txt") {
		t.Error("the image lacks the licences of its modules")
	}
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(string(mod))[1]
	if want := "golang:" + version + " AS build"; !strings.Contains(string(container), want) {
		t.Errorf("Containerfile does not build with Go %s, the version of go.mod", version)
	}
}

// TestImageVersion: the image is built from all files that git tracks, so that its version is that of the tag.
func TestImageVersion(t *testing.T) {
	for _, name := range []string{".containerignore", ".dockerignore"} {
		text, err := os.ReadFile("../../" + name)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSpace(line)
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			c := exec.Command("git", "ls-files", "--", line)
			c.Dir = "../.."
			out, err := c.CombinedOutput()
			if err != nil {
				t.Skipf("not a repository: %v %s", err, out)
			}
			if len(out) > 0 {
				t.Errorf("%s excludes tracked files: %s", name, out)
			}
		}
	}
}

// TestInstall checks the version of the program that go install builds from a clone.
func TestInstall(t *testing.T) {
	out, err := exec.Command(builtProgram(t), "version").Output()
	if err != nil ||
		!regexp.MustCompile(`^viewer (devel|\d+\.\d+\.\d+\S*)( \(commit [^)]+\))? \w+/\w+ go\d`).Match(out) {
		t.Errorf("viewer version: error %v, output %s", err, out)
	}
}
