// Package listing has sessions, groups and sums of them as tables for people and as values for JSON. It never prints,
// and reads no session.
package listing
