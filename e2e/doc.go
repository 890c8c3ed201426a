// Package e2e opens the pages of a built site from disk in a real browser and tests what only a browser knows:
// messages, requests, overflow, levels, folding, links, keys, search, copies, contrast, paper. It never uses the
// network.
//
// Axe-core and the validator of the W3C check the pages too: .ci/checkers downloads them; without them their tests
// are skipped, except in continuous integration. It is a module of its own, so that users of viewer do not download
// its dependencies.
//
// Tests run in parallel, each in its own tabs: a browser waits half of the time, for the next frame or for a file.
// Tests that measure time, or wait for a program that keeps running, run one after the other.
//
//	go test ./...                                       the site of ../testdata/projects
//	go test ./... -run 'TestSite' -source ~/.claude/projects
package e2e
