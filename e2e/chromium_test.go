package e2e

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/chromedp/cdproto"
	"github.com/chromedp/cdproto/audits"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// chromium is a tab of Chromium.
type chromium struct{ ctx context.Context }

// openChromium opens a new tab of Chromium for tb.
func openChromium(t testing.TB, ctx context.Context, tb *tab) *tab {
	t.Helper()
	if err := chromedp.Do(ctx); err != nil {
		t.Fatalf("opening a tab: %v", err)
	}
	ctx, stop := context.WithTimeout(ctx, lifetime)
	t.Cleanup(stop)

	tb.ctx, tb.driver = ctx, chromium{ctx}
	if err := chromedp.Listen(ctx, tb.handleEvent); err != nil {
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
		// Each open tab behaves as if it had the focus.
		if _, err := cdp.Call(ctx, target, emulation.SetFocusEmulationEnabled,
			emulation.SetFocusEmulationEnabledParams{Enabled: true}); err != nil {
			return err
		}
		_, err := cdp.Call(ctx, target, emulation.SetScriptExecutionDisabled,
			emulation.SetScriptExecutionDisabledParams{Value: !tb.script})
		return err
	}))
	return tb
}

// advice are issues that are not faults: autofill in forms, which the pages do not have, and sizes of lazy pictures,
// which a log does not contain.
var advice = map[audits.InspectorIssueCode]bool{
	audits.InspectorIssueCodeGenericIssue:       true,
	audits.InspectorIssueCodeLazyLoadImageIssue: true,
}

// handleEvent runs in the loop that reads the messages of the browser. Events before a result are handled before the
// result arrives, so tests need not wait for them.
func (tb *tab) handleEvent(event any) {
	switch e := event.(type) {
	case *runtime.EventConsoleAPICalled:
		var words []string
		for _, a := range e.Args {
			words = append(words, strings.Trim(string(a.Value), `"`)+a.Description)
		}
		tb.report("console message (%s): %s", e.Type, strings.Join(words, " "))
	case *runtime.EventExceptionThrown:
		text := e.ExceptionDetails.Text
		if x := e.ExceptionDetails.Exception; x != nil {
			text += " " + x.Description
		}
		tb.report("exception: %s", text)
	case *log.EventEntryAdded:
		tb.report("browser message (%s): %s %s", e.Entry.Level, e.Entry.Text, e.Entry.URL)
	case *audits.EventIssueAdded:
		if csp := e.Issue.Details.ContentSecurityPolicyIssueDetails; csp != nil {
			tb.report("policy violation: %s %s", csp.ViolatedDirective, csp.BlockedURL)
			return
		}
		if !advice[e.Issue.Code] {
			tb.report("browser issue: %s", e.Issue.Code)
		}
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(e.Request.URL, tb.url("")) {
			tb.report("request outside of the site: %s", e.Request.URL)
		}
	case *network.EventLoadingFailed:
		tb.report("loading failed: %s (%s)", e.ErrorText, e.Type)
	}
}

func (c chromium) visit(address string) error {
	return chromedp.Do(c.ctx, chromedp.Navigate(address))
}

func (c chromium) depart(address string) error {
	return chromedp.Do(c.ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, page.Navigate, page.NavigateParams{URL: address})
		return err
	}))
}

func (c chromium) evaluate(expression string, promise bool) ([]byte, error) {
	return chromedp.Run(c.ctx, chromedp.Evaluate[[]byte](expression, func(p *runtime.EvaluateParams) {
		p.ReturnByValue, p.AwaitPromise = new(true), &promise
	}))
}

func (c chromium) isGone(err error) bool {
	failure := new(cdproto.Error)
	return errors.As(err, &failure) && failure.Code == -32000
}

func (c chromium) click(selector string) error {
	ctx, stop := context.WithTimeout(c.ctx, maxWait)
	defer stop()
	return chromedp.Do(ctx, chromedp.Click(chromedp.CSS(selector), chromedp.NodeVisible))
}

func (c chromium) clickAt(x, y float64) error { return chromedp.Do(c.ctx, chromedp.MouseClickXY(x, y)) }

func (c chromium) touchAt(x, y float64) error {
	return chromedp.Do(c.ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, input.DispatchTouchEvent, input.DispatchTouchEventParams{
			Type: input.DispatchTouchEventTypeTouchStart, TouchPoints: []*input.TouchPoint{{X: x, Y: y}},
		})
		if err == nil {
			_, err = cdp.Call(ctx, target, input.DispatchTouchEvent, input.DispatchTouchEventParams{
				Type: input.DispatchTouchEventTypeTouchEnd, TouchPoints: []*input.TouchPoint{},
			})
		}
		return err
	}))
}

func (c chromium) press(keys string, held ...chromedp.Modifier) error {
	return chromedp.Do(c.ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
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

func (c chromium) resize(width, height int64, phone bool) error {
	if phone {
		return chromedp.Do(c.ctx,
			chromedp.EmulateViewport(width, height, chromedp.EmulateMobile, chromedp.EmulateTouch))
	}
	return chromedp.Do(c.ctx, chromedp.EmulateViewport(width, height))
}

func (c chromium) media(feature, value string) error {
	return chromedp.Do(c.ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
			Features: []*emulation.MediaFeature{{Name: feature, Value: value}},
		})
		return err
	}))
}

func (c chromium) zone(id string) error {
	return chromedp.Do(c.ctx, chromedp.Func(func(ctx context.Context, target *chromedp.Target) error {
		_, err := cdp.Call(ctx, target, emulation.SetTimezoneOverride,
			emulation.SetTimezoneOverrideParams{TimezoneID: id})
		return err
	}))
}
