package markup

import (
	"strings"
	"testing"
	"time"
)

// Code that chroma's rules cannot read in time in proportion to its size is
// plain; what is not such code is highlighted. The bound is loose, since it is of
// little code on a machine that others use: what it is for took thousands.
func TestCodeCost(t *testing.T) {
	lines := func(unit string) string {
		line := strings.Repeat(unit, 1900/len(unit)) + "\n"
		return strings.Repeat(line, maxCode/len(line))
	}
	cost := func(src, lang string) time.Duration {
		start := time.Now()
		Code(src, lang)
		return time.Since(start)
	}
	src := strings.Repeat(goSource, maxCode/len(goSource))
	if !strings.Contains(string(Code(src, "dart")), `class="k"`) {
		t.Error("ordinary source is plain")
	}
	base := cost(src, "dart")
	for _, c := range [][2]string{
		{"tf", "$/*.@"}, {"d", "a b c "}, {"groovy", "a\n\n"}, {"ceylon", "a\n\n"}, {"coq", "\\"}, {"cfengine3", "'a"}, {"svelte", "*/=>]:<script>"}, {"php", "~\\` >"}, {"html", "if<script>*a*"}, {"kt", "\n"}, {"css", "/*<"},
		{"go", ";::?"}, {"rb", "\tif("}, {"rust", "!#{"}, {"md", "b---."}, {"make", "|&;*/"}, {"java", "---/*"},
	} {
		if d := cost(lines(c[1]), c[0]); d > 250*base {
			t.Errorf("%s %q: %d times the cost of ordinary source", c[0], c[1], d/base)
		}
	}
}
