package shell

import (
	"strings"
	"testing"
)

// TestUnsure: commands with "*" may not have run though the whole succeeded.
func TestUnsure(t *testing.T) {
	for command, want := range map[string]string{
		"a; b\nc & d | e": "a b c d e",
		"a || b; c":       "a b* c",
		"a || b && c":     "a b* c*",
		"a || b & c":      "a b* c",
		"a && b && c":     "a b c",
		"a && b; c":       "a b* c",
		"a && b || c":     "a b* c*",
		"cd a && mkdir b && cat <<B >c && d; e\nB": "cd mkdir cat d e",
		"cat a && b; c":                            "cat b* c",
		"cat a && cd b && c; d":                    "cat cd* c* d",
		"a | cd b && c; d":                         "a cd c d",
		"(a; b) && c; d":                           "a b c* d",
		"a || (b; { c; d; }); e":                   "a b* c* d* e",
		"a && { b; c; }":                           "a b* c*",
		"if a; then b; c; else d; fi; e":           "a b* c* d* fi* e",
		"if (a); then b; fi; c":                    "if a b* fi* c",
		"if (a) { b }; c":                          "if a b* c",
		"for a in b; do c; done; d":                "for c* done* d",
		"for ((a)); do b; done; c":                 "for a* b* done* c",
		"while a; do if b; then c; fi; d; done; e": "while b* c* fi* d* done* e",
		"case a in b) c;; esac; d":                 "case c* esac* d",
		"a() { b; c; }; d":                         "a b* c* d",
		"function a { b; }; c":                     "function b* c",
		"a $(b || c) && d":                         "b c* a d",
		"a || exit 1; b":                           "a exit* b",
		"a && exit; b; (c)":                        "a exit* b* c*",
		"a && exit 0\nb":                           "a exit* b*",
	} {
		got := ""
		for _, c := range Commands(command) {
			got += " " + c.Words[0]
			if c.Unsure {
				got += "*"
			}
		}
		if strings.TrimSpace(got) != want {
			t.Errorf("%s: got%s, want %s", command, got, want)
		}
	}
}
