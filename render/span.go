package render

import (
	"time"

	"viewer/render/page"
)

type spanView struct{ Start, End page.Stamp }

func newSpan(start, end time.Time) spanView {
	if start.IsZero() {
		return spanView{}
	}
	v := spanView{Start: page.Moment(start)}
	if end.Sub(start) >= time.Minute {
		v.End = page.NewStamp(end, "", "15:04")
		if start.UTC().Format("2006-01-02") != end.UTC().Format("2006-01-02") {
			v.End = page.Moment(end)
		}
	}
	return v
}
