//go:build unix

package main

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"viewer/internal/testing/corpus"
)

// An actionFile holds the parts of action.yml that the service reads.
type actionFile struct {
	Inputs map[string]struct {
		Description, Default string
		Required             bool
	}
	Outputs map[string]struct{ Description, Value string }
	Runs    struct {
		Using string
		Steps []actionStep
	}
}

type actionStep struct {
	ID, Name, Uses, Shell, Run, If string
	Env, With                      map[string]string
}

func readYAML(t *testing.T, name string, to any) {
	t.Helper()
	data, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	if err := yaml.Unmarshal(data, to); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

var expression = regexp.MustCompile(`\$\{\{\s*([\w.-]+)\s*\}\}`)

// expand replaces the expressions of a text by their values, as the service does before it runs a step. An unknown
// expression fails the test.
func expand(t *testing.T, text string, values map[string]string) string {
	t.Helper()
	return expression.ReplaceAllStringFunc(text, func(e string) string {
		name := expression.FindStringSubmatch(e)[1]
		v, ok := values[name]
		if !ok && !strings.HasPrefix(name, "steps.") { // an output that no step wrote is empty
			t.Errorf("expression %s has no value in this test", e)
		}
		return v
	})
}

// An actionRun is one use of the action.
type actionRun struct {
	outputs map[string]string // the outputs of the action
	summary string
	log     string
	err     error
}

// useAction runs the steps of action.yml with bash, in an environment like that of a runner. built is the folder of the
// program.
func useAction(t *testing.T, workspace, built string, with map[string]string) actionRun {
	t.Helper()
	root, err := filepath.Abs("../..")
	if err != nil {
		t.Fatal(err)
	}
	var action actionFile
	readYAML(t, filepath.Join(root, "action.yml"), &action)
	values := map[string]string{
		"github.action_path": root, "github.action_repository": "", "github.action_ref": "",
		"github.token": "of-the-job",
	}
	var environment []string
	for name, in := range action.Inputs {
		values["inputs."+name] = expand(t, in.Default, values)
	}
	for name, v := range with {
		if strings.HasPrefix(name, "github.") { // a value of the service
			values[name] = v
			continue
		}
		if strings.HasPrefix(name, "GITHUB_") || strings.HasPrefix(name, "RUNNER_") {
			environment = append(environment, name+"="+v)
			continue
		}
		if _, ok := action.Inputs[name]; !ok {
			t.Fatalf("action.yml has no input %s", name)
		}
		values["inputs."+name] = v
	}
	temp := filepath.Join(workspace, "..", "_temp")
	if err := os.MkdirAll(temp, 0o755); err != nil {
		t.Fatal(err)
	}
	if built != "" {
		if err := os.Symlink(built, filepath.Join(temp, "viewer-bin")); err != nil {
			t.Fatal(err)
		}
	}
	var run actionRun
	summary := filepath.Join(t.TempDir(), "summary.md")
	for _, step := range action.Runs.Steps {
		if step.Run == "" || step.Name == "Build the viewer" && built != "" {
			continue
		}
		if !step.runs(t, values, run.err) {
			continue
		}
		if strings.Contains(step.Run, "${{") {
			t.Errorf("step %q has an expression in its script, so its value could run as a command", step.Name)
		}
		output := filepath.Join(t.TempDir(), "output")
		if err := os.WriteFile(output, nil, 0o644); err != nil {
			t.Fatal(err)
		}
		script := filepath.Join(t.TempDir(), "step.sh")
		if err := os.WriteFile(script, []byte(step.Run), 0o644); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command("bash", "--noprofile", "--norc", "-eo", "pipefail", script)
		cmd.Dir = workspace
		cmd.Env = append(os.Environ(), "CI=true", "GITHUB_ACTIONS=true", "GITHUB_WORKSPACE="+workspace,
			"RUNNER_TEMP="+temp, "RUNNER_OS=Linux", "RUNNER_ARCH=X64",
			"GITHUB_ACTION_PATH="+root, "GITHUB_OUTPUT="+output, "GITHUB_STEP_SUMMARY="+summary)
		cmd.Env = append(cmd.Env, environment...)
		for name, v := range step.Env {
			cmd.Env = append(cmd.Env, name+"="+expand(t, v, values))
		}
		out, err := cmd.CombinedOutput()
		run.log += string(out)
		data, _ := os.ReadFile(output) // created above
		for line := range strings.Lines(string(data)) {
			if name, v, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "="); ok && step.ID != "" {
				values["steps."+step.ID+".outputs."+name] = v
			}
		}
		if err != nil {
			run.err = fmt.Errorf("step %q: %w", step.Name, err)
		}
	}
	data, _ := os.ReadFile(summary) // missing if the summary is turned off
	run.summary = string(data)
	run.outputs = make(map[string]string)
	for name, o := range action.Outputs {
		run.outputs[name] = expand(t, o.Value, values)
	}
	return run
}

// runs evaluates the condition of a step. A step without one runs if no step has failed.
func (s actionStep) runs(t *testing.T, values map[string]string, failed error) bool {
	t.Helper()
	condition := strings.TrimSuffix(strings.TrimPrefix(s.If, "${{ "), " }}")
	condition, always := strings.CutPrefix(condition, "!cancelled() && ")
	if failed != nil && !always {
		return false
	}
	if condition == "" {
		return true
	}
	name, want := condition, false
	for sign, equal := range map[string]bool{" == 'true'": true, " != 'true'": false} {
		if n, ok := strings.CutSuffix(condition, sign); ok {
			name, want = n, equal
		}
	}
	if name == condition || strings.ContainsAny(name, " ()") {
		t.Fatalf("step %q: this test cannot evaluate the condition %s", s.Name, s.If)
	}
	return (values[name] == "true") == want
}

const streamOfRun = `{"type":"system","subtype":"init","cwd":"/home/runner/work/pump/pump","session_id":"5a","model":"claude-haiku-4-5"}
{"type":"assistant","message":{"id":"m1","role":"assistant","model":"claude-haiku-4-5","content":[{"type":"text","text":"The pump works."}]},"session_id":"5a"}
{"type":"result","subtype":"success","is_error":false,"duration_ms":2000,"num_turns":3,"total_cost_usd":0.75,"result":"The pump works."}
`

func workspace(t *testing.T) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "workspace")
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// TestAction runs the scripts of the composite action with the variables that a runner sets.
func TestAction(t *testing.T) {
	corpus.Long(t)
	if testing.Short() {
		t.Skip("builds the program")
	}
	keep, built := t.TempDir(), ""
	t.Run("defaults", func(t *testing.T) {
		dir := workspace(t)
		write(t, filepath.Join(dir, "..", "_temp", "claude-execution-output.json"), streamOfRun)
		run := useAction(t, dir, "", nil)
		if run.err != nil {
			t.Fatalf("%v\n%s", run.err, run.log)
		}
		built = filepath.Join(keep, "viewer-bin")
		if err := os.Rename(filepath.Join(dir, "..", "_temp", "viewer-bin"), built); err != nil {
			t.Fatal(err)
		}
		want := map[string]string{
			"report": "claude-report.html", "cost": "0.7500", "unpriced": "", "sessions": "1", "outcome": "success",
		}
		if !maps.Equal(run.outputs, want) {
			t.Errorf("outputs %v, want %v", run.outputs, want)
		}
		if !strings.Contains(run.summary, "## ✅ Run succeeded") {
			t.Errorf("got summary\n%s\nwant that the run succeeded", run.summary)
		}
		page, err := os.ReadFile(filepath.Join(dir, "claude-report.html"))
		if err != nil || !strings.Contains(string(page), "The pump works.") {
			t.Errorf("the page (%v) lacks the final message of the run", err)
		}
	})
	t.Run("released version", func(t *testing.T) { testReleased(t, filepath.Join(built, "viewer")) })
	t.Run("site of two files, without summary", func(t *testing.T) {
		dir := workspace(t)
		write(t, filepath.Join(dir, "a b.jsonl"), streamOfRun)
		write(t, filepath.Join(dir, "-c.jsonl"), streamOfRun)
		run := useAction(t, dir, built, map[string]string{
			"path": "a b.jsonl\n-c.jsonl\n", "single-file": "false", "summary": "false", "output": "out/site",
			"fail-on": "turns=5",
		})
		if !strings.Contains(run.log, "--fail-on: 6 turns, more than 5") || run.err == nil {
			t.Errorf("error %v, want that of --fail-on; log\n%s", run.err, run.log)
		}
		if run.outputs["sessions"] != "2" || run.outputs["report"] != "out/site" || run.summary != "" {
			t.Errorf("outputs %v, summary %q, want a site of 2 sessions and no summary", run.outputs, run.summary)
		}
		if _, err := os.Stat(filepath.Join(dir, "out/site/index.html")); err != nil {
			t.Error(err)
		}
	})
	t.Run("files that the agent leaves in its folder change nothing", func(t *testing.T) {
		dir := workspace(t)
		write(t, filepath.Join(dir, "run.jsonl"), streamOfRun)
		write(t, filepath.Join(dir, "viewer.toml"),
			"personal = true\n[report]\noutput = \"elsewhere\"\nfail-on = \"\"\n")
		write(t, filepath.Join(dir, "$(touch pwned).jsonl"), streamOfRun)
		run := useAction(t, dir, built, map[string]string{
			"path": "run.jsonl\n$(touch pwned).jsonl", "fail-on": "cost=0.10",
		})
		if run.err == nil || run.outputs["report"] != "claude-report.html" {
			t.Errorf("error %v, outputs %v, want an error and the default report\n%s", run.err, run.outputs, run.log)
		}
		if _, err := os.Stat(filepath.Join(dir, "pwned")); err == nil {
			t.Error("the name of a file was run as a command")
		}
	})
	t.Run("no log", func(t *testing.T) {
		run := useAction(t, workspace(t), built, nil)
		if run.err == nil || !strings.Contains(run.log, "viewer: hint: the step that runs the agent writes it") {
			t.Errorf("error %v, want one with a hint\n%s", run.err, run.log)
		}
	})
}

// testReleased runs the action at a released version, with archives named as in a release, and with an archive that was
// changed after its checksum was made.
func testReleased(t *testing.T, viewer string) {
	server := t.TempDir()
	repository := filepath.Join(server, "org", "viewer")
	assets := filepath.Join(repository, "releases", "download", "v1.4.2")
	if err := os.MkdirAll(assets, 0o755); err != nil {
		t.Fatal(err)
	}
	sh := exec.Command("bash", "-euc", `
		git init -q . && git -c user.name=a -c user.email=a@b commit -q --allow-empty -m one && git tag v1.4.1
		git -c user.name=a -c user.email=a@b commit -q --allow-empty -m two
		git -c user.name=a -c user.email=a@b tag -m 'with a message' v1.4.2 && git tag v1
		git rev-parse HEAD > commit
		printf '#!/bin/sh\nexec "%s" "$@"\n' "$1" > viewer && chmod 755 viewer
		tar -czf releases/download/v1.4.2/viewer_1.4.2_linux_amd64.tar.gz viewer
		cd releases/download/v1.4.2 && { sha256sum *.tar.gz || shasum -a 256 *.tar.gz; } > checksums.txt`, "bash", viewer)
	sh.Dir = repository
	if out, err := sh.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	commit, err := os.ReadFile(filepath.Join(repository, "commit"))
	if err != nil {
		t.Fatal(err)
	}
	dir := workspace(t)
	write(t, filepath.Join(dir, "..", "_temp", "claude-execution-output.json"), streamOfRun)
	run := useAction(t, dir, "", map[string]string{
		"github.action_repository": "org/viewer", "github.action_ref": "v1", "GITHUB_SERVER_URL": "file://" + server,
	})
	if run.err != nil || !strings.Contains(run.log, "viewer 1.4.2, as released") ||
		run.outputs["outcome"] != "success" {
		t.Errorf("used as v1: error %v, want viewer 1.4.2\n%s", run.err, run.log)
	}
	fetch := func(ref, arch string) string {
		t.Helper()
		c := exec.Command("../../.ci/fetch-release", filepath.Join(t.TempDir(), "bin"))
		c.Env = append(os.Environ(), "ACTION_REPOSITORY=org/viewer", "ACTION_REF="+ref,
			"GITHUB_SERVER_URL=file://"+server,
			"RUNNER_OS=Linux", "RUNNER_ARCH="+arch, "GITHUB_OUTPUT="+filepath.Join(t.TempDir(), "output"))
		out, err := c.CombinedOutput()
		return fmt.Sprintf("%s%v", out, err)
	}
	for _, c := range []struct{ ref, arch, want string }{
		{"v1.4.2", "X64", "viewer 1.4.2, as released\n<nil>"},
		{strings.TrimSpace(string(commit)), "X64", "viewer 1.4.2, as released\n<nil>"},
		{"v1.4.1", "X64", "no released program, so it is built: v1.4.1 has no viewer_1.4.1_linux_amd64.tar.gz\n<nil>"},
		{"main", "X64", "no released program, so it is built: main is no released version of org/viewer"},
		{"v1.4.2", "ARM", "no released program, so it is built: none is made for ARM"},
	} {
		if got := fetch(c.ref, c.arch); !strings.Contains(got, c.want) {
			t.Errorf("%s on %s: %s, want %s", c.ref, c.arch, got, c.want)
		}
	}
	for _, sums := range []string{"", strings.Repeat("0", 64) + "  viewer_1.4.2_linux_amd64.tar.gz\n"} {
		write(t, filepath.Join(assets, "checksums.txt"), sums)
		if got, want := fetch("v1.4.2", "X64"),
			"::error::viewer_1.4.2_linux_amd64.tar.gz of org/viewer v1.4.2 does not match its checksum\nexit status 1"; !strings.Contains(got, want) {
			t.Errorf("with checksums %q: got %s, want %s", sums, got, want)
		}
	}
}

// TestGitHubWorkflow checks that the workflow in docs/ci uses only inputs and outputs that action.yml has.
func TestGitHubWorkflow(t *testing.T) {
	var action actionFile
	readYAML(t, "../../action.yml", &action)
	var workflow struct {
		Jobs map[string]struct{ Steps []actionStep }
	}
	readYAML(t, "../../docs/ci/github.yml", &workflow)
	used := 0
	for _, job := range workflow.Jobs {
		for _, step := range job.Steps {
			if strings.HasPrefix(step.Uses, "your-org/viewer@") {
				used++
				for name := range step.With {
					if _, ok := action.Inputs[name]; !ok {
						t.Errorf("the workflow sets %s, which is not an input", name)
					}
				}
			}
			for _, m := range regexp.MustCompile(`steps\.report\.outputs\.(\w+)`).FindAllStringSubmatch(
				step.With["path"], -1) {
				if _, ok := action.Outputs[m[1]]; !ok {
					t.Errorf("the workflow reads %s, which is not an output", m[1])
				}
			}
		}
	}
	if used != 1 {
		t.Errorf("the workflow uses the action %d times, want once", used)
	}
	for name, in := range action.Inputs {
		if in.Description == "" {
			t.Errorf("input %s has no description", name)
		}
	}
}

// shell runs lines as a CI service does. The path has viewer (by testscript.Main) and a fake claude that writes a
// stream and exits with a code.
func shell(t *testing.T, dir string, code int, env []string, lines ...string) (string, error) {
	t.Helper()
	bin := t.TempDir()
	write(t, filepath.Join(bin, "claude"), fmt.Sprintf("#!/bin/sh\ncat <<'END'\n%sEND\nexit %d\n", streamOfRun, code))
	cmd := exec.Command("bash", "-eo", "pipefail", "-c", strings.Join(lines, "\n"))
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "PATH="+bin+":"+os.Getenv("PATH"), "CI=true", "AGENT_PROMPT=Mend the pump"),
		env...)
	out, err := cmd.CombinedOutput()
	return string(out), err
}

func TestGitLabJob(t *testing.T) {
	var jobs map[string]struct {
		Script    []string
		Artifacts struct {
			ExposeAs string `yaml:"expose_as"`
			When     string
			Paths    []string
		}
	}
	readYAML(t, "../../docs/ci/gitlab.yml", &jobs)
	job := jobs["agent"]
	for _, code := range []int{0, 1} {
		dir := workspace(t)
		out, err := shell(t, dir, code, []string{
			"CI_JOB_URL=https://gitlab.example.org/a/b/-/jobs/7", "GITLAB_CI=true",
		}, job.Script...)
		if failed := err != nil; failed != (code != 0) {
			t.Errorf("claude exits with %d, the job with %v; want both to succeed or both to fail\n%s", code, err, out)
		}
		for _, p := range job.Artifacts.Paths {
			// expose_as does not work with patterns
			if _, err := os.Stat(filepath.Join(dir, p)); err != nil || strings.ContainsAny(p, "*{") {
				t.Errorf("artifact %s: %v", p, err)
			}
		}
		summary, _ := os.ReadFile(filepath.Join(dir, "summary.md")) // checked above
		want := "(https://gitlab.example.org/a/b/-/jobs/7/artifacts/file/report.html)"
		if !strings.Contains(string(summary), want) {
			t.Errorf("the summary does not link to %s", want)
		}
	}
	// GitLab's rules for the text of the link.
	if !regexp.MustCompile(`^[\w -]{1,60}$`).MatchString(job.Artifacts.ExposeAs) || job.Artifacts.When != "always" {
		t.Errorf("artifacts: %+v", job.Artifacts)
	}
}

func TestJenkinsfile(t *testing.T) {
	text, err := os.ReadFile("../../docs/ci/Jenkinsfile")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, m := range regexp.MustCompile(`sh '([^']*)'`).FindAllStringSubmatch(string(text), -1) {
		lines = append(lines, m[1])
	}
	if len(lines) != 2 {
		t.Fatalf("the pipeline runs %q, want 2 lines", lines)
	}
	dir := workspace(t)
	if out, err := shell(t, dir, 0, []string{
		"BUILD_URL=https://ci.example.org/job/pump/7/", "JENKINS_URL=https://ci.example.org/",
	}, lines...); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	m := regexp.MustCompile(`reportName: '([^']*)', reportDir: '([^']*)', reportFiles: '([^']*)'`).FindStringSubmatch(
		string(text))
	if m == nil {
		t.Fatal("the pipeline publishes nothing")
	}
	if _, err := os.Stat(filepath.Join(dir, m[2], m[3])); err != nil {
		t.Error(err)
	}
	// The plug-in derives the address of the report from its name.
	summary, _ := os.ReadFile(filepath.Join(dir, "summary.md"))
	if want := "https://ci.example.org/job/pump/7/" + strings.ReplaceAll(m[1], " ", "_20") +
		"/s/"; !strings.Contains(string(summary), want) {
		t.Errorf("the summary does not link below %s:\n%.500s", want, summary)
	}
	if pages, _ := filepath.Glob(filepath.Join(dir, m[2], "s/*/index.html")); !slices.ContainsFunc(pages,
		func(p string) bool {
			return p != ""
		}) {
		t.Error("the site has no session")
	}
}
