package search

import (
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/go-json-experiment/json/jsontext"
)

func TestTextBuilder(t *testing.T) {
	solid := strings.Repeat("x", longestWordless)
	for _, c := range []struct {
		name, want string
		write      func(d *textBuilder)
	}{
		{"nothing", "", func(d *textBuilder) { d.add(""); d.addStrings(jsontext.Value(`[null, "", true]`), nil) }},
		{"one text", "a\tb\n", func(d *textBuilder) { d.add("a\tb\n") }},
		{"one with colors", "red!", func(d *textBuilder) { d.add("\x1b[31mred\x1b[0m!") }},
		{"one that is only colors", "", func(d *textBuilder) { d.add("\x1b[31m") }},
		{"several", "a\nb\nc", func(d *textBuilder) { d.add("a"); d.add(""); d.add("b"); d.add("c") }},
		{"a control character", "a b\nc d", func(d *textBuilder) { d.add("a\rb"); d.add("c\x00d") }},
		{"a sequence that ends in the next text", "ab", func(d *textBuilder) {
			d.add("a\x1b]0;title")
			d.add("more\x07b")
		}},
		{"parts of their own", "a\x20\nb", func(d *textBuilder) { d.add("a\r"); d.end(); d.add("b") }},
		{"a part that is gone", "a\nc", func(d *textBuilder) {
			d.add("a")
			d.end()
			d.add("\x1b[0m")
			d.end()
			d.add("c")
		}},
		{"a first part that is gone", "b\nc", func(d *textBuilder) {
			d.add("\x1b[0m")
			d.end()
			d.add("b")
			d.end()
			d.add("c")
		}},
		{"leaves", "x\n1.5\ny\n\"\nz", func(d *textBuilder) {
			d.addStrings(jsontext.Value(`{"type":"no", "a":["x",1.5,{"b":"y"}], "\u0074ype":"no", "c":"\"", "d":null}`),
				skippedMembers)
			d.add("z")
		}},
		{"what is solid", "a\nb", func(d *textBuilder) {
			d.add("a")
			d.addStrings(jsontext.Value(`["`+solid+`","b"]`), nil)
		}},
		{"what is solid, alone", "a", func(d *textBuilder) {
			d.add("a")
			d.addStrings(jsontext.Value(`"`+solid+`"`), nil)
		}},
		{"what is long", "a " + solid, func(d *textBuilder) { d.addStrings(jsontext.Value(`"a `+solid+`"`), nil) }},
		{"a patch", "Edit\n  said\nnew\n\n\tof a file\nnew", func(d *textBuilder) {
			d.add("Edit")
			d.add("  said\nnew\n")
			d.addUnchanged(
				jsontext.Value(`[{"lines":[" said  ", "+\tof a file", "-   ", "+"]}, {"lines":[" new", 3]}]`))
			d.add("new")
		}},
		{"a patch without new text", "one", func(d *textBuilder) {
			d.add("one")
			d.addUnchanged(jsontext.Value(`[{"lines":["-\tone"]}]`))
		}},
		{"no patch", "one", func(d *textBuilder) {
			d.add("one")
			d.addUnchanged(jsontext.Value(`{"lines":["-\ttwo"]}`))
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			d := textBuilder{patch: patchLines{dictionary: newDictionary(16)}}
			for range 2 { // the second time with the buffer of the first
				d.begin()
				c.write(&d)
				if got := d.end(); got != c.want {
					t.Errorf("got %q, want %q", got, c.want)
				}
			}
		})
	}
}

// TestTextBuilderCopiesNothing: a single text is returned without a copy, and a long one leaves no buffer allocated.
func TestTextBuilderCopiesNothing(t *testing.T) {
	long := strings.Repeat("long ", largestText)
	var d textBuilder
	d.begin()
	d.add(long)
	if got := d.end(); got != long || d.text != nil {
		t.Errorf("%d bytes are copied, want none", cap(d.text))
	}
	d.add("more")
	if got := d.end(); got != long+"\nmore" {
		t.Errorf("got %d bytes, want both texts", len(got))
	}
	if d.begin(); d.text != nil {
		t.Errorf("a buffer of %d bytes is kept, want none", cap(d.text))
	}
}

// TestPlain compares the fast check of a text with a check of each character.
func TestPlain(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 20_000 {
		b := make([]byte, r.IntN(40))
		for i := range b {
			b[i] = "az \n\t~\x7f\x80\xff"[r.IntN(9)]
		}
		at := len(b)
		if at > 0 && r.IntN(4) > 0 {
			at = r.IntN(at)
			if b[at] = byte(r.IntN(' ')); b[at] == '\n' || b[at] == '\t' {
				b[at] = 0x1b
			}
		}
		if got := changed(b); got != at {
			t.Fatalf("%q: got the first change at %d, want %d", b, got, at)
		}
		if p := plain(string(b)); changed(p) != len(p) {
			t.Fatalf("plain(%q) = %q, which is not plain", b, p)
		}
	}
}

// TestDeepLeaves: nested values cost the same as values in a flat list.
func TestDeepLeaves(t *testing.T) {
	took := func(v string) time.Duration {
		var d textBuilder
		start := time.Now()
		d.begin()
		d.addStrings(jsontext.Value(v), skippedMembers)
		return time.Since(start)
	}
	const n = 9000
	flatText := "[" + strings.Repeat(`{"a":1},`, n) + "1]"
	deepText := strings.Repeat(`{"a":`, n) + "1" + strings.Repeat("}", n)
	flat, deep := time.Hour, time.Hour
	for range 20 { // other programs may interrupt most of the tries
		flat, deep = min(flat, took(flatText)), min(deep, took(deepText))
		if deep <= 20*flat {
			return
		}
	}
	t.Errorf("nested objects take %v, flat ones %v; want at most 20 times", deep, flat)
}
