package render

var (
	_ = register(attachments, "date_change", "attached", viewDate)
	_ = register(attachments, "date", "attached", viewDate)
)

func viewDate(e event) (attached, error) {
	date := e.field("newDate")
	if date == "" {
		date = e.field("date")
	}
	return attached{line: quiet("clock", also("The model was told the date", oneLine(date, 40))),
		Rows: e.rest("newDate", "date")}, nil
}
