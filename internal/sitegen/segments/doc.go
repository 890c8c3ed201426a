// Package segments keeps the terms of each session between the drawing of sessions and the writing of the search index,
// and from build to build. It never writes outside of the site, and does not depend on the layout of the index.
package segments
