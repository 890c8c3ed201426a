// Package e2e opens the pages of a built site from disk in a real browser and looks at what only a
// browser knows: messages, requests, overflow, levels, folding, links, keys, search, copies, contrast, paper.
// axe-core and the validator of the W3C look with it: .ci/checkers fetches them, and without them their tests
// are skipped, but not in continuous integration. It is a module of its own, so that users of the viewer do
// not download its dependencies, and it never goes to the network.
//
// Tests run beside each other, each in tabs of its own: a browser waits half of the time, for the next frame or for a
// file. Those that print how long something takes, or wait for a program that goes on, run one after the other.
//
//	go test ./...                                       the site of ../testdata/projects
//	go test ./... -run 'TestSite' -source ~/.claude/projects
package e2e
