package render

import "testing"

func TestScriptString(t *testing.T) {
	for _, c := range []struct{ in, want string }{
		{"index.html\n2.html", `"index.html\n2.html"`},
		{`"\`, `"\"\\"`},
		{"a\u2028b\u2029", `"a\u2028b\u2029"`},
		{"\xff", `"` + "�" + `"`},
	} {
		if got := string(scriptString(c.in)); got != c.want {
			t.Errorf("scriptString(%q) = %s, want %s", c.in, got, c.want)
		}
	}
}
