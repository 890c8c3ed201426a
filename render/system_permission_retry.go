package render

import "strings"

var _ = register(systems, "permission_retry", "permission_retry", viewPermissionRetry)

type permissionRetry struct {
	line
	Commands *output
}

func viewPermissionRetry(e event) (permissionRetry, error) {
	var in struct{ Commands []text }
	if err := e.decode(&in); err != nil {
		return permissionRetry{}, err
	}
	var all []string
	for _, c := range in.Commands {
		all = append(all, string(c))
	}
	text := oneLine(e.Text, 160)
	if text == "" {
		text = "Allowed after asking again"
	}
	return permissionRetry{
		line:     line{Icon: "key", Text: text, Level: atTools, Look: "note"},
		Commands: e.d.plain(strings.Join(all, "\n")),
	}, nil
}
