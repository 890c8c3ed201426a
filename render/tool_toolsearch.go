package render

var _ = register(tools, "ToolSearch", "text", viewToolSearch)

type toolSearch struct {
	row
	Output *output
}

func viewToolSearch(c call) (toolSearch, error) {
	var in struct {
		Query      text
		MaxResults number
		extra
	}
	if err := c.input(&in); err != nil {
		return toolSearch{}, err
	}
	v := toolSearch{row: row{Icon: "find", Label: "Find tools", Target: oneLine(string(in.Query), 160), More: fields(in.Rest)}}
	var res struct {
		Matches            []text
		TotalDeferredTools number
	}
	switch {
	case c.failed():
	case c.result(&res):
		v.Output = c.d.files(res.Matches)
		v.Facts = facts(plural(len(res.Matches), "tool", "tools") + " of " + count(int(res.TotalDeferredTools)))
	default:
		v.Output = c.d.plain(c.text())
	}
	return v, nil
}
