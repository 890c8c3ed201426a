package tools

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"viewer/internal/fields"
	"viewer/internal/markup"
)

func TestHunks(t *testing.T) {
	patch := []patchHunk{
		{OldStart: 7, NewStart: 8, Lines: []fields.Text{" a", "-b", "+c", "+d"}},
		{OldStart: 20, NewStart: 22, Lines: []fields.Text{"-e"}},
	}
	for _, c := range []struct {
		name           string
		patch          []patchHunk
		edits          [][2]string
		want           []markup.Hunk
		added, removed int
	}{
		{"the patch of the log has the real lines", patch, [][2]string{{"x", "y"}},
			[]markup.Hunk{
				{OldStart: 7, NewStart: 8, Lines: []string{" a", "-b", "+c", "+d"}},
				{OldStart: 20, NewStart: 22, Lines: []string{"-e"}},
			}, 2, 2},
		{"without one the texts are compared", nil, [][2]string{{"a\nb\n", "a\nc\n"}},
			[]markup.Hunk{{OldStart: 1, NewStart: 1, Lines: []string{" a", "-b", "+c"}}}, 1, 1},
		{"each edit is compared by itself", nil, [][2]string{{"a", "b"}, {"c", "d"}},
			[]markup.Hunk{
				{OldStart: 1, NewStart: 1, Lines: []string{"-a", "+b"}},
				{OldStart: 1, NewStart: 1, Lines: []string{"-c", "+d"}},
			}, 2, 2},
		{"nothing changes", nil, [][2]string{{"", ""}}, nil, 0, 0},
		{"there is nothing", nil, nil, nil, 0, 0},
		{"lines that are no text count as they are",
			[]patchHunk{{Lines: []fields.Text{"", "+", "-", "\\ No newline at end of file"}}}, nil,
			[]markup.Hunk{{Lines: []string{"", "+", "-", "\\ No newline at end of file"}}}, 1, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := hunks(c.patch, c.edits...)
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("hunks (-want +got):\n%s", diff)
			}
			ch := Change{Hunks: got}
			if ch.count(); ch.Added != c.added || ch.Removed != c.removed {
				t.Errorf("the change counts +%d −%d, want +%d −%d", ch.Added, ch.Removed, c.added, c.removed)
			}
		})
	}
}
