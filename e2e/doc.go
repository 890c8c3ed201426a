// Package e2e opens the pages of a built site from disk in a real browser and looks at what only a
// browser knows: messages, requests, overflow, levels, folding, deep links. It is a module of its own, so
// that users of the viewer do not download its dependencies, and it never goes to the network.
//
//	go test ./...                                       the site of ../testdata/projects
//	go test ./... -run 'TestSite' -source ~/.claude/projects
package e2e
