// Package prose draws what people and models wrote: prompts as Markdown or as they were typed, and where a long text is
// folded. It never knows who wrote a text.
package prose
