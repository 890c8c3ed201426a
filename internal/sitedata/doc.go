// Package sitedata reads the data of a site that was built: the facts of its sessions and its search index. It never
// writes, and knows neither the sources of the site nor how it was built.
package sitedata
