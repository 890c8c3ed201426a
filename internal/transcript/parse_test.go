package transcript

import (
	"strings"
	"testing"

	"github.com/go-json-experiment/json/jsontext"
)

// parses reports whether our parser accepts s as one JSON value.
func parses(s string) bool { return Valid([]byte(s)) }

var parseCases = []struct {
	in   string
	want bool
}{
	{"{}", true}, {"[]", true}, {`""`, true}, {"0", true}, {"-0", true}, {"true", true},
	{"false", true}, {"null", true},
	{" {\t\"a\" :\r\n1 , \"a\":[ 1 ,{ } , \"x\" ] } ", true},
	{"1.5e+10", true}, {"-12.0E-3", true}, {"1e5", true}, {"10", true},
	{"01", false}, {"-", false}, {"1.", false}, {".5", false}, {"1e", false}, {"+1", false}, {"0x1", false},
	{"1a", false}, {"--1", false}, {"NaN", false},
	{"tru", false}, {"truex", false}, {"nul", false}, {"True", false}, {"t", false},
	{"", false}, {" ", false}, {"{", false}, {"[", false}, {"}", false}, {"]", false}, {",", false}, {":", false},
	{"{}{}", false}, {"1 2", false},
	{"[1,]", false}, {"[,1]", false}, {"[1 2]", false}, {"[1}", false}, {"[1,,2]", false}, {`{"a":1,}`, false},
	{`{,"a":1}`, false}, {`{"a"}`, false},
	{`{"a":}`, false}, {`{a:1}`, false}, {`{1:1}`, false}, {`{"a" 1}`, false}, {`{"a":1 "b":2}`, false},
	{`{"a":1]`, false}, {`{"a":1,"b"`, false},
	{`"a`, false}, {`"\`, false}, {`"\"`, false}, {`"\x"`, false}, {`"\u12"`, false}, {`"\u123g"`, false},
	{`"\u12`, false}, {`"\""`, true},
	{`"\"\\\/\b\f\n\r\t\u00e9\uD83D\uDE00\ud83d"`, true},
	{"\"a\nb\"", false}, {"\"a\x00\"", false}, {"\"1234567\x1f\"", false}, {
		"\"12345678\x1f901234567\"", false,
	}, {"\"a\x7fb\"", true},
	{"\"a\xffb\"", true}, {"\"\xf0\"", true}, {"\"é 世界 abcdefgh\"", true},
	{strings.Repeat("[", maxNesting) + strings.Repeat("]", maxNesting), true},
	{strings.Repeat("[", maxNesting+1) + strings.Repeat("]", maxNesting+1), false},
	{strings.Repeat(`{"":`, maxNesting) + "1" + strings.Repeat("}", maxNesting), true},
	{strings.Repeat(`{"":`, maxNesting+1) + "1" + strings.Repeat("}", maxNesting+1), false},
}

func TestParse(t *testing.T) {
	for _, c := range parseCases {
		if got := parses(c.in); got != c.want {
			t.Errorf("%.60q parses: got %v, want %v", c.in, got, c.want)
		}
		if got := jsontext.Value(c.in).IsValid(syntax...); got != c.want {
			t.Errorf("%.60q is valid in jsontext: %v, want %v", c.in, got, c.want)
		}
	}
}

// TestPlainBytes: the end of a string is found at every offset in a word of eight bytes.
func TestPlainBytes(t *testing.T) {
	for n := range 40 {
		for _, end := range []string{`"`, `\`, "\x00", "\x1f", "\n"} {
			for _, fill := range []string{"a", "!", " ", "~", "[", "]", "\x7f"} {
				in := strings.Repeat(fill, n) + end + `"\` + strings.Repeat("x", 9) + "é"
				if got, high := plainBytes([]byte(in)); got != n || high {
					t.Errorf("plainBytes(%q) = %d, %v, want %d, false", in, got, high, n)
				}
			}
			in := "é" + strings.Repeat("a", n) + end
			if got, high := plainBytes([]byte(in)); got != n+2 || !high {
				t.Errorf("plainBytes(%q) = %d, %v, want %d, true", in, got, high, n+2)
			}
		}
	}
}

func TestInterner(t *testing.T) {
	var pool interner
	long := strings.Repeat("x", maxInterned+1)
	for range 2 {
		for _, s := range []string{
			"", "a", "b", "ab", "ba", "12345678", "123456789", "2026-03-01T10:00:00.000Z", "é", long,
		} {
			if got := pool.of([]byte(s)); got != s {
				t.Errorf("of(%q) = %q, want it unchanged", s, got)
			}
		}
	}
	in := []byte("5a3c1f7e-90b2-4d61-8e07-2b7f4c6d9a10")
	pool.of(in)
	if n := testing.AllocsPerRun(10, func() { pool.of(in) }); n > 0 {
		t.Errorf("a string that is already interned costs %v allocations, want none", n)
	}
}

// FuzzParse: our parser accepts the same values as jsontext, and decodes the same strings.
func FuzzParse(f *testing.F) {
	for _, c := range parseCases {
		if len(c.in) < 1000 {
			f.Add(c.in)
		}
	}
	for _, s := range seeds(f) {
		f.Add(string(s))
	}
	f.Fuzz(func(t *testing.T, in string) {
		v := jsontext.Value(in)
		want := v.IsValid(syntax...)
		if got := parses(in); got != want {
			t.Fatalf("%q parses: %v, jsontext: %v", in, got, want)
		}
		if in = strings.Trim(in, " \t\r\n"); want && in[0] == '"' {
			b, _ := jsontext.AppendUnquote(nil, in)
			if got := String(v); got != string(b) {
				t.Errorf("String(%q) = %q, jsontext: %q", in, got, b)
			}
		}
	})
}
