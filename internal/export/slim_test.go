package export

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestSlimmed(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{`{ "a" : [ 1, {}, [] , "x" ] , "b" : null }`, `{"a":[1,{},[],"x"],"b":null}`},
		{`{"originalFile":{"a":[1]},"a":1,"signature":"x"}`, `{"a":1}`},
		{`{"type":"base64","media_type":"m","data":"x"}`, `{"type":"base64","media_type":"m"}`},
		{`{"data":"x","b":{"data":"kept"},"type":"base64"}`, `{"b":{"data":"kept"},"type":"base64"}`},
		{`{"signature":{"type":"base64"},"a":{"data":"kept"}}`, `{"a":{"data":"kept"}}`},
		{`{"type":"text","type":"base64","data":"kept"}`, `{"type":"text","type":"base64","data":"kept"}`},
		{`[{"type":["base64"],"data":"kept"},{"\u0074ype":"base64","data":1}]`, `[{"type":["base64"],"data":"kept"},{"type":"base64"}]`},
		{`"a\ud800b"`, "\"a\ufffdb\""},
		{`-1.5e3`, `-1.5e3`},
	} {
		if got := string(slimmed(jsontext.Value(c.in))); got != c.want {
			t.Errorf("slimmed(%s)\n got %s\nwant %s", c.in, got, c.want)
		}
	}
}

// TestDeepValues: the output for a nested value is at most a constant factor larger.
func TestDeepValues(t *testing.T) {
	const n = 4000
	deep := strings.Repeat(`{"a":`, n) + `"x"` + strings.Repeat("}", n)
	c := read(
		`{"type":"user","uuid":"u1","message":{"content":"a"}}`,
		`{"type":"assistant","uuid":"u2","message":{"id":"m","content":[{"type":"tool_use","id":"t","name":"Fetch","input":`+deep+`}]}}`)
	for name, write := range map[string]func(Session, Options) ([]byte, error){
		"md": Markdown, "text": Text, "json": JSON,
	} {
		data, err := write(Session{Conversation: c}, Options{Level: Everything})
		if err != nil {
			t.Fatal(err)
		}
		if got := len(data); got < len(deep) || got > 4*len(deep)+10<<10 {
			t.Errorf("%s: got %d bytes for a value of %d", name, got, len(deep))
		}
	}
}
