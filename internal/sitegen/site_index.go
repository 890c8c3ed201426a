package sitegen

import (
	"context"
	"encoding/json"
	"os"
	"strings"

	"viewer/internal/search"
	"viewer/internal/sitedata"
	"viewer/internal/sitegen/output"
	"viewer/internal/sitegen/state"
)

// IsSite reports whether a folder holds a site of this program.
func IsSite(dir string) bool { return output.IsSite(dir) }

// FreshIndex returns the index of the site in o.Out if a build with these options would not change it, else nil.
func FreshIndex(ctx context.Context, o Options) (*search.Index, error) {
	if !output.IsSite(o.Out) {
		return nil, nil
	}
	if err := o.ready(); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(o.Out)
	if err != nil {
		return nil, nil // treated as no site
	}
	out := output.New(o.Out, root)
	defer out.Close()
	s := state.Read(out, o.base())
	var report Report
	if json.Unmarshal([]byte(s.Report), &report) != nil || report.Kept > 0 || !report.isOf(o.Filter) {
		return nil, nil
	}
	v, err := findSessions(ctx, o)
	if err != nil {
		return nil, err
	}
	defer v.close()
	if files := v.files(); len(files) != len(s.Files) || !unchanged(s, files) {
		return nil, nil
	}
	for i := range s.Outputs.Files {
		k := &s.Outputs.Files[i]
		if (strings.HasPrefix(k.Name, search.Folder) || search.IsUnit(k.Name)) && !out.IsIntact(k) {
			return nil, nil
		}
	}
	return sitedata.Index(o.Out)
}
