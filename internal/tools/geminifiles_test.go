package tools

import (
	"slices"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// TestProposed: what the user changed in the editor before it was written is told apart from what the model proposed.
func TestProposed(t *testing.T) {
	for in, want := range map[string][]string{
		`{"file_path":"a","content":"b","modified_by_user":true,"ai_proposed_content":"c"}`: {"c"},
		`{"file_path":"a","content":"b","ai_proposed_content":"c"}`:                         nil,
		`{"file_path":"a","content":"b"}`:                                                   nil,
	} {
		for _, files := range []func(in, result jsontext.Value) []FileOp{writtenFiles, replaceFiles} {
			if got := files(jsontext.Value(in), nil)[0].Load().Proposed; !slices.Equal(got, want) {
				t.Errorf("%s: got %q, want %q", in, got, want)
			}
		}
	}
}
