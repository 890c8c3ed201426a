// Package single draws sessions, reports and lists as one self-contained file. It never draws parts of sessions itself:
// it combines pages of package render.
package single
