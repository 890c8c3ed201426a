package codex

import (
	"encoding/hex"
	"strings"
	"time"

	"viewer/internal/sources"
)

// A replay is the history of another session, copied to the beginning of a session that continues it. Its lines have
// the time of the copy, and its turns the ids of the other session.
type replay struct {
	on bool
	at time.Time // when the copy began
}

// burst is more than the time that writing a copy takes, and less than that of any request.
const burst = time.Second

func (r *replay) begin(t *translator) { r.on, r.at = true, t.Time }

// see notes whether a line is the first of the session itself.
func (r *replay) see(t *translator, kind string) {
	was := r.on
	defer func() {
		if was && !r.on {
			t.told = settings{} // settings of the other session
		}
	}()
	if first := t.head.start; first > 0 && kind != "session_meta" { // paginated: the agent's own lines are numbered on
		r.on = t.line.Get("ordinal") != nil && sources.Number(t.line.Get("ordinal")) < first
		return
	}
	if !r.on {
		return
	}
	if id := t.payload.Text("turn_id"); id != "" {
		began, known := timeOf(t.head.id)
		if at, ok := timeOf(id); ok && known {
			r.on = at.Before(began)
			return
		}
	}
	if !r.at.IsZero() && t.Time.Sub(r.at) > 2*burst {
		r.on = false
	}
}

// hides reports whether a line is history that the parent session draws already.
func (r *replay) hides(t *translator) bool { return r.on && t.head.parent != "" }

// timeOf returns when a UUID of version 7 was made.
func timeOf(id string) (time.Time, bool) {
	if len(id) != 36 || id[14] != '7' {
		return time.Time{}, false
	}
	b, err := hex.DecodeString(strings.ReplaceAll(id[:13], "-", ""))
	if err != nil || len(b) != 6 {
		return time.Time{}, false
	}
	ms := int64(0)
	for _, c := range b {
		ms = ms<<8 | int64(c)
	}
	return time.UnixMilli(ms).UTC(), true
}
