package transcript

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// TestHeadMembers compares with the library's decoder, wherever the head is truncated.
func TestHeadMembers(t *testing.T) {
	for _, text := range []string{
		`{"type":"user","n":-12.5e3,"list":[1,{"a":"b"}],"s":"\u00e9\"}","t":true,"nothing":null}` + "\nmore",
		`{"a":1,"a":2}`, `{ "a" : [ ] , "b" : { } }`, `{"\u0061b":"x"}`, "{\"a\xff\":\"\xff\"}",
		`{"a":1,}`, `{"a":1 "b":2}`, `{"a" 1}`, `{,"a":1}`, `{"a":tru,"b":1}`,
		`{"a":01}`, `{1:2}`, `[{"a":1}]`, ``, `x`,
		`{"a":"` + strings.Repeat("x", 30) + `"}`, `{"a":"` + "\t" + `"}`, `{"a":"\x"}`,
	} {
		for cut := range len(text) + 1 {
			head := []byte(text[:cut])
			got, want := "", decodedMembers(head)
			for name, value := range HeadMembers(head) {
				got += fmt.Sprintf("%q %q\n", name, []byte(value))
			}
			if got != want {
				t.Errorf("members of %q: got\n%swant\n%s", head, got, want)
			}
		}
	}
}

func decodedMembers(head []byte) (all string) {
	dec := jsontext.NewDecoder(bytes.NewReader(head), syntax...)
	if token, err := dec.ReadToken(); err != nil || token.Kind() != '{' {
		return ""
	}
	for dec.PeekKind() == '"' {
		token, err := dec.ReadToken()
		if err != nil {
			return all
		}
		name := token.String()
		value, err := dec.ReadValue()
		if err != nil {
			return all + fmt.Sprintf("%q %q\n", name, "")
		}
		all += fmt.Sprintf("%q %q\n", name, []byte(value))
	}
	return all
}
