package main

import (
	"bytes"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"viewer/internal/settings"
	"viewer/internal/testing/golden"
)

// forThemselves are commands whose flags are each tried with them; of the others it
// is enough that one which shares a flag tries it.
var forThemselves = map[string]bool{"check": true, "export": true, "list": true, "report": true}

// TestFlagsAreTried: each flag of each command stands on a line of a script.
func TestFlagsAreTried(t *testing.T) {
	var lines []string
	for _, path := range golden.Glob(t, "testdata/*.txtar") {
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(text)) {
			if strings.Contains(line, "exec viewer ") {
				lines = append(lines, line)
			}
		}
	}
	tried := func(command string, f *pflag.Flag) bool {
		words := `--` + regexp.QuoteMeta(f.Name) + `\b`
		if f.Shorthand != "" {
			words = `(` + words + `|-` + f.Shorthand + `\b)`
		}
		re := regexp.MustCompile(`exec viewer (__complete )?` + command + `\b.* ` + words)
		for _, l := range lines {
			if re.MatchString(l) {
				return true
			}
		}
		return false
	}
	root := newRoot(newUI(new(bytes.Buffer), new(bytes.Buffer)))
	for _, c := range root.Commands() {
		c.LocalNonPersistentFlags().VisitAll(func(f *pflag.Flag) {
			command := `\w+`
			if forThemselves[c.Name()] {
				command = c.Name()
			}
			if triedElsewhere[c.Name()+" --"+f.Name] == "" && f.Name != "help" && !tried(command, f) {
				t.Errorf("no script tries viewer %s --%s", c.Name(), f.Name)
			}
		})
	}
	root.PersistentFlags().VisitAll(func(f *pflag.Flag) {
		if !tried(`\w+`, f) {
			t.Errorf("no script tries --%s", f.Name)
		}
	})
}

// triedElsewhere are flags that tests in Go try, with the reason.
var triedElsewhere = map[string]string{
	"serve --host": "goes on until it is stopped: serve_test.go",
	"serve --open": "goes on until it is stopped: serve_test.go",
}

// TestHarmless: what a folder may set untrusted are settings that there are.
func TestHarmless(t *testing.T) {
	root := newRoot(newUI(new(bytes.Buffer), new(bytes.Buffer)))
	for name := range settings.Harmless {
		if !slices.ContainsFunc(root.Commands(), func(c *cobra.Command) bool {
			return c.Flags().Lookup(name) != nil || c.InheritedFlags().Lookup(name) != nil
		}) {
			t.Errorf("there is no setting %s", name)
		}
	}
}
