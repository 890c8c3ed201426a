package all

import (
	"viewer/internal/sources"
	"viewer/internal/sources/claude"
)

// Sources are asked in this order whose a file is. Claude Code is the last: it has what no other claims.
var Sources = sources.List{
	claude.Source{},
}
