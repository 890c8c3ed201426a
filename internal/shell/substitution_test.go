package shell

import (
	"strings"
	"testing"
)

// TestSubstitutions: commands whose output is a part of another command come before it, and do not cut it up.
func TestSubstitutions(t *testing.T) {
	for command, want := range map[string]string{
		`a $(b c) d`:                         `b c | a $(b c) d`,
		`a x$(b)y && c`:                      `b | a x$(b)y | c`,
		`a "x $(b "c" | d) y" z; e`:          `b c | d | a x $(b "c" | d) y z | e`,
		`A=$(b) c`:                           `b | A=$(b) c`,
		`diff <(a | b) <(c) -u`:              `a | b | c | diff <(a | b) <(c) -u`,
		`a > >(b) c`:                         `b | a c`,
		`a $(b $(c)) "$(d "$(e)" ")")"`:      `c | b $(c) | e | d $(e) ) | a $(b $(c)) $(d "$(e)" ")")`,
		`a $((1<<n)) "$((2 > (x)))" b`:       `a $((1<<n)) $((2 > (x))) b`,
		`a $( (b) ); c`:                      `b | a $( (b) ) | c`,
		`a $((b); (c)); d`:                   `b | c | a $((b); (c)) | d`,
		`a "$(b) $(c)" "$(d)"; e`:            `b | c | d | a $(b) $(c) $(d) | e`,
		`$(a) b`:                             `a | $(a) b`,
		"a \"$(cat <<'B'\nx $(y)\nB\n)\"; c": "cat | a $(cat <<'B'\nx $(y)\nB\n) | c",
		"a <<B \"$(b)\"\nx\nB\nc":            "b | a $(b) | c",
		`a "$(b`:                             `b | a $(b`,
		`a $(b; { c) d`:                      `b | c | a $(b; { c) d`,
		`{ a $(b }); c`:                      `b | a $(b }) | c`,
		`a 'x $(b)' \$x "\$(b)"`:             `a x $(b) $x $(b)`,
		`find . -exec a {} \; -o b{,c} {d,e}; { f; }; { }`: `find . -exec a {} ; -o b{,c} {d,e} | f`,
	} {
		var got []string
		for _, s := range Written(command) {
			got = append(got, strings.Join(s.Words, " "))
		}
		if got := strings.Join(got, " | "); got != want {
			t.Errorf("%s: got %s, want %s", command, got, want)
		}
	}
}

// TestDeepSubstitutions: the depth of commands in commands is limited.
func TestDeepSubstitutions(t *testing.T) {
	for _, s := range []string{"a $(", `a "$(`, "a <("} {
		all := Written(strings.Repeat(s, 1000))
		if len(all) < maxDeep || len(all) > maxCommands+maxDeep {
			t.Errorf("got %d commands", len(all))
		}
	}
}
