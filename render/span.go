package render

import "time"

type spanView struct{ Start, End stamp }

func newSpan(start, end time.Time) spanView {
	if start.IsZero() {
		return spanView{}
	}
	v := spanView{Start: moment(start)}
	if end.Sub(start) >= time.Minute {
		v.End = newStamp(end, "", "15:04")
		if start.UTC().Format("2006-01-02") != end.UTC().Format("2006-01-02") {
			v.End = moment(end)
		}
	}
	return v
}
