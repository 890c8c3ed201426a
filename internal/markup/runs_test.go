package markup

import (
	"html/template"
	"strings"
	"testing"
)

// TestRuns joins lines of one kind. The text without tags must not change.
func TestRuns(t *testing.T) {
	long := strings.Repeat("<ins>x</ins>\n", maxRun)
	for name, test := range map[string]struct{ in, want string }{
		"alone":       {"<ins>a</ins>\n<del>b</del>\n c\n", "<ins>a</ins>\n<del>b</del>\n c\n"},
		"two":         {"a\n<ins>b</ins>\n<ins>c</ins>\n<ins>d</ins>\ne\n", "a\n<ins>b\nc\nd</ins>\ne\n"},
		"kinds":       {"<del>a</del>\n<del>b</del>\n<ins>c</ins>\n<ins>d</ins>\n", "<del>a\nb</del>\n<ins>c\nd</ins>\n"},
		"empty":       {"<ins></ins>\n<ins>a</ins>\n<ins></ins>\n<ins>b</ins>\n", "<ins>\na\n\nb</ins>\n"},
		"empty last":  {"<ins>a</ins>\n<ins>b</ins>\n<ins></ins>\n<ins></ins>\n", "<ins>a\nb</ins>\n<ins></ins>\n<ins></ins>\n"},
		"only empty":  {"<ins></ins>\n<ins></ins>\n", "<ins></ins>\n<ins></ins>\n"},
		"in elements": {"<ins><i>a</i></ins>\n<ins><em>b</em></ins>\n", "<ins><i>a</i>\n<em>b</em></ins>\n"},
		"no newline":  {"<ins>a</ins>\n<ins>b</ins>\n<ins>c</ins>", "<ins>a\nb</ins>\n<ins>c</ins>"},
		"long": {long + long, "<ins>" + strings.Repeat("x\n", maxRun-1) + "x</ins>\n" +
			"<ins>" + strings.Repeat("x\n", maxRun-1) + "x</ins>\n"},
	} {
		t.Run(name, func(t *testing.T) {
			got := string(Runs(template.HTML(test.in)))
			if got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
			bare := strings.NewReplacer("<ins>", "", "</ins>", "", "<del>", "", "</del>", "")
			if a, b := bare.Replace(got), bare.Replace(test.in); a != b {
				t.Errorf("got the text\n%s\nwant\n%s", a, b)
			}
		})
	}
}
