package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"viewer/internal/testing/corpus"
)

// TestManual generates the manual pages: one for each command, with all of its flags. The program itself must not
// contain the generator.
func TestManual(t *testing.T) {
	if !corpus.Full() {
		t.Skip("links another program, which takes seconds: set " + corpus.All + "=all, as make check does")
	}
	dir := t.TempDir()
	if out, err := exec.Command("go", "run", "-tags", "man", ".", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	root := newRoot(newUI(new(bytes.Buffer), new(bytes.Buffer)))
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		name := strings.ReplaceAll(c.CommandPath(), " ", "-") + ".1"
		page, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			t.Error(err)
			return
		}
		if !bytes.Contains(page, []byte(".SH NAME")) || bytes.Contains(page, []byte("Auto generated")) {
			t.Errorf("%s is not a manual page:\n%.300s", name, page)
		}
		c.NonInheritedFlags().VisitAll(func(f *pflag.Flag) {
			if flag := `\-\-` + strings.ReplaceAll(f.Name, "-", `\-`); !bytes.Contains(page, []byte(flag)) &&
				!bytes.Contains(page, []byte("--"+f.Name)) {
				t.Errorf("%s lacks --%s", name, f.Name)
			}
		})
		for _, inner := range c.Commands() {
			if inner.IsAvailableCommand() { // without help, which has no page
				walk(inner)
			}
		}
	}
	walk(root)
	out, err := exec.Command("go", "list", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(out), "cobra/doc") {
		t.Error("the program contains cobra/doc, want it only with the tag man")
	}
}
