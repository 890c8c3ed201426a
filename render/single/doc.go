// Package single draws sessions, reports and lists as one file that needs no other. It never draws a part of a session
// itself: it puts together what package render draws.
package single
