package sitegen

import (
	"path"
	"path/filepath"
	"slices"

	"viewer/internal/smallfile"
	"viewer/internal/sources"
	"viewer/internal/sources/all"
)

// maxTitles limits how much of a list of titles is read, in bytes.
const maxTitles = 16 << 20

// A titlesFile is a list of the titles of many sessions, and its source.
type titlesFile struct {
	file
	list sources.TitleList
}

// findTitles finds the lists of titles that agents keep in their folders of sessions or next to them.
func (v *survey) findTitles() {
	for _, src := range v.sources {
		if src.Missing || src.Root == nil && src.Archive == nil || src.Only != "" {
			continue
		}
		for _, writer := range src.SourceList() {
			list, ok := writer.(sources.TitleList)
			if !ok {
				continue
			}
			at, name := src, list.TitlesFile(src.Base())
			if path.Dir(name) == ".." { // nothing else in the parent folder is read
				if at = src.Outside(); at == nil {
					continue
				}
				v.around = append(v.around, at)
			}
			name = path.Base(name)
			if stamp, regular, err := at.StampOf(name); err == nil && regular {
				v.titleFiles = append(v.titleFiles, titlesFile{newFile(at, name, stamp), list})
			}
		}
	}
}

// TitlesAround returns the lists of titles that agents keep next to a folder of sessions, and not in it, whether they
// exist or not. Without folders, it takes the usual ones.
func TitlesAround(folders []string) []string {
	if len(folders) == 0 {
		folders = UsualSources()
	}
	var files []string
	for _, folder := range folders {
		for _, writer := range all.Sources {
			list, ok := writer.(sources.TitleList)
			if !ok {
				continue
			}
			if name := list.TitlesFile(filepath.Base(folder)); path.Dir(name) == ".." {
				files = append(files, filepath.Join(folder, filepath.FromSlash(name)))
			}
		}
	}
	slices.Sort(files)
	return slices.Compact(files)
}

// titles returns the titles of all lists, by the name of the writer and the id of the session.
func (v *survey) titles() map[[2]string]string {
	all := make(map[[2]string]string)
	for _, f := range v.titleFiles {
		for id, title := range f.list.TitlesIn(smallfile.WithoutMark(f.begin(maxTitles))) {
			all[[2]string{f.list.Writer().Name, id}] = title
		}
	}
	return all
}
