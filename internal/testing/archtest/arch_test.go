package archtest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestModule holds the rules of table_test.go against the module that this package is in.
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
		t.Fatalf("only %d packages found below %s: the test looks in the wrong place", len(packages), root)
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

// TestKnowsTools keeps the list of exceptions from outliving its files.
func TestKnowsTools(t *testing.T) {
	for file := range knowsTools {
		if _, err := os.Stat(filepath.Join("../../..", filepath.FromSlash(file))); err != nil {
			t.Errorf("knowsTools names %s, which is not there: take it out of internal/testing/archtest/table_test.go", file)
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
