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

// testedPerCommand are commands whose flags must all be used by scripts with that command. For a flag of the other
// commands it is enough that a script uses it with any command.
var testedPerCommand = map[string]bool{"check": true, "export": true, "list": true, "report": true}

// TestFlagsAreTested checks that scripts use each flag of each command.
func TestFlagsAreTested(t *testing.T) {
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
			if testedPerCommand[c.Name()] {
				command = c.Name()
			}
			if testedElsewhere[c.Name()+" --"+f.Name] == "" && f.Name != "help" && !tried(command, f) {
				t.Errorf("no script uses viewer %s --%s", c.Name(), f.Name)
			}
		})
	}
	root.PersistentFlags().VisitAll(func(f *pflag.Flag) {
		if !tried(`\w+`, f) {
			t.Errorf("no script uses --%s", f.Name)
		}
	})
}

// testedElsewhere are flags that only Go tests use, with the reason.
var testedElsewhere = map[string]string{
	"serve --host": "goes on until it is stopped: serve_test.go",
	"serve --open": "goes on until it is stopped: serve_test.go",
}

// TestHarmlessSettings: each setting that an untrusted folder may set is a flag.
func TestHarmlessSettings(t *testing.T) {
	root := newRoot(newUI(new(bytes.Buffer), new(bytes.Buffer)))
	for name := range settings.Harmless {
		if !slices.ContainsFunc(root.Commands(), func(c *cobra.Command) bool {
			return c.Flags().Lookup(name) != nil || c.InheritedFlags().Lookup(name) != nil
		}) {
			t.Errorf("no command has a flag %s", name)
		}
	}
}
