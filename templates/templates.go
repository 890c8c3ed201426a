// Package templates embeds the templates of pages and fragments. It has no other
// code. A template shows the fields of a finished view and never decides anything.
package templates

import "embed"

//go:embed page partial tool system attachment record block
var FS embed.FS
