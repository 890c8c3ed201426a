package droid

import (
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// settingsLine is the type of the line that Join adds to a log.
const settingsLine = "session_settings"

// Join finds the sessions that have settings, and adds what is read of these as the last line.
func (Source) Join(paths []string) []sources.Joined {
	var all []sources.Joined
	for i, p := range paths {
		stem, ok := strings.CutSuffix(p, settings)
		log, found := 0, false
		for _, ext := range [...]string{"", ".gz", ".zst"} {
			if !found {
				log, found = slices.BinarySearch(paths, stem+".jsonl"+ext)
			}
		}
		if !ok || !found {
			continue
		}
		all = append(all, sources.Joined{
			Files:   []int{log, i},
			Extends: true,
			Read: func(read func(string) ([]byte, error)) ([]byte, error) {
				data, err := read(paths[log])
				if err != nil {
					return nil, err
				}
				v, err := read(p)
				switch {
				case errors.Is(err, fs.ErrNotExist) || err == nil && !transcript.Valid(v):
					return data, nil
				case errors.Is(err, fs.ErrPermission): // the log has all messages
					return withSettings(data, "unread", jsontext.Value("true")), nil
				case err != nil:
					return nil, err
				}
				return withSettings(data, "model", transcript.Field(v, "model"),
					"tokenUsage", transcript.Field(v, "tokenUsage")), nil
			},
		})
	}
	return all
}

// withSettings returns a log with members of its settings.
func withSettings(log []byte, members ...any) []byte {
	return sources.WithLine(log, sources.Make(append([]any{"type", settingsLine}, members...)...))
}
