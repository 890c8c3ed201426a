package console

import (
	"bytes"
	"encoding/json"
	"html"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

func TestText(t *testing.T) {
	const j = joiner
	for _, c := range []struct{ in, want string }{
		{"", ""},
		{"plain\ttext\nof two lines, ünïcode 日本 👩‍👩‍👧", "plain\ttext\nof two lines, ünïcode 日本 👩‍👩‍👧"},
		{"\x1b]52;c;eHg=\x07\x00\r\x7f", "␛]52;c;eHg=␇␀␍␡"},
		{"\u009b31m\u0085", "<U+009B>31m<U+0085>"},
		{"\x9b31m", "\ufffd31m"},
		{"a\u202eb\u2066c\u200fd\u2028e", "a<U+202E>b<U+2066>c<U+200F>d<U+2028>e"},
		{"::error::x", ":" + j + ":error::x"},
		{"a\n \t\u00a0\ufeff::set-output", "a\n \t\u00a0\ufeff:" + j + ":set-output"},
		{"std::vector a::b", "std::vector a::b"},
		{": :", ": :"},
		{":::", ":" + j + "::"},
		{"x ##[error]y ##vso[task]z ##teamcity[t] ###[a]", "x ##" + j + "[error]y ##vso" + j + "[task]z ##teamcity" + j + "[t] ###" + j + "[a]"},
		{"## [a] #[b] ##a b[c] ##a#[d] ##\n[", "## [a] #[b] ##a b[c] ##a#[d] ##\n["},
		{"\r::error::", "␍:" + j + ":error::"},
	} {
		got := Text(c.in)
		if got != c.want {
			t.Errorf("Text(%q)\n got %q\nwant %q", c.in, got, c.want)
		}
		if again := Text(got); again != got {
			t.Errorf("Text(%q) = %q, want it unchanged", got, again)
		}
	}
	if got, want := Line(" a\n\n\x1bb\tc "), "a ␛b c"; got != want {
		t.Errorf("Line: got %q, want %q", got, want)
	}
}

func TestStyles(t *testing.T) {
	var out bytes.Buffer
	w := NewWriter(&out)
	print := func() { _ = w.Printf("%s|%s|%s", Red.Of("a\x1bb"), "\x1b[31mc", Styled("\x1b[5md\x1b[0m")) }
	print()
	w.SetStyles(true)
	print()
	if got, want := out.String(), "␛[31ma␛b␛[0m|␛[31mc|␛[5md␛[0m"+
		"\x1b[31ma␛b\x1b[0m|␛[31mc|␛[5md\x1b[0m"; got != want {
		t.Errorf("\n got %q\nwant %q", got, want)
	}
}

// interpreted matches what a terminal or the runner of a CI service interprets.
var interpreted = regexp.MustCompile(`(?m)^[\s\p{Z}]*::|##[A-Za-z]{0,32}\[|[\x00-\x08\x0b-\x1f\x7f-\x{9f}\x{61c}\x{200e}\x{200f}\x{2028}-\x{202e}\x{2066}-\x{2069}]`)

func FuzzText(f *testing.F) {
	for _, s := range []string{
		"::a", "##[a]", "\x1b[0m\x9b", "\u202e::", "#", ":", "[", "\xf0\x9f", " \r\n::", "##ab",
	} {
		f.Add(s, s)
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		s := a + b
		if got := Text(s); interpreted.MatchString(got) {
			t.Errorf("Text(%q) = %q, which is interpreted", s, got)
		}
		var out bytes.Buffer
		w := NewWriter(&out)
		w.SetStyles(true)
		_, _ = w.Write([]byte(a))
		_, _ = w.Write([]byte(b))
		got := out.String()
		for _, style := range styles {
			got = strings.ReplaceAll(got, string(style), "")
		}
		if interpreted.MatchString(got) {
			t.Errorf("%q and %q are printed as %q, which is interpreted", a, b, got)
		}
		data, _ := json.Marshal(map[string]string{"a": s})
		safe := JSON(data)
		if interpreted.Match(safe) {
			t.Errorf("JSON(%s) = %s, which is interpreted", data, safe)
		}
		out.Reset()
		w = NewJSONWriter(&out)
		_, _ = w.Write(data[:len(data)/2])
		_, _ = w.Write(data[len(data)/2:])
		if out.String() != string(safe) {
			t.Errorf("%s is printed as %s, want %s", data, &out, safe)
		}
		out.Reset()
		_, _ = NewJSONWriter(&out).Write([]byte(s))
		if interpreted.Match(out.Bytes()) {
			t.Errorf("%q as JSON is printed as %q, which is interpreted", s, &out)
		}
		var one, two any
		if json.Unmarshal(data, &one) != nil || json.Unmarshal(safe, &two) != nil ||
			one.(map[string]any)["a"] != two.(map[string]any)["a"] {
			t.Errorf("JSON(%s) = %s has another value", data, safe)
		}
		visible := strings.Map(func(r rune) rune {
			if unicode.IsControl(r) && r != '\n' || isControl(r) || r == unicode.ReplacementChar {
				return -1
			}
			return r
		}, s)
		page := HTML([]byte(html.EscapeString(visible)))
		if interpreted.Match(page) || html.UnescapeString(string(page)) != visible {
			t.Errorf("HTML of %q is %q, which is interpreted or differs", visible, page)
		}
	})
}
