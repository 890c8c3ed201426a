// Package export writes a conversation in forms that other programs read. It
// is pure: it opens nothing, prints nothing and draws nothing.
package export
