//go:build unix

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"viewer/internal/testing/plaingit"
)

// TestCheckScript runs .ci/check with a fake make. The script must print the number of each step, print that a silent
// step is still running, fail with the step that failed, and report missing browsers: as a warning, or as a failure in
// continuous integration.
func TestCheckScript(t *testing.T) {
	t.Parallel()
	script, err := os.ReadFile("../../.ci/check")
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		make  string // a line of the script that replaces make
		env   []string
		fails bool
		want  []string
		not   string
	}{
		"all": {"true", nil, false, []string{
			"step 1 of 8: programs for the tests\nscale\nchromium\nfirefox\ncheckers\n",
			"step 2 of 8: format and vet\nvet\n",
			"step 7 of 8: tests\ntest\n",
			"step 8 of 8: tests in a browser\ne2e\n", "all 8 steps passed in 0m ",
		}, "NOT RUN"},
		"silent": {`[ "$1" != race ] || until grep -q 'still running' output; do sleep 0.05; done`,
			[]string{"CHECK_LOOK=0.05"}, false, []string{
				"\n... step 6 of 8, tests with the race detector: still running after ",
			}, "FAILED"},
		"failure":   {`[ "$1" != cross ]`, nil, true, []string{"step 5 of 8 FAILED: builds for all systems"}, "step 6"},
		"late":      {`[ "$1" != e2e ]`, nil, true, []string{"step 7 of 8: tests", "step 8 of 8 FAILED: tests in a browser"}, "passed"},
		"none":      {`[ "$1" != chromium ]`, []string{"CI="}, false, []string{"\nNOT RUN: the browser tests.", "all 8 steps passed in"}, "e2e"},
		"none (CI)": {`[ "$1" != chromium ]`, []string{"CI=true"}, true, []string{"step 1 of 8 FAILED"}, "step 2"},
		"one (CI)":  {`[ "$1" != firefox ]`, []string{"CI=true"}, true, []string{"step 1 of 8 FAILED"}, "step 2"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			dir := t.TempDir()
			write(t, filepath.Join(dir, ".ci", "check"), string(script))
			write(t, filepath.Join(dir, "bin", "make"), "#!/bin/sh\nshift\necho \"$1\"\n"+c.make+"\n")
			// Not the file itself: a process that another test starts may still have it open, as "text file busy" says.
			cmd := exec.Command("bash", filepath.Join(dir, ".ci", "check"))
			cmd.Env = append(append(os.Environ(), "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH")), c.env...)
			out, err := os.Create(filepath.Join(dir, "output"))
			if err != nil {
				t.Fatal(err)
			}
			defer out.Close()
			cmd.Stdout, cmd.Stderr = out, out
			err = cmd.Run()
			text, _ := os.ReadFile(out.Name()) // made above
			output := string(text)
			if (err != nil) != c.fails {
				t.Errorf("error %v, want failure: %t\n%s", err, c.fails, output)
			}
			for _, want := range c.want {
				if !strings.Contains(output, want) {
					t.Errorf("the output lacks %q:\n%s", want, output)
				}
			}
			if strings.Contains(output, c.not) {
				t.Errorf("the output has %q:\n%s", c.not, output)
			}
		})
	}
}

// TestRunScript runs .ci/run with a fake make, in a clone that belongs to another user. The script must let git read
// it, and keep other settings.
func TestRunScript(t *testing.T) {
	plaingit.Use(t)
	script, err := os.ReadFile("../../.ci/run")
	if err != nil {
		t.Fatal(err)
	}
	dir := filepath.Join(t.TempDir(), "a clone")
	write(t, filepath.Join(dir, "run.sh"), "")
	write(t, filepath.Join(dir, ".ci", "run"), string(script))
	write(t, filepath.Join(dir, "bin", "make"), "#!/bin/sh\ngit ls-files --others && git config user.name\n")
	if out, err := exec.Command("git", "init", "-q", dir).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	cmd := exec.Command("bash", filepath.Join(dir, ".ci", "run"))
	cmd.Env = append(os.Environ(), "PATH="+filepath.Join(dir, "bin")+":"+os.Getenv("PATH"),
		"GIT_TEST_ASSUME_DIFFERENT_OWNER=1", "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=user.name",
		"GIT_CONFIG_VALUE_0=Ottilie")
	out, err := cmd.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "run.sh\n") ||
		!strings.HasSuffix(string(out), "Ottilie\n") {
		t.Errorf("error %v, want the files of the clone and the name of the user:\n%s", err, out)
	}
}

// TestMakeOneAtATime runs targets of the Makefile with -j, with scripts that fail if another one runs.
func TestMakeOneAtATime(t *testing.T) {
	t.Parallel()
	if _, err := exec.LookPath("make"); err != nil {
		t.Skip("make is not installed")
	}
	makefile, err := os.ReadFile("../../Makefile")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	write(t, filepath.Join(dir, "Makefile"), string(makefile))
	for _, name := range []string{"chromium", "firefox"} {
		write(t, filepath.Join(dir, ".ci", name), "#!/bin/sh\nmkdir busy && sleep 0.5 && rmdir busy\n")
	}
	cmd := exec.Command("make", "-j", "2", "chromium", "firefox")
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "MAKEFLAGS=")
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
