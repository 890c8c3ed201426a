//go:build unix

package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"viewer/internal/testing/schemacheck"
)

// The files in docs/scale are checked with the schemas of the engines, and with tools that check such files. Each check
// must fail for a file with a mistake. .ci/scale installs what the checks need; without it they are skipped.

// A mistake is a change that a check must find.
type mistake struct{ old, new string }

// checkWithMistake checks a file, and once more with a mistake in it.
func checkWithMistake(t *testing.T, name string, m mistake, check func(t *testing.T, data []byte) error) {
	t.Helper()
	data, err := os.ReadFile("../../docs/scale/" + name)
	if err != nil {
		t.Fatal(err)
	}
	if err := check(t, data); err != nil {
		t.Errorf("%s: %v", name, err)
	}
	wrong := bytes.Replace(data, []byte(m.old), []byte(m.new), 1)
	if bytes.Equal(wrong, data) {
		t.Fatalf("%s lacks %q", name, m.old)
	}
	if err := check(t, wrong); err == nil {
		t.Errorf("%s with %q passes the check, want an error", name, m.new)
	}
}

// moduleFile reads a file of a downloaded Go module that the program does not depend on.
func moduleFile(t *testing.T, module, name string) []byte {
	t.Helper()
	cmd := exec.Command("go", "mod", "download", "-json", module)
	cmd.Env = append(os.Environ(), "GOPROXY=off", "GOFLAGS=-mod=mod")
	out, _ := cmd.Output() // if it fails, the output has the reason
	var found struct{ Dir, Error string }
	if err := json.Unmarshal(out, &found); err != nil || found.Dir == "" {
		t.Skipf("%s is not downloaded: run .ci/scale", module)
	}
	data, err := os.ReadFile(filepath.Join(found.Dir, filepath.FromSlash(name)))
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// closedSchema compiles a part of a schema so that objects may only have the members that it names.
func closedSchema(t *testing.T, data []byte, part string) *jsonschema.Schema {
	t.Helper()
	doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	closeObjects(doc)
	c := jsonschema.NewCompiler()
	if err := c.AddResource(schemacheck.Base+"schema.json", doc); err != nil {
		t.Fatal(err)
	}
	schema, err := c.Compile(schemacheck.Base + "schema.json#" + part)
	if err != nil {
		t.Fatal(err)
	}
	return schema
}

func closeObjects(v any) {
	switch v := v.(type) {
	case map[string]any:
		if _, ok := v["properties"].(map[string]any); ok && v["additionalProperties"] == nil {
			v["additionalProperties"] = false
		}
		for _, inner := range v {
			closeObjects(inner)
		}
	case []any:
		for _, inner := range v {
			closeObjects(inner)
		}
	}
}

// validate validates all documents of a YAML file against a schema.
func validate(schema *jsonschema.Schema, data []byte) error {
	for documents := yaml.NewDecoder(bytes.NewReader(data)); ; {
		var v any
		if err := documents.Decode(&v); errors.Is(err, io.EOF) {
			return nil
		} else if err != nil {
			return err
		}
		encoded, err := json.Marshal(v)
		if err != nil {
			return err
		}
		doc, err := jsonschema.UnmarshalJSON(bytes.NewReader(encoded))
		if err != nil {
			return err
		}
		if err := schema.Validate(doc); err != nil {
			return err
		}
	}
}

func TestScaleSchemas(t *testing.T) {
	t.Run("kubernetes", func(t *testing.T) {
		data := moduleFile(t, "k8s.io/kubernetes@v1.36.0", "api/openapi-spec/v3/apis__batch__v1_openapi.json")
		schema := closedSchema(t, data, "/components/schemas/io.k8s.api.batch.v1.Job")
		check := func(_ *testing.T, data []byte) error { return validate(schema, data) }
		checkWithMistake(t, "kubernetes.yaml", mistake{"completions: 16", "completions: many"}, check)
		checkWithMistake(t, "kubernetes.yaml", mistake{"readOnlyRootFilesystem", "readOnlyRootFileSystem"}, check)
	})
	t.Run("argo", func(t *testing.T) {
		data := moduleFile(t, "github.com/argoproj/argo-workflows/v3@v3.7.3", "api/jsonschema/schema.json")
		schema := closedSchema(t, data, "/definitions/io.argoproj.workflow.v1alpha1.Workflow")
		check := func(_ *testing.T, data []byte) error { return validate(schema, data) }
		checkWithMistake(t, "argo.yaml", mistake{"withSequence", "withSequences"}, check)
	})
	t.Run("github", func(t *testing.T) {
		tool := lookPath(t, "actionlint")
		m := mistake{"needs: shard", "needs: shards"}
		checkWithMistake(t, "github.yml", m, func(_ *testing.T, data []byte) error {
			cmd := exec.Command(tool, "-no-color", "-shellcheck=", "-pyflakes=", "-")
			cmd.Stdin = bytes.NewReader(data)
			return findings(cmd)
		})
	})
	t.Run("gitlab", func(t *testing.T) {
		node := lookPath(t, "node")
		tool, err := filepath.Abs("../../.ci/servers/node_modules/.bin/gitlab-ci-local")
		if err == nil {
			_, err = os.Stat(tool)
		}
		if err != nil {
			t.Skipf("gitlab-ci-local is not installed: run .ci/scale: %v", err)
		}
		m := mistake{"parallel: 8", "parallel: many"}
		checkWithMistake(t, "gitlab.yml", m, func(t *testing.T, data []byte) error {
			dir := t.TempDir()
			write(t, filepath.Join(dir, ".gitlab-ci.yml"), string(data))
			if out, err := exec.Command("git", "-C", dir, "init", "-q").CombinedOutput(); err != nil {
				t.Fatalf("%v %s", err, out)
			}
			cmd := exec.Command(node, tool, "--list")
			cmd.Dir = dir
			err := findings(cmd)
			if err != nil && strings.Contains(err.Error(), "\nNode.js v") { // printed when a program crashes
				t.Skipf("this Node.js is too old: %v", err)
			}
			return err
		})
	})
	t.Run("shell", func(t *testing.T) {
		tool := lookPath(t, "shellcheck")
		for name, m := range map[string]mistake{
			"slurm.sh": {`-o "$site"`, `-o $site`}, "aws-batch.sh": {`"$(words merge /site)"`, `$(words merge /site)`},
		} {
			checkWithMistake(t, name, m, func(t *testing.T, data []byte) error {
				cmd := exec.Command(tool, "--color=never", "-")
				cmd.Stdin = bytes.NewReader(data)
				return findings(cmd)
			})
		}
	})
}

func lookPath(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("%s is not installed: run .ci/scale", name)
	}
	return path
}

// findings runs a tool. If it fails, its output is part of the error.
func findings(cmd *exec.Cmd) error {
	out, err := cmd.CombinedOutput()
	if err != nil {
		return errors.New(err.Error() + "\n" + strings.TrimSpace(string(out)))
	}
	return nil
}
