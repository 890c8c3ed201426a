package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestReleaseTargets: what is released is what is built in each check, with the
// same flags, and without a version that is put in by hand.
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
		t.Errorf("released for %v, built in checks for %v", targets, m)
	}
	if b.Main != "./cmd/viewer" || !slices.Equal(b.Flags, []string{"-trimpath"}) || !slices.Equal(b.Ldflags, []string{"-s -w"}) || !slices.Equal(b.Env, []string{"CGO_ENABLED=0"}) || b.ModTimestamp == "" {
		t.Errorf("the build of a release is not that of the checks: %+v", b)
	}
	if release.Checksum.Algorithm != "sha256" {
		t.Errorf("checksums: %+v", release.Checksum)
	}
	container, err := os.ReadFile("../../Containerfile")
	if err != nil {
		t.Fatal(err)
	}
	if want := "CGO_ENABLED=0 go build -trimpath -ldflags='-s -w' -o /viewer ./cmd/viewer"; !strings.Contains(string(container), want) {
		t.Errorf("Containerfile does not run %s", want)
	}
	mod, err := os.ReadFile("../../go.mod")
	if err != nil {
		t.Fatal(err)
	}
	version := regexp.MustCompile(`(?m)^go (\d+\.\d+)`).FindStringSubmatch(string(mod))[1]
	if want := "golang:" + version + " AS build"; !strings.Contains(string(container), want) {
		t.Errorf("Containerfile is not built with Go %s, as go.mod wants", version)
	}
}

// TestInstall installs from a clone and asks for the version.
func TestInstall(t *testing.T) {
	if testing.Short() {
		t.Skip("builds the program")
	}
	bin := t.TempDir()
	cmd := exec.Command("go", "install", "./cmd/viewer")
	cmd.Dir = "../.."
	cmd.Env = append(os.Environ(), "GOBIN="+bin)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, err := exec.Command(filepath.Join(bin, "viewer"), "version").Output()
	if err != nil || !regexp.MustCompile(`^viewer (devel|\d+\.\d+\.\d+\S*) \w+/\w+ go\d`).Match(out) {
		t.Errorf("viewer version: %v, %s", err, out)
	}
}
