// Package export converts a conversation for other programs and people: to Markdown, text, JSON, messages of an API
// request, a trajectory, traces, and data sets of chats. It never opens or prints anything.
package export
