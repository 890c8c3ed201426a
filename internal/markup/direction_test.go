package markup

import (
	"regexp"
	"strings"
	"testing"
)

// TestDirection: a list, a quote and a table have the direction of their first letter that is not code, unless it is
// that of the text around it.
func TestDirection(t *testing.T) {
	boxes := regexp.MustCompile(`<(ul|ol|blockquote|table)[^>]*>`)
	for in, want := range map[string]string{
		"- one\n- שתיים":                     "<ul>",
		"- שתיים\n- one":                     `<ul dir="rtl">`,
		"- `High()`: مد\n  - جزر\n  - one":   `<ul dir="rtl"><ul>`,
		"- مد\n\n  3. one\n  4. two":         `<ul dir="rtl"><ol start="3" dir="ltr">`,
		"> مد\n\n> 1. مد\n> 2. جزر\n\n> one": `<blockquote dir="rtl"><blockquote dir="rtl"><ol><blockquote>`,
		"|מד|b|\n|-|-|\n|1|2|":               `<table dir="rtl">`,
		"مد\n\n- 08:14\n- 20:40":             "<ul>",
	} {
		in := strings.TrimSpace(in)
		if got := strings.Join(boxes.FindAllString(string(Markdown(in, "")), -1), ""); got != want {
			t.Errorf("%q is drawn with %s, want %s", in, got, want)
		}
		if html, ok := Typed(in); !ok {
			t.Errorf("%q is not drawn as Markdown that was typed", in)
		} else if got := strings.Join(boxes.FindAllString(string(html), -1), ""); got != want {
			t.Errorf("%q is drawn as typed with %s, want %s", in, got, want)
		}
	}
}
