package render

import (
	"strings"

	"viewer/internal/fields"
)

// Types of decoded members, see package fields.
type (
	text   = fields.Text
	number = fields.Number
	truth  = fields.Bool
	extra  = fields.Extra
)

type list[T any] = fields.List[T]

var (
	decode       = fields.Decode
	appendMember = fields.AppendMember
)

// joined joins texts.
func joined(all []text, between string) string {
	var b strings.Builder
	for i, t := range all {
		if i > 0 {
			b.WriteString(between)
		}
		b.WriteString(string(t))
	}
	return b.String()
}
