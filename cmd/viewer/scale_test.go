//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// These tests run the files in docs/scale: each container, step or job as its engine would, with the variables that the
// engine sets, in local folders. The engines themselves do not run, except Slurm in TestSlurm.

// A shardFixture is a folder of sessions and the site that one build makes of it.
type shardFixture struct {
	*testing.T
	dir, sessions, site, want string
}

func newShardFixture(t *testing.T) *shardFixture {
	t.Helper()
	s := &shardFixture{T: t, dir: t.TempDir()}
	s.sessions, s.site = filepath.Join(s.dir, "sessions"), filepath.Join(s.dir, "site")
	if err := os.CopyFS(s.sessions, os.DirFS("../../testdata/projects")); err != nil {
		t.Fatal(err)
	}
	s.want = filepath.Join(s.dir, "want")
	s.run(nil, "viewer", "build", s.sessions, "-o", s.want)
	return s
}

func (s *shardFixture) run(env []string, words ...string) string {
	s.Helper()
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Dir, cmd.Env = s.dir, append(os.Environ(), env...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		s.Fatalf("%q with %q: %v\n%s", words, env, err, out)
	}
	return string(out)
}

// container runs a command of a container. Its folders /sessions and /site are local folders.
func (s *shardFixture) container(env []string, args ...string) {
	s.Helper()
	words := []string{"viewer"}
	for _, arg := range args {
		switch arg {
		case "/sessions":
			arg = s.sessions
		case "/site":
			arg = s.site
		}
		words = append(words, arg)
	}
	s.run(env, words...)
}

// checkSame checks that the site is that of one build.
func (s *shardFixture) checkSame(site string) {
	s.Helper()
	out, err := exec.Command("diff", "-r", "--exclude=.viewer", s.want, site).CombinedOutput()
	if err != nil {
		s.Errorf("the site differs from that of one build: %v\n%.2000s", err, out)
	}
}

func TestScaleKubernetes(t *testing.T) {
	s := newShardFixture(t)
	data, err := os.ReadFile("../../docs/scale/kubernetes.yaml")
	if err != nil {
		t.Fatal(err)
	}
	var steps []string
	jobs := yaml.NewDecoder(bytes.NewReader(data))
	for {
		var job struct {
			Metadata struct{ Labels map[string]string }
			Spec     struct {
				Completions int
				Template    struct {
					Spec struct {
						Containers []struct {
							Args            []string
							SecurityContext struct {
								ReadOnlyRootFilesystem bool `yaml:"readOnlyRootFilesystem"`
							} `yaml:"securityContext"`
						}
					}
				}
			}
		}
		if err := jobs.Decode(&job); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		steps = append(steps, job.Metadata.Labels["step"])
		c := job.Spec.Template.Spec.Containers[0]
		if !c.SecurityContext.ReadOnlyRootFilesystem {
			t.Errorf("%v may write to its root file system, want it read-only", steps)
		}
		for i := range max(1, job.Spec.Completions) {
			s.container([]string{"JOB_COMPLETION_INDEX=" + strconv.Itoa(i)}, c.Args...)
		}
	}
	if !slices.Equal(steps, []string{"plan", "shards", "merge"}) {
		t.Errorf("got steps %q, want plan, shards and merge", steps)
	}
	s.checkSame(s.site)
}

func TestScaleArgo(t *testing.T) {
	s := newShardFixture(t)
	var workflow struct {
		Spec struct {
			Arguments struct {
				Parameters []struct{ Name, Value string }
			}
			Templates []struct {
				Name      string
				Steps     [][]struct{ Template string }
				Container struct{ Args []string }
			}
		}
	}
	readYAML(t, "../../docs/scale/argo.yaml", &workflow)
	shards := workflow.Spec.Arguments.Parameters[0].Value
	n, _ := strconv.Atoi(shards)
	args := make(map[string][]string)
	for _, one := range workflow.Spec.Templates {
		args[one.Name] = one.Container.Args
	}
	for _, step := range workflow.Spec.Templates[0].Steps {
		times := 1
		if step[0].Template == "shard" {
			times = n
		}
		for i := range times {
			var words []string
			for _, arg := range args[step[0].Template] {
				arg = strings.ReplaceAll(arg, "{{workflow.parameters.shards}}", shards)
				words = append(words, strings.ReplaceAll(arg, "{{inputs.parameters.shard}}", strconv.Itoa(i)))
			}
			s.container(nil, words...)
		}
	}
	s.checkSame(s.site)
}

// runIsolated runs a command for each shard in a folder of its own, at the same path each time, like runners that share
// nothing. Then it collects the parts as artifacts are collected: with other times.
func (s *shardFixture) runIsolated(shards int, run func(shard int)) {
	s.Helper()
	together := filepath.Join(s.dir, "together")
	for i := range shards {
		run(i)
		s.run(nil, "cp", "-r", s.site+"/.", together)
		if err := os.RemoveAll(s.site); err != nil {
			s.Fatal(err)
		}
		if i == 0 { // as from a machine with another clock
			s.run(nil, "sh", "-c", "cp -r sessions copy && rm -r sessions && mv copy sessions")
		}
	}
	if err := os.Rename(together, s.site); err != nil {
		s.Fatal(err)
	}
}

func TestScaleGitHub(t *testing.T) {
	s := newShardFixture(t)
	var workflow struct {
		Jobs map[string]struct {
			Strategy struct{ Matrix struct{ Shard []int } }
			Steps    []actionStep
		}
	}
	readYAML(t, "../../docs/scale/github.yml", &workflow)
	command := func(job string, shard int) string {
		for _, step := range workflow.Jobs[job].Steps {
			if strings.HasPrefix(step.Run, "viewer ") {
				return expand(t, step.Run, map[string]string{"matrix.shard": strconv.Itoa(shard)})
			}
		}
		t.Fatalf("job %s does not run the viewer", job)
		return ""
	}
	if err := os.Mkdir(filepath.Join(s.dir, "together"), 0o755); err != nil {
		t.Fatal(err)
	}
	shards := workflow.Jobs["shard"].Strategy.Matrix.Shard
	s.runIsolated(len(shards), func(i int) { s.run(nil, "sh", "-c", command("shard", shards[i])) })
	s.run(nil, "sh", "-c", command("merge", 0))
	s.checkRelative()
}

// checkRelative compares the site with that of one build that reads the sources by the path that the files name.
func (s *shardFixture) checkRelative() {
	s.Helper()
	s.want = filepath.Join(s.dir, "relative")
	s.run(nil, "viewer", "build", "sessions", "-o", s.want)
	s.checkSame(s.site)
}

func TestScaleGitLab(t *testing.T) {
	s := newShardFixture(t)
	var jobs map[string]struct {
		Parallel  int
		Script    []string
		Artifacts struct{ Paths []string }
	}
	readYAML(t, "../../docs/scale/gitlab.yml", &jobs)
	if err := os.Mkdir(filepath.Join(s.dir, "together"), 0o755); err != nil {
		t.Fatal(err)
	}
	n := jobs["shard"].Parallel
	s.runIsolated(n, func(i int) {
		s.run([]string{fmt.Sprintf("CI_NODE_INDEX=%d", i+1), fmt.Sprintf("CI_NODE_TOTAL=%d", n)}, "sh", "-c",
			jobs["shard"].Script[0])
	})
	s.run(nil, "sh", "-c", jobs["pages"].Script[0])
	s.checkRelative()
}

// TestScaleAWS runs the jobs that the script submits, as AWS Batch does.
func TestScaleAWS(t *testing.T) {
	if _, err := exec.LookPath("sh"); err != nil {
		t.Skip(err)
	}
	s := newShardFixture(t)
	bin := filepath.Join(s.dir, "bin")
	if err := os.Mkdir(bin, 0o755); err != nil {
		t.Fatal(err)
	}
	handed := filepath.Join(s.dir, "handed")
	write(t, filepath.Join(bin, "aws"),
		"#!/bin/sh\n{ printf '%s\\n' \"$@\"; echo ==; } >> \"$HANDED\"\necho job-1\n")
	if err := os.Chmod(filepath.Join(bin, "aws"), 0o755); err != nil {
		t.Fatal(err)
	}
	script, err := filepath.Abs("../../docs/scale/aws-batch.sh")
	if err != nil {
		t.Fatal(err)
	}
	s.run([]string{"PATH=" + bin + ":" + os.Getenv("PATH"), "HANDED=" + handed}, script, "5")
	output, err := os.ReadFile(handed)
	if err != nil {
		t.Fatal(err)
	}
	jobs := strings.Split(strings.TrimSuffix(string(output), "==\n"), "==\n")
	if len(jobs) != 3 {
		t.Fatalf("got %d jobs, want 3:\n%s", len(jobs), output)
	}
	size := regexp.MustCompile(`size=(\d+)`)
	for _, job := range jobs {
		lines := strings.Split(job, "\n")
		var overrides struct {
			Command     []string
			Environment []struct{ Name, Value string }
		}
		at := slices.Index(lines, "--container-overrides")
		if err := json.Unmarshal([]byte(lines[at+1]), &overrides); err != nil {
			t.Fatalf("%v: %s", err, lines[at+1])
		}
		var env []string
		for _, v := range overrides.Environment {
			env = append(env, v.Name+"="+v.Value)
		}
		n := 1
		if m := size.FindStringSubmatch(job); m != nil {
			n, _ = strconv.Atoi(m[1])
		}
		for i := range n {
			s.container(append(env, "AWS_BATCH_JOB_ARRAY_INDEX="+strconv.Itoa(i)), overrides.Command...)
		}
	}
	s.checkSame(s.site)
}
