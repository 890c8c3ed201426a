// Package atif reads trajectories in the Agent Trajectory Interchange Format, which Harbor and related programs write
// for many agents: one JSON document of steps, which may contain those of other agents. It never opens a file.
package atif

import (
	"path"
	"strings"

	"viewer/internal/sources"
	"viewer/internal/transcript"
)

// A Source reads trajectories, whatever program wrote them.
type Source struct{ sources.Defaults }

var _ sources.Source = Source{}

// Writer reports that trajectories do not tell what the model was sent.
func (Source) Writer() transcript.Writer { return transcript.Writer{Name: "ATIF", NotSent: true} }

// Wants accepts documents.
func (Source) Wants(p string) bool { return path.Ext(p) == ".json" }

// Arrange returns the trajectories of Harbor's trials, which all have the same name. A job is a folder, and a session
// is named after its trial. Any other file is a separate session.
func (s Source) Arrange(tree *sources.Tree) []sources.Folder {
	if tree.Only != "" {
		return nil
	}
	var folders []sources.Folder
	places := make(map[string]int) // indexes of folders, by the folder of the job
	for i, p := range tree.Paths {
		stem, ok := strings.CutPrefix(sources.Stem(p), "trajectory")
		trial, inAgent := strings.CutSuffix(sources.Dir(p), "/agent")
		if !ok || !inAgent || !s.Wants(p) || tree.Taken(i) || !tree.Matches(s, p) {
			continue
		}
		job := sources.Dir(trial)
		at, known := places[job]
		if !known {
			at = len(folders)
			places[job] = at
			folders = append(folders, sources.Folder{Name: tree.NameOf(job)})
		}
		id := path.Base(trial) + strings.ReplaceAll(stem, ".", "-")
		folders[at].Sessions = append(folders[at].Sessions, sources.Session{ID: id, Log: i, Path: p})
	}
	return folders
}

// Match accepts documents that name their version of the format.
func (Source) Match(head sources.Head) bool {
	return strings.HasPrefix(transcript.String(head.Value("schema_version")), "ATIF-")
}

// NewTranslator returns a translator for one file.
func (Source) NewTranslator() sources.Translator { return new(translator) }
