// Package templates embeds the page and fragment templates. It holds no code:
// a template shows the fields of a finished view and decides nothing.
package templates

import "embed"

//go:embed page partial tool system attachment record block
var FS embed.FS
