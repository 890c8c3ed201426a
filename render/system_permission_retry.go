package render

import (
	"cmp"
	"strings"
)

var _ = register(systems, "permission_retry", "permission_retry", viewPermissionRetry)

type permissionRetry struct {
	line
	Rows     []field // the part that the line cuts off
	Commands *output
}

func viewPermissionRetry(e event) (permissionRetry, error) {
	var in struct{ Commands []text }
	if err := e.decode(&in); err != nil {
		return permissionRetry{}, err
	}
	text := cmp.Or(oneLine(e.Text, 160), "Allowed after asking again")
	v := permissionRetry{
		line:     line{Icon: "key", Text: text, Level: atTools, Look: "note"},
		Commands: e.d.plain(joined(in.Commands, "\n")),
	}
	if said := strings.TrimSpace(e.Text); said != "" && said != text {
		v.Rows = append(v.Rows, e.d.said("said", said))
	}
	return v, nil
}
