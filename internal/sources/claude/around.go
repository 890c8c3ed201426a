package claude

import (
	"cmp"
	"encoding/json"
	"path"
	"slices"
	"strings"
	"time"
	"unicode/utf16"

	"viewer/internal/sources"
)

// What Claude Code keeps beside the folder of all projects: the prompts of all sessions, pasted texts, pictures, files
// as they were before edits, plans and lists of tasks.
const (
	projectsFolder = "projects"
	historyFile    = "history.jsonl"
)

var aroundProjects = []string{
	"../" + historyFile, "../paste-cache", "../image-cache", "../file-history", "../plans", "../todos", "../tasks",
}

// Around returns the files and folders beside the folder of all projects.
func (Source) Around(folder string) []string {
	if folder != projectsFolder {
		return nil
	}
	return aroundProjects
}

// Prompts returns the sessions in the history of prompts whose logs are gone.
func (Source) Prompts(name string, data []byte, has func(id string) bool) []sources.PromptLog {
	if path.Base(name) != historyFile {
		return nil
	}
	type prompt struct {
		Display   string
		Project   string
		SessionID string
		Timestamp json.Number
	}
	logs := make(map[string]*sources.PromptLog)
	for line := range strings.Lines(string(data)) {
		var p prompt
		if json.Unmarshal([]byte(line), &p) != nil || p.SessionID == "" || has(p.SessionID) ||
			strings.ContainsAny(p.SessionID, "/\\\x00") || strings.Trim(p.SessionID, ".") == "" {
			continue
		}
		log := logs[p.SessionID]
		if log == nil {
			log = &sources.PromptLog{ID: p.SessionID, Path: folderName(p.Project) + "/" + p.SessionID + logExt}
			log.Log = add(log.Log, fields{
				"type": "system", "subtype": "informational", "level": "warning", "sessionId": p.SessionID,
				"cwd":     p.Project,
				"content": "The log of this session is gone. These are its prompts, as " + historyFile + " has them.",
			})
			logs[p.SessionID] = log
		}
		r := fields{
			"type": "user", "sessionId": p.SessionID, "cwd": p.Project,
			"message": fields{"role": "user", "content": p.Display},
		}
		if ms, err := p.Timestamp.Int64(); err == nil && ms > 0 {
			log.Last = time.UnixMilli(ms).UTC()
			r["timestamp"] = log.Last.Format(time.RFC3339Nano)
		}
		log.Log = add(log.Log, r)
	}
	all := make([]sources.PromptLog, 0, len(logs))
	for _, log := range logs {
		all = append(all, *log)
	}
	slices.SortFunc(all, func(a, b sources.PromptLog) int { return cmp.Compare(a.Path, b.Path) })
	return all
}

type fields map[string]any

// add appends a record to a log. Its members are in the order of their names.
func add(log []byte, r fields) []byte {
	data, err := json.Marshal(r)
	if err != nil { // strings always have a JSON form
		panic(err)
	}
	return append(append(log, data...), '\n')
}

// folderName returns the name that Claude Code gives the folder of a project.
func folderName(project string) string {
	var b strings.Builder
	for _, unit := range utf16.Encode([]rune(project)) {
		if unit < 128 && (unit >= '0' && unit <= '9' || unit >= 'A' && unit <= 'Z' || unit >= 'a' && unit <= 'z') {
			b.WriteByte(byte(unit))
		} else {
			b.WriteByte('-')
		}
	}
	return cmp.Or(b.String(), "-")
}
