package facts

import (
	"bytes"
	"errors"

	"viewer/internal/codec"
)

// The rows of the calls of a session are kept between builds, so that a table can be written without reading sessions
// that have not changed.

// keptMagic changes with the format of the kept rows.
const keptMagic = "viewer calls 1\n"

var errDamaged = errors.New("it is damaged")

// Keep encodes the rows of one session.
func Keep(rows []Call) []byte {
	e := append(make(codec.Encoder, 0, 64+128*len(rows)), keptMagic...)
	e.Int(int64(len(rows)))
	for i := range rows {
		r := &rows[i]
		e.Text(r.texts()...)
		e.Int(r.Turn, r.Time, r.Milliseconds, r.Added, r.Removed)
		e.Bool(r.TakenBack)
	}
	return e
}

func (r *Call) texts() []string {
	return []string{
		r.Link, r.Subagent, r.SubagentType, r.Model, r.Tool, r.Action, r.Target, r.Path, r.Command, r.State, r.Exit,
	}
}

// Kept decodes the kept rows of a session and completes them with columns of its row.
func Kept(data []byte, of *Session) ([]Call, error) {
	data, ok := bytes.CutPrefix(data, []byte(keptMagic))
	if !ok {
		return nil, errDamaged
	}
	d := codec.Decoder{Rest: string(data)}
	rows := make([]Call, d.Count())
	folder := of.Page[:len(of.Page)-len("index.html")]
	for i := range rows {
		r := &rows[i]
		for _, to := range []*string{
			&r.Link, &r.Subagent, &r.SubagentType, &r.Model, &r.Tool, &r.Action, &r.Target, &r.Path, &r.Command,
			&r.State, &r.Exit,
		} {
			*to = d.Text()
		}
		for _, to := range []*int64{&r.Turn, &r.Time, &r.Milliseconds, &r.Added, &r.Removed} {
			*to = d.Int()
		}
		r.TakenBack = d.Bool()
		r.Page, r.ID, r.Project, r.Agent = of.Page, of.ID, of.Project, of.Agent
		r.Link = folder + r.Link
	}
	if d.Short || len(d.Rest) > 0 {
		return nil, errDamaged
	}
	return rows, nil
}
