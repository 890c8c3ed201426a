// Package htmlcheck checks HTML: composed checks of one page or fragment (Run, In, Has ...), and a sweep over all pages
// of a built site (Site, Sweep). It never changes the HTML or loads anything from a network, and is for tests only.
package htmlcheck

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/andybalholm/cascadia"
	"golang.org/x/net/html"
)

// A Check returns an error for an element and its content, or nil.
type Check func(*html.Node) error

// Run parses page, a document or a fragment, and fails the test for each check that fails.
//
//	htmlcheck.Run(t, page,
//		htmlcheck.In("details.tool#toolu_1",
//			htmlcheck.HasText("go test"),
//			htmlcheck.Count(".hook", 2)))
func Run(t testing.TB, page string, checks ...Check) {
	t.Helper()
	root, err := html.Parse(strings.NewReader(page))
	if err != nil {
		t.Fatalf("parsing the page: %v", err)
	}
	for _, check := range checks {
		if err := check(root); err != nil {
			t.Error(err)
		}
	}
}

// In applies checks to the first element that matches selector, and fails if there is none.
func In(selector string, checks ...Check) Check {
	find := compile(selector)
	return func(n *html.Node) error {
		found := cascadia.Query(n, find)
		if found == nil {
			return fmt.Errorf("no element %s in\n%s", selector, show(n))
		}
		var errs []error
		for _, check := range checks {
			if err := check(found); err != nil {
				errs = append(errs, fmt.Errorf("in %s: %w", selector, err))
			}
		}
		return errors.Join(errs...)
	}
}

// Has checks that an element matches selector.
func Has(selector string) Check { return In(selector) }

// HasNot checks that no element matches selector.
func HasNot(selector string) Check {
	find := compile(selector)
	return func(n *html.Node) error {
		if found := cascadia.Query(n, find); found != nil {
			return fmt.Errorf("there is an element %s, want none:\n%s", selector, show(found))
		}
		return nil
	}
}

// Count checks how many elements match selector.
func Count(selector string, want int) Check {
	find := compile(selector)
	return func(n *html.Node) error {
		if got := len(cascadia.QueryAll(n, find)); got != want {
			return fmt.Errorf("got %d elements %s, want %d, in\n%s", got, selector, want, show(n))
		}
		return nil
	}
}

// HasText checks that the text of the element contains want. White space is collapsed.
func HasText(want string) Check {
	return func(n *html.Node) error {
		if got := Text(n); !strings.Contains(got, want) {
			return fmt.Errorf("text is %q, want it to contain %q", clip(got), want)
		}
		return nil
	}
}

// HasNotText checks that the text of the element does not contain unwanted.
func HasNotText(unwanted string) Check {
	return func(n *html.Node) error {
		if got := Text(n); strings.Contains(got, unwanted) {
			return fmt.Errorf("text is %q, want it without %q", clip(got), unwanted)
		}
		return nil
	}
}

// IsText checks that the text of the element is want. White space is collapsed.
func IsText(want string) Check {
	return func(n *html.Node) error {
		if got := Text(n); got != want {
			return fmt.Errorf("text is %q, want %q", clip(got), want)
		}
		return nil
	}
}

// HasAttr checks that the element has the attribute with exactly this value.
func HasAttr(name, want string) Check {
	return func(n *html.Node) error {
		got, ok := attr(n, name)
		if !ok {
			return fmt.Errorf("no attribute %s, want %q, in\n%s", name, want, show(n))
		}
		if got != want {
			return fmt.Errorf("%s is %q, want %q", name, got, want)
		}
		return nil
	}
}

// Text returns all text below n with collapsed white space.
func Text(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	if n.Type == html.TextNode {
		b.WriteString(n.Data)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// compile panics on an invalid selector, which is a bug of the test.
func compile(selector string) cascadia.SelectorGroup {
	group, err := cascadia.ParseGroup(selector)
	if err != nil {
		panic(fmt.Sprintf("htmlcheck: selector %q: %v", selector, err))
	}
	return group
}

func attr(n *html.Node, name string) (value string, ok bool) {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val, true
		}
	}
	return "", false
}

// show returns the start of the HTML of an element, for failure messages.
func show(n *html.Node) string {
	var b strings.Builder
	if err := html.Render(&b, n); err != nil {
		return err.Error()
	}
	return clip(b.String())
}

func clip(s string) string {
	const most = 2000
	if len(s) <= most {
		return s
	}
	return strings.ToValidUTF8(s[:most], "") + fmt.Sprintf(" ... (%d bytes more)", len(s)-most)
}
