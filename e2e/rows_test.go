package e2e

import "testing"

// TestRowsSayPurpose: the row of a command begins with its purpose, followed by the command; on a phone it has only the
// purpose. When the row is open, the command is below it.
func TestRowsSayPurpose(t *testing.T) {
	t.Parallel()
	for _, m := range modes {
		tb := openTab(t, longSite(t), m)
		tb.view(t, 1280, "light")
		tb.load(t, longFolder(t)+"/index.html")
		const row = `const row = [...document.querySelectorAll("main details:not([open]) > .row:has(.for)")].find((el) => el.checkVisibility()) ||
			document.querySelector("main .row:has(.for)");
			const call = row.parentElement, shown = (name) => row.querySelector(name).offsetWidth > 0;`
		for _, c := range []struct{ name, expression string }{
			{"the purpose stands before the command", `shown(".for") && shown(".arg") &&
				row.querySelector(".for").getBoundingClientRect().right <= row.querySelector(".arg").getBoundingClientRect().left`},
			{"open, the command stands below", `(call.open = true, shown(".for") && !shown(".arg") && call.querySelector(".cmd").offsetWidth > 0)`},
		} {
			if !eval[bool](t, tb, `(() => {`+row+`return `+c.expression+`})()`) {
				t.Errorf("%s: false: %s", m.name, c.name)
			}
		}
		tb.view(t, 390, "light")
		if !eval[bool](t, tb, `(() => {`+row+`call.open = false; return shown(".for") && !shown(".arg")})()`) {
			t.Errorf("%s: on a phone, the row has more than the purpose", m.name)
		}
		report(t, "rows", tb.takeFindings())
	}
}
