// Package prose draws texts of people and models: prompts as Markdown or as they were typed, with the rest of long ones
// folded. It never knows who wrote a text.
package prose
