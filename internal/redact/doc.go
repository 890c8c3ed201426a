// Package redact removes secrets and personal data from the records of a session, before anything is drawn.
//
// A [Redactor] has the rules. A [Session] applies them to the files of one session, one JSON value or text after the
// other, and remembers what it has replaced: the same secret is [github-token 1] everywhere in a session. The result
// is the same JSON except for the contents of strings and member names, so no later step has to know that something
// was removed.
//
// It is best effort: it finds what has a known shape, what follows a name such as TOKEN, and the contents of files
// that are made for secrets. It never does I/O, knows nothing of pages, and never reveals what it found: it returns
// counts by rule, not a value or a hash of one.
//
// # How a secret is found
//
// Each string is unescaped and searched once for some 2,000 words: prefixes of keys, names of secrets, home folders
// (package match). Where a word is found its detector examines the text around it:
//
//   - Rules with a shape, such as "ghp_ and 36 letters", are matched as runs of byte classes (match/shape.go). Most
//     are derived from the expressions of gitleaks (rules/README.md), our own are in rules/additional.go. A dozen
//     rules that have no such shape are matched by regexp against a small window.
//   - Assignments are parsed once for all rules (assignment.go, assigned_value.go, operator.go, quote.go,
//     unquoted.go); values may be on the lines below (below.go, table.go). The name decides how much the value has to
//     look like a secret (name.go, classify.go). After a name such as PASSWORD every value counts, except what is known
//     to be none: placeholders, variables, expressions (not_secret.go, expression.go).
//   - Files made for secrets (.env, .netrc ...) are in a table (secret_file.go). Their lines are recognized by the
//     file name in the tool call or the command, or beside or above them (shown_file.go, file_lines.go), or by a form
//     that nothing else has (file_form.go, key_lines.go). What commands such as "vault read" print is recognized by
//     the command (printed_secret.go).
//   - Random letters are distinguished from identifiers by how often their pairs occur in English (cross_entropy.go).
//   - A string that is base64 of a text, compressed or not, is decoded, redacted and encoded again (encoded.go).
//
// What was found once is found again wherever it is in the session (learned_word.go). When a secret is found
// late, the caller reads the files of the session again with all that is known ([Session.NextPass]), unless another
// pass of the texts before shows that they do not have it ([Session.Confirm]).
//
// A session can note where it found something ([Session.BeginPlaces]). Another session that is given the same values
// later, and more after them, searches only those that taught the first one something, and those that follow.
//
// # Limits
//
// No detector examines a part of a text twice, and expressions run over windows of bounded length. So the time for
// hostile text is at most a constant times that for ordinary text (BenchmarkHostile).
//
// To add a rule, add an entry to rules/additional.go; TestNothingSurvives makes secrets for it.
package redact
