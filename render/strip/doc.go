// Package strip draws the strip over a conversation: the context of requests, calls and prompts along the time. It
// never reads the JSON of records.
package strip
