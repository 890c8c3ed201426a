package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// TestValid checks every page with the validator of the W3C, and that it finds the faults of a bad one. It runs once
// for all, because its start takes most of the time.
func TestValid(t *testing.T) {
	t.Parallel()
	bad := t.TempDir()
	page := `<!doctype html><html lang="en"><title>t</title><ul><p id="a">x</p></ul><p id="a">y`
	if err := os.WriteFile(filepath.Join(bad, "bad.html"), []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
	single, _ := singleFiles(t)
	encrypted, _ := encryptedFile(t)
	sites, files := []string{builtSite(t), longSite(t)}, []string{single, encrypted}
	found := invalid(t, slices.Concat(sites, files, []string{bad})...)
	for _, folder := range slices.Concat(sites, files) {
		for _, f := range found[folder] {
			// The validator supports less CSS than browsers do. It never sees the style sheet of a site.
			if !slices.Contains(files, folder) || !strings.Contains(f, ": CSS: ") {
				t.Errorf("%s: %s", filepath.Base(folder), f)
			}
		}
	}
	wants(t, "the validator", found[bad], `bad.html:1: Element “p” not allowed as child of element “ul”`,
		"Duplicate ID “a”")
}

// invalid returns the errors of the pages below each folder: "page:line: what is wrong".
func invalid(t testing.TB, folders ...string) map[string][]string {
	t.Helper()
	// A run is too short for the second compiler of Java, which takes most of its time. Code of the first needs more
	// stack.
	args := append([]string{"-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xss4m", "-jar",
		checker(t, "vnu-jar/build/dist/vnu.jar"), "--format", "json", "--errors-only", "--skip-non-html"}, folders...)
	command := exec.Command(program(t, "java"), args...)
	var out strings.Builder
	command.Stderr = &out
	err := command.Run() // it exits with 1 if there are errors
	if exit := new(exec.ExitError); err != nil && (!errors.As(err, &exit) || exit.ExitCode() != 1) {
		t.Fatalf("running the validator: %v\n%s", err, out.String())
	}
	var result struct {
		Messages []struct {
			Type, SubType, URL, Message, Extract string
			LastLine                             int
		}
	}
	if err := json.Unmarshal([]byte(out.String()), &result); err != nil {
		t.Fatalf("reading the output of the validator: %v\n%s", err, out.String())
	}
	findings := map[string][]string{}
	for _, m := range result.Messages {
		i := slices.IndexFunc(folders, func(folder string) bool {
			return strings.Contains(m.URL, filepath.ToSlash(folder)+"/")
		})
		if i < 0 {
			t.Fatalf("the validator found an error in %s, which is in no folder to check", m.URL)
		}
		_, page, _ := strings.Cut(m.URL, filepath.ToSlash(folders[i])+"/")
		findings[folders[i]] = append(findings[folders[i]],
			fmt.Sprintf("%s:%d: %s: %s", page, m.LastLine, m.Message, m.Extract))
	}
	return findings
}
