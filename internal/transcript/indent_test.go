package transcript

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

func TestPretty(t *testing.T) {
	for _, test := range []struct{ name, in, want string }{
		{"objects and lists", `{"a":[1,"x, {y}: \"z\\"],"b":{},"c":[ ]}`, "{\n  \"a\": [\n    1,\n    \"x, {y}: \\\"z\\\\\"\n  ],\n  \"b\": {},\n  \"c\": []\n}"},
		{"blanks of its own", "{ \"a\" :\n\t1 , \"b\":2}", "{\n  \"a\": 1,\n  \"b\": 2\n}"},
		{"a number", "12", "12"},
		{"none", "", ""},
		{"needless escapes", `["\u4e2d\u6587 \ud83d\ude80 \u003ca\/b\u003e"]`, "[\n  \"中文 🚀 <a/b>\"\n]"},
		{"needed escapes", `"\u0022 \u005c \\u4e2d \\\/ \n \u001b \u202e \ud83d \u"`, `"\u0022 \u005c \\u4e2d \\/ \n \u001b \u202e \ud83d \u"`},
		{"half a character", "\"tide\xc3\"", "\"tide\uFFFD\""},
	} {
		if got := Pretty(jsontext.Value(test.in)); got != test.want {
			t.Errorf("%s: Pretty(%s)\n got %q\nwant %q", test.name, test.in, got, test.want)
		}
	}
	deep := jsontext.Value(strings.Repeat("[", 9000) + strings.Repeat("]", 9000))
	if got := Pretty(deep); len(got) > 3*len(deep)+4<<10 || strings.Count(got, "[") != 9000 {
		t.Errorf("nested lists: got %d bytes for %d, want at most 3 times", len(got), len(deep))
	}
	small := jsontext.Value(strings.Repeat("[", 40) + "1,2" + strings.Repeat("]", 40))
	if got := Pretty(small); !strings.Contains(got, "[[[[[[[[1, 2]]]]]]]]") || strings.Count(got, "\n") != 64 {
		t.Errorf("levels below the 32nd are not on one line:\n%s", got)
	}
}

// TestPrettyEncrypted: encrypted texts are replaced by their size; texts that only begin like one are not.
func TestPrettyEncrypted(t *testing.T) {
	long := "gAAAAABp" + strings.Repeat("R9k2mQx7_-", 20) + "=="
	for in, want := range map[string]string{
		`{"a":"` + long + `","b":["` + long + `",1]}`: "{\n  \"a\": \"encrypted text, 210 bytes\",\n" +
			"  \"b\": [\n    \"encrypted text, 210 bytes\",\n    1\n  ]\n}",
		`"gAAAAABpQ2F0"`:        `"gAAAAABpQ2F0"`,
		`"` + long + ` and on"`: `"` + long + ` and on"`,
		`"see ` + long + `"`:    `"see ` + long + `"`,
		`"gAAAAA`:               `"gAAAAA`,
	} {
		if got := Pretty([]byte(in)); got != want {
			t.Errorf("%s: got %s, want %s", in, got, want)
		}
	}
}
