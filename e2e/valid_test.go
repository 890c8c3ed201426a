package e2e

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// TestValid checks every page with the validator of the W3C.
func TestValid(t *testing.T) {
	t.Parallel()
	for name, root := range map[string]string{"the test sessions": builtSite(t), "a long session": longSite(t)} {
		t.Run(name, func(t *testing.T) {
			for _, f := range invalid(t, root) {
				t.Error(f)
			}
		})
	}
}

// TestInvalid: the validator finds the faults of a bad page.
func TestInvalid(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	page := `<!doctype html><html lang="en"><title>t</title><ul><p id="a">x</p></ul><p id="a">y`
	if err := os.WriteFile(filepath.Join(root, "bad.html"), []byte(page), 0o644); err != nil {
		t.Fatal(err)
	}
	wants(t, "the validator", invalid(t, root), `bad.html:1: Element “p” not allowed as child of element “ul”`,
		"Duplicate ID “a”")
}

// invalid returns the errors of the pages below root: "page:line: what is wrong".
func invalid(t testing.TB, root string) []string {
	t.Helper()
	// A run is too short for the second compiler of Java, which takes most of its time. Code of the first needs more
	// stack.
	command := exec.Command(program(t, "java"), "-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xss4m",
		"-jar", checker(t, "vnu-jar/build/dist/vnu.jar"), "--format", "json", "--errors-only", "--skip-non-html", root)
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
	var findings []string
	for _, m := range result.Messages {
		page := m.URL
		if _, rest, ok := strings.Cut(m.URL, filepath.ToSlash(root)+"/"); ok {
			page = rest
		}
		findings = append(findings, fmt.Sprintf("%s:%d: %s: %s", page, m.LastLine, m.Message, m.Extract))
	}
	return findings
}
