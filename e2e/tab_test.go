package e2e

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

// tab is one page in its own browser profile, so that it sees nothing stored by other tests. It records everything that
// a page that loads only its own files and breaks no rule would not cause.
type tab struct {
	driver
	ctx    context.Context // the context of chromedp, for features of Chromium; nil in Firefox
	root   string          // folder of the site, or the address at which it is served
	script bool

	mu       sync.Mutex
	findings []string
}

// A driver controls a page in one of the browsers, as far as most tests need: chromium and firefoxPage.
type driver interface {
	visit(address string) error  // opens a page and waits until it is loaded
	depart(address string) error // the same without waiting
	// evaluate returns the value of an expression as JSON, or nil for undefined. If promise is set, it waits for the
	// value of the promise.
	evaluate(expression string, promise bool) ([]byte, error)
	isGone(err error) bool       // reports whether an error of evaluate means that the page is being left
	click(selector string) error // waits for the element and clicks on it
	clickAt(x, y float64) error
	touchAt(x, y float64) error
	press(keys string, held ...chromedp.Modifier) error // presses keys like a keyboard
	resize(width, height int64, phone bool) error       // without loading the page again
	media(feature, value string) error                  // prefers-color-scheme, forced-colors
	zone(id string) error                               // the time zone of the reader
}

// lifetime limits how long a tab stays open, so that a test that hangs fails before all tests are stopped.
const lifetime = 15 * time.Minute

// A mode is a way to open pages.
type mode struct {
	name   string
	script bool
}

var (
	withScript    = mode{"with script", true}
	withoutScript = mode{"without script", false}
	modes         = []mode{withScript, withoutScript}
)

// openTab opens a tab for the site in the folder root, or served at the address root. load opens a page in it.
func openTab(t testing.TB, root string, m mode) *tab {
	t.Helper()
	tb := &tab{root: root, script: m.script}
	if inFirefox(t) {
		tb.driver, _ = openFirefox(t, tb, "")
		return tb
	}
	ctx, cancel := chromedp.NewContext(browser(t), chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	return openChromium(t, ctx, tb)
}

// openAnother opens one more tab for the same site in the same profile; leave closes it.
func (tb *tab) openAnother(t testing.TB) (other *tab, leave func()) {
	t.Helper()
	other = &tab{root: tb.root, script: tb.script}
	if p, ok := tb.driver.(*firefoxPage); ok {
		other.driver, leave = openFirefox(t, other, p.user)
		return other, leave
	}
	ctx, cancel := chromedp.NewContext(tb.ctx)
	t.Cleanup(cancel)
	return openChromium(t, ctx, other), cancel
}

func (tb *tab) report(format string, args ...any) {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	tb.findings = append(tb.findings, fmt.Sprintf(format, args...))
}

// takeFindings returns what was recorded since the last call.
func (tb *tab) takeFindings() []string {
	if p, ok := tb.driver.(*firefoxPage); ok && tb.script {
		p.catchUp()
	}
	tb.mu.Lock()
	defer tb.mu.Unlock()
	findings := tb.findings
	tb.findings = nil
	return findings
}

// url returns the address of a page of the site.
func (tb *tab) url(page string) string {
	if strings.HasPrefix(tb.root, "http:") {
		return tb.root + page
	}
	page, fragment, _ := strings.Cut(page, "#")
	path := filepath.ToSlash(filepath.Join(tb.root, filepath.FromSlash(page)))
	if page == "" {
		path += "/"
	}
	return (&url.URL{Scheme: "file", Path: path, Fragment: fragment}).String()
}

// load opens a page and, with script, waits until it is ready.
func (tb *tab) load(t testing.TB, page string) {
	t.Helper()
	tb.open(t, tb.url(page))
	if tb.script {
		tb.await(t, `"ready" in (document.documentElement?.dataset ?? {})`,
			"<html data-ready>, which the script sets as its last act")
	}
}

// reopen opens another page, or another place of the same page, as a new tab would: nothing is stored, and the document
// is a new one. It takes half of the processor time of a new tab.
func (tb *tab) reopen(t testing.TB, page string) {
	t.Helper()
	eval[chromedp.Void](t, tb, forget)
	tb.open(t, "about:blank")
	tb.load(t, page)
}

// open goes to an address and waits until the page is loaded.
func (tb *tab) open(t testing.TB, address string) {
	t.Helper()
	if err := tb.visit(address); err != nil {
		t.Fatalf("opening %s: %v", address, err)
	}
}

// maxWait is how long tests wait for what happens at once on an idle machine. On a busy one it may take a minute.
const maxWait = 3 * time.Minute

// await evaluates the expression repeatedly until it is true, at longer and longer intervals, which leave a busy
// machine its time. It does not poll inside of the page, because without script there are no timers.
func (tb *tab) await(t testing.TB, expression, what string) {
	t.Helper()
	pause := 10 * time.Millisecond
	for end := time.Now().Add(maxWait); time.Now().Before(end); time.Sleep(pause) {
		pause = min(pause*5/4, 200*time.Millisecond)
		value, err := tb.evaluate("!!("+expression+")", false)
		// while a page is being left, expressions cannot be evaluated
		if err != nil && !tb.isGone(err) {
			t.Fatalf("evaluating %s: %v", expression, err)
		}
		if err == nil && string(value) == "true" {
			return
		}
	}
	t.Fatalf("waited %v for %s\nfindings: %s", maxWait, what, strings.Join(tb.takeFindings(), "\n"))
}

// do runs steps that only Chromium supports.
func (tb *tab) do(t testing.TB, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(tb.ctx, steps...); err != nil {
		t.Fatal(err)
	}
}

// click clicks on an element, and fails if there is none.
func (tb *tab) click(t testing.TB, selector string) {
	t.Helper()
	if err := tb.driver.click(selector); err != nil {
		t.Fatalf("clicking %s: %v", selector, err)
	}
}

// press presses keys one after the other while the modifiers are held. As with a real keyboard, no character is typed
// if the page prevents the default of the key.
func (tb *tab) press(t testing.TB, keys string, held ...chromedp.Modifier) {
	t.Helper()
	if err := tb.driver.press(keys, held...); err != nil {
		t.Fatalf("pressing %q: %v", keys, err)
	}
}

// view sets width and colour scheme, without loading the page again.
func (tb *tab) view(t testing.TB, width int64, scheme string) {
	t.Helper()
	tb.size(t, width, 900)
	tb.emulateMedia(t, "prefers-color-scheme", scheme)
}

// size sets the size of the window.
func (tb *tab) size(t testing.TB, width, height int64) {
	t.Helper()
	if err := tb.resize(width, height, false); err != nil {
		t.Fatalf("setting the size of the window: %v", err)
	}
}

// emulateMedia sets the value of a media feature for the page.
func (tb *tab) emulateMedia(t testing.TB, feature, value string) {
	t.Helper()
	if err := tb.media(feature, value); err != nil {
		t.Fatalf("setting %s: %v", feature, err)
	}
}

// zone sets the time zone of the reader.
func (tb *tab) zone(t testing.TB, id string) {
	t.Helper()
	if err := tb.driver.zone(id); err != nil {
		t.Fatalf("setting the time zone: %v", err)
	}
}

// eval returns the value of an expression in the page.
func eval[T any](t testing.TB, tb *tab, expression string) T {
	t.Helper()
	return evaluate[T](t, tb, expression, false)
}

// evalPromise returns the value of a promise.
func evalPromise[T any](t testing.TB, tb *tab, expression string) T {
	t.Helper()
	return evaluate[T](t, tb, expression, true)
}

func evaluate[T any](t testing.TB, tb *tab, expression string, promise bool) (value T) {
	t.Helper()
	data, err := tb.evaluate(expression, promise)
	if _, void := any(value).(chromedp.Void); err == nil && !void {
		switch kind := reflect.TypeFor[T]().Kind(); {
		case data != nil && string(data) != "null":
			err = json.Unmarshal(data, &value)
		case kind != reflect.Pointer && kind != reflect.Map && kind != reflect.Slice:
			err = errors.New("it has no value")
		}
	}
	if err != nil {
		t.Fatalf("evaluating %s: %v", expression, err)
	}
	return value
}
