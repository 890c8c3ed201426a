package redact

import (
	"bytes"
	"encoding/json"
	"fmt"
	"testing"
)

// FuzzJSON: valid JSON stays valid JSON of the same shape, and the same input gives the same output.
func FuzzJSON(f *testing.F) {
	for _, c := range records {
		for _, in := range c.in {
			f.Add([]byte(in))
		}
	}
	for _, c := range texts {
		f.Add([]byte(`{"content":` + q(c.in) + `}`))
	}
	for _, text := range kept {
		f.Add([]byte(`{"file_path":"/x/.env","a":[` + q(text) + `]}`))
	}
	redactor, err := New(Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, in []byte) {
		raw := bytes.Clone(in)
		got := redactor.Session().JSON(raw)
		if !bytes.Equal(raw, in) {
			t.Fatalf("the input was changed\nfrom %q\nto   %q", in, raw)
		}
		if same := redactor.Session().JSON(in); !bytes.Equal(same, got) {
			t.Fatalf("two results for %q:\n%q\n%q", in, got, same)
		}
		if !json.Valid(in) {
			return
		}
		if !json.Valid(got) {
			t.Fatalf("no longer JSON\nin  %q\ngot %q", in, got)
		}
		if was, is := shapeOf(t, in), shapeOf(t, got); was != is {
			t.Fatalf("the shape differs\nin  %q %s\ngot %q %s", in, was, got, is)
		}
	})
}

// FuzzText: any text can be redacted, and keeps its lines.
func FuzzText(f *testing.F) {
	for _, c := range texts {
		f.Add(c.in)
		f.Add(b64(c.in) + "\n")
	}
	for _, text := range kept {
		f.Add(text)
	}
	redactor, err := New(Options{})
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, in string) {
		got := redactor.Session().Text(in)
		if n, want := bytes.Count([]byte(got), []byte("\n")), bytes.Count([]byte(in), []byte("\n")); n != want {
			t.Fatalf("%d lines, want %d\nin  %q\ngot %q", n, want, in, got)
		}
	})
}

// shapeOf returns the kinds of all values in order, without the contents of strings.
func shapeOf(t *testing.T, raw []byte) string {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var b bytes.Buffer
	for {
		token, err := dec.Token()
		if err != nil {
			break
		}
		switch token := token.(type) {
		case json.Delim, json.Number, bool, nil:
			fmt.Fprint(&b, token, " ")
		case string:
			b.WriteString("s ")
		default:
			t.Fatalf("unexpected token %v", token)
		}
	}
	return b.String()
}
