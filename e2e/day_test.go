package e2e

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// days returns the lines between the prompts of a session, and the prompts.
const days = `[...document.querySelectorAll("main > .turn > p.sys, main > .turn > .prompt .text")].map((el) => el.textContent)`

// TestDays reads a session over midnight: its days begin at midnight UTC without script, and in the reader's time zone
// with it.
func TestDays(t *testing.T) {
	t.Parallel()
	id := "dddddddd-0000-4000-8000-000000000000"
	var log strings.Builder
	for n, at := range []string{
		"2026-11-20T20:00:00Z", "2026-11-20T23:58:00Z", "2026-11-21T00:02:00Z", "2026-11-21T10:59:00Z",
		"2026-11-21T11:05:00Z", "2026-11-22T12:00:00Z", "2026-11-23T00:01:00Z",
	} {
		fmt.Fprintf(&log, `{"type":"user","uuid":"%08d-0000-4000-8000-000000000000","parentUuid":null,"sessionId":%q,"cwd":"/home/ada/pier","version":"2.1.200","timestamp":%q,"message":{"role":"user","content":"at %s"}}`+"\n",
			n, id, at, at[8:16])
	}
	root, page := sessionSite(t, id, log.String())
	utc := []string{
		"at 20T20:00", "3h 58m later", "at 20T23:58", "Sat 21 Nov 2026", "at 21T00:02", "10h 57m later",
		"at 21T10:59", "at 21T11:05",
		"1d 0h later\u00a0·\u00a0Sun 22 Nov 2026", "at 22T12:00", "12h 01m later\u00a0·\u00a0Mon 23 Nov 2026",
		"at 23T00:01"}
	for _, c := range []struct {
		mode mode
		zone string
		want []string
	}{
		{withoutScript, "Pacific/Auckland", utc},
		{withScript, "UTC", utc},
		{withScript, "Pacific/Auckland", []string{ // where the day begins at 11:00 UTC
			"at 20T20:00", "3h 58m later", "at 20T23:58", "at 21T00:02", "10h 57m later", "at 21T10:59",
			"Sun 22 Nov 2026", "at 21T11:05",
			"1d 0h later\u00a0·\u00a0Mon 23 Nov 2026", "at 22T12:00", "12h 01m later", "at 23T00:01"}},
		{withScript, "America/Los_Angeles", []string{ // at 8:00 UTC
			"at 20T20:00", "3h 58m later", "at 20T23:58", "at 21T00:02", "10h 57m later\u00a0·\u00a0Sat 21 Nov 2026",
			"at 21T10:59", "at 21T11:05",
			"1d 0h later\u00a0·\u00a0Sun 22 Nov 2026", "at 22T12:00", "12h 01m later", "at 23T00:01"}},
	} {
		tb := openTab(t, root, c.mode)
		tb.zone(t, c.zone)
		tb.view(t, 1280, "light")
		tb.load(t, page)
		if got := eval[[]string](t, tb, days); !slices.Equal(got, c.want) {
			t.Errorf("%s, %s:\n got %q\nwant %q", c.zone, c.mode.name, got, c.want)
		}
		zone := eval[string](t, tb, `getComputedStyle(document.querySelector(".top"), "::after").content`)
		if says := zone == `"times in UTC"`; says == c.mode.script {
			t.Errorf("%s, %s: after the bar the page says %s", c.zone, c.mode.name, zone)
		}
		if c.mode.script { // as a page that is updated does
			eval[chromedp.Void](t, tb, `document.dispatchEvent(new Event("viewer:before")), document.dispatchEvent(new Event("viewer:after"))`)
			if got := eval[[]string](t, tb, days); !slices.Equal(got, c.want) {
				t.Errorf("%s, updated:\n got %q\nwant %q", c.zone, got, c.want)
			}
		}
		report(t, page, tb.takeFindings())
	}
}
