package render

var _ = register(tools, "ToolSearch", "text", viewToolSearch)

type toolSearch struct {
	row
	Output *output
}

func viewToolSearch(c call) (toolSearch, error) {
	var in struct {
		Query text
		extra
	}
	if err := c.input(&in); err != nil {
		return toolSearch{}, err
	}
	v := toolSearch{row: row{Icon: "find", Label: "Find tools", More: c.d.fields(in.Rest)}}
	c.about(&v.row, "query", string(in.Query), 160)
	var res struct {
		Matches            []text
		TotalDeferredTools number
	}
	switch {
	case c.failed():
	case c.result(&res):
		v.Output = c.d.files(res.Matches)
		found := plural(len(res.Matches), "tool", "tools")
		if res.TotalDeferredTools > 0 {
			found += " of " + count(int(res.TotalDeferredTools))
		}
		v.Facts = facts(found)
	default:
		v.Output = c.d.plain(c.text())
	}
	return v, nil
}
