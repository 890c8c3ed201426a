package page

import (
	"testing"

	"viewer/internal/stats"
)

// TestNewModels: a model of which the log has only a sum does not have "0" requests.
func TestNewModels(t *testing.T) {
	counted := stats.Model{Name: "tern-1", Requests: 1200}
	counted.Usage.Input = 2
	rows := NewModels([]stats.Model{{Name: "tern-2"}, counted}, Exact)
	if len(rows) != 2 || rows[0].Requests != "1,200" || rows[1].Requests != "–" {
		t.Errorf("got %+v", rows)
	}
}
