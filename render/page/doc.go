// Package page has what all pages of a site are made with: the templates, the head, links, times and figures.
// It never knows what a page is about.
package page
