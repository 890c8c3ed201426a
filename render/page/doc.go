// Package page has the common parts of all pages of a site: templates, the head, links, times and figures. It never
// knows what a page is about.
package page
