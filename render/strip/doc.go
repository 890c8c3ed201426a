// Package strip draws the strip above a conversation: the context of requests, calls and prompts over time. It never
// reads the JSON of records.
package strip
