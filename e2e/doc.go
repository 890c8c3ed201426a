// Package e2e opens the pages of a built site from disk in a real browser, and tests what needs a browser: console
// messages, requests, overflow, levels, folding, links, keys, search, copying, contrast, printing. It never uses the
// network.
//
// Most tests run in Chromium, with chromedp. The tests of pages also run in Firefox (TestFirefox), which has the
// protocol WebDriver BiDi: a connection with JSON messages, of which the tests need a dozen commands (bidi_test.go).
// There is no maintained library for it in Go, and one for Node would bring thirty packages and a second language.
// Where the protocol has no command, as for colour schemes, touch, and pages without script, the tests set properties
// of the browser's own window. Preferences that Firefox sets under remote control are turned off, because they let
// files read each other. Each Firefox is used by one test at a time, because only one of its windows has the focus.
//
// Axe-core and the validator of the W3C check the pages too. .ci/checkers downloads them; without them their tests are
// skipped, except in continuous integration. The package is a separate module, so that users of viewer do not download
// its dependencies.
//
// Tests run in parallel, each in its own tabs, because a browser waits half of the time, for the next frame or for a
// file. Tests that measure time, or wait for a program that keeps running, run one after the other.
//
//	go test ./...                                       the site of ../testdata/projects
//	go test ./... -run 'TestFirefox/Find'
//	go test ./... -run 'TestSite' -source ~/.claude/projects
package e2e
