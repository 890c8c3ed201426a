// Package redact takes secrets and personal data out of the records of a session, before anything is drawn.
//
// A Redactor knows the rules; a Session applies them to the files of one session, one JSON value or text
// after the other, and remembers what it has replaced: the same secret is [github-token 1] everywhere in a
// session. What comes out is the same JSON but for the insides of strings and member names.
//
// It is best effort: it finds what has a known shape, what stands behind a telling name, and what comes out of
// files that are made for secrets. It does no I/O, knows nothing of pages, and keeps what it found to itself: it
// gives away counts by rule, never a value or a hash of one.
package redact
