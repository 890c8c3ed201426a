package e2e

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/audits"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// tab is one page in a browser profile of its own, so that nothing remembered by another test is there.
// It keeps everything that a page which loads only its own files and breaks no rule would not cause.
type tab struct {
	ctx    context.Context
	root   string // folder of the site, or address that it is served at
	script bool

	mu       sync.Mutex
	findings []string
}

// mode says how pages are opened.
type mode struct {
	name   string
	script bool
}

var (
	withScript    = mode{"with script", true}
	withoutScript = mode{"without script", false}
	modes         = []mode{withScript, withoutScript}
)

// openTab makes a tab for the site in folder root, or served at the address root; load fills it.
func openTab(t testing.TB, root string, m mode) *tab {
	t.Helper()
	ctx, cancel := chromedp.NewContext(browser(t), chromedp.WithNewBrowserContext())
	t.Cleanup(cancel)
	return enableTab(t, ctx, root, m)
}

// another opens one more tab for the same site in the same profile; leave closes it.
func (tb *tab) another(t testing.TB) (other *tab, leave func()) {
	t.Helper()
	ctx, cancel := chromedp.NewContext(tb.ctx)
	t.Cleanup(cancel)
	return enableTab(t, ctx, tb.root, mode{script: tb.script}), cancel
}

func enableTab(t testing.TB, ctx context.Context, root string, m mode) *tab {
	t.Helper()
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("opening a tab: %v", err)
	}
	ctx, stop := context.WithTimeout(ctx, 5*time.Minute)
	t.Cleanup(stop)

	tb := &tab{ctx: ctx, root: root, script: m.script}
	if err := chromedp.Listen(ctx, tb.hear); err != nil {
		t.Fatalf("listening to a tab: %v", err)
	}
	tb.do(t, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		if _, err := cdp.Call(ctx, target, runtime.Enable, cdp.Empty{}); err != nil {
			return err
		}
		if _, err := cdp.Call(ctx, target, log.Enable, cdp.Empty{}); err != nil {
			return err
		}
		if _, err := cdp.Call(ctx, target, network.Enable, network.EnableParams{}); err != nil {
			return err
		}
		if _, err := cdp.Call(ctx, target, audits.Enable, cdp.Empty{}); err != nil {
			return err
		}
		// Of the tabs that are open at the same time, each is the one that somebody looks at.
		if _, err := cdp.Call(ctx, target, emulation.SetFocusEmulationEnabled,
			emulation.SetFocusEmulationEnabledParams{Enabled: true}); err != nil {
			return err
		}
		_, err := cdp.Call(ctx, target, emulation.SetScriptExecutionDisabled,
			emulation.SetScriptExecutionDisabledParams{Value: !m.script})
		return err
	}))
	return tb
}

// advice are issues that break nothing: of autofill in forms, which there are none, and of sizes of lazy
// pictures, which a log does not tell.
var advice = map[audits.InspectorIssueCode]bool{
	audits.InspectorIssueCodeGenericIssue:       true,
	audits.InspectorIssueCodeLazyLoadImageIssue: true,
}

// hear runs in the loop that reads the messages of the browser: what came before an answer has been heard
// when the answer is there, so no test has to wait for silence.
func (tb *tab) hear(event any) {
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		var words []string
		for _, a := range e.Args {
			words = append(words, strings.Trim(string(a.Value), `"`)+a.Description)
		}
		tb.find("console message (%s): %s", e.Type, strings.Join(words, " "))
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if x := e.ExceptionDetails.Exception; x != nil {
			text += " " + x.Description
		}
		tb.find("exception: %s", text)
	case *log.EventEntryAdded:
		tb.find("browser message (%s): %s %s", e.Entry.Level, e.Entry.Text, e.Entry.URL)
	case *audits.EventIssueAdded:
		if csp := e.Issue.Details.ContentSecurityPolicyIssueDetails; csp != nil {
			tb.find("policy violation: %s %s", csp.ViolatedDirective, csp.BlockedURL)
			return
		}
		if !advice[e.Issue.Code] {
			tb.find("browser issue: %s", e.Issue.Code)
		}
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(e.Request.URL, tb.url("")) {
			tb.find("request outside of the site: %s", e.Request.URL)
		}
	case *network.EventLoadingFailed:
		tb.find("loading failed: %s (%s)", e.ErrorText, e.Type)
	}
}

func (tb *tab) find(format string, args ...any) {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	tb.findings = append(tb.findings, fmt.Sprintf(format, args...))
}

// heard gives what has been found since the last call.
func (tb *tab) heard() []string {
	tb.mu.Lock()
	defer tb.mu.Unlock()
	findings := tb.findings
	tb.findings = nil
	return findings
}

// url is the address of a page of the site.
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

// load opens a page and, with script, waits until it says that it is ready.
func (tb *tab) load(t testing.TB, page string) {
	t.Helper()
	tb.do(t, chromedp.Navigate(tb.url(page)))
	if tb.script {
		tb.await(t, `"ready" in (document.documentElement?.dataset ?? {})`,
			"<html data-ready>, which the script sets as its last act")
	}
}

// await asks again and again until the expression is true: a poll inside the page would need its timers,
// which rest where script is off.
func (tb *tab) await(t testing.TB, expression, what string) {
	t.Helper()
	for range 1500 {
		there, err := chromedp.Run(tb.ctx, chromedp.Evaluate[bool]("!!("+expression+")"))
		// while a page goes there is nobody to ask
		if gone := new(cdproto.Error); err != nil && !(errors.As(err, &gone) && gone.Code == -32000) {
			t.Fatalf("evaluating %s: %v", expression, err)
		}
		if err == nil && there {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Fatalf("waited 30 seconds for %s\nheard: %s", what, strings.Join(tb.heard(), "\n"))
}

func (tb *tab) do(t testing.TB, steps ...chromedp.Action[chromedp.Void]) {
	t.Helper()
	if err := chromedp.Do(tb.ctx, steps...); err != nil {
		t.Fatal(err)
	}
}

// click clicks where a reader would, and fails when there is nothing to click.
func (tb *tab) click(t testing.TB, selector string) {
	t.Helper()
	ctx, stop := context.WithTimeout(tb.ctx, 30*time.Second)
	defer stop()
	if err := chromedp.Do(ctx, chromedp.Click(chromedp.CSS(selector), chromedp.NodeVisible)); err != nil {
		t.Fatalf("clicking %s: %v", selector, err)
	}
}

// press presses keys one after the other, with the modifiers held, as a keyboard does: a page that keeps the
// default of a key from happening keeps its character from being typed.
func (tb *tab) press(t testing.TB, keys string, held ...chromedp.Modifier) {
	t.Helper()
	tb.do(t, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		for _, r := range keys {
			var down *input.DispatchKeyEventParams
			for _, event := range kb.Encode(r) {
				switch event.Type {
				case kb.KeyDown:
					down = event
					continue
				case kb.KeyChar:
					down.Text, down.UnmodifiedText = event.Text, event.UnmodifiedText
					continue
				}
				for _, e := range []*input.DispatchKeyEventParams{down, event} {
					chromedp.KeyModifiers(held...)(e)
					if _, err := cdp.Call(ctx, target, input.DispatchKeyEvent, *e); err != nil {
						return err
					}
				}
			}
		}
		return nil
	}))
}

// view sets width and colour scheme, without loading the page again.
func (tb *tab) view(t testing.TB, width int64, scheme string) {
	t.Helper()
	tb.do(t, chromedp.EmulateViewport(width, 900),
		chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
			_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
				Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
			})
			return err
		}))
}

// zone sets the time zone of the reader.
func (tb *tab) zone(t testing.TB, id string) {
	t.Helper()
	tb.do(t, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetTimezoneOverride,
			emulation.SetTimezoneOverrideParams{TimezoneID: id})
		return err
	}))
}

func eval[T any](t testing.TB, tb *tab, expression string, options ...chromedp.EvaluateOption) T {
	t.Helper()
	v, err := chromedp.Run(tb.ctx, chromedp.Evaluate[T](expression, options...))
	if err != nil {
		t.Fatalf("evaluating %s: %v", expression, err)
	}
	return v
}
