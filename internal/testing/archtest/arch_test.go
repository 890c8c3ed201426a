package archtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestModule checks the module with the rules of table_test.go.
func TestModule(t *testing.T) {
	root, err := filepath.Abs("../../..")
	if err != nil {
		t.Fatal(err)
	}
	sources, err := parseModule(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	packages := byFolder(sources)
	if len(packages) < 5 {
		t.Fatalf("found %d packages below %s, want at least 5: is this the right folder?", len(packages), root)
	}
	for _, finding := range check(packages) {
		t.Error(finding)
	}
	for _, finding := range checkComments(packages) {
		t.Error(finding)
	}
	for _, finding := range checkReadable(sources) {
		t.Error(finding)
	}
	for _, finding := range checkWords(sources) {
		t.Error(finding)
	}
}

// TestKnowsTools checks that the files in the list of exceptions exist.
func TestKnowsTools(t *testing.T) {
	for file := range knowsTools {
		if _, err := os.Stat(filepath.Join("../../..", filepath.FromSlash(file))); err != nil {
			t.Errorf("knowsTools names %s, which does not exist: remove it from internal/testing/archtest/table_test.go",
				file)
		}
	}
}

func setOf(words string) map[string]bool {
	set := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		set[w] = true
	}
	return set
}
