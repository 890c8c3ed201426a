// Package segments keeps the terms of each session between the drawing of sessions and the writing of the search index,
// and from build to build. It never leaves the folder of the site, and knows nothing of the layout of the index.
package segments
