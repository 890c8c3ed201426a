package sources

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"time"

	"viewer/internal/transcript"
)

// Facts are what must be known of a session file before the first session of its project is drawn. All are optional.
type Facts struct {
	Writer   string // the name of the source, "" for Claude Code
	CWD      string // the folder in which the session was started; names its project
	CWDHash  string // a hash of that folder, in case CWD was redacted
	MainHash string // a hash of the main work tree, if the path of CWD names it, see WorktreeOf
	// Repository is a hash of the repository that CWD belongs to, if the log names it, see HashRepository.
	Repository string
	SessionID  string
	Parent     string            // the session that started this agent, if the file is the log of an agent
	Lineage    string            // the session that this one was first resumed from
	Plan       string            // the session that made the plan which this one carries out
	FirstUUID  string            // uuid of the first record that has one
	Team       string            // the name of the team, for a session of a member of one
	Member     string            // the name of the member
	Elsewhere  []string          // records of other files that compactions continue from, at most MaxElsewhere
	Summaries  map[string]string // titles, by the uuid of the record that they describe
	Start      time.Time         // the first time in the file, UTC
	End        time.Time         // the latest, never before Start
}

// MaxElsewhere limits how many records of other files are noted in Facts.Elsewhere, in the order in which compactions
// name them. Real sessions have a handful.
const MaxElsewhere = 100

// A Scan looks for facts in a file, piece by piece. It keeps nothing of a piece after the call.
type Scan interface {
	// Lines reads the next lines of the file. Only the last line of the file may lack its line end.
	Lines(lines []byte)
	// Unsure reports that all lines so far must be read a second time, by Again: the scan learned late what to look
	// for.
	Unsure() bool
	Again(lines []byte)
	// Checked ends the second reading.
	Checked()
	// Facts returns the facts found so far. Use FactsOf to get them.
	Facts() Facts
	// Resumable reports whether lines that are appended later can be read where this scan ended.
	Resumable() bool
	// Clone returns an independent copy of the scan.
	Clone() Scan
}

// FactsOf returns the facts that a scan found so far, with those that follow from them.
func FactsOf(s Scan) Facts {
	f := s.Facts()
	f.CWDHash = HashCWD(f.CWD)
	if f.End.Before(f.Start) {
		f.End = f.Start
	}
	return f
}

// ScanAll scans a whole file.
func ScanAll(s Scan, data []byte) Facts {
	s.Lines(data)
	if s.Unsure() {
		s.Again(data)
		s.Checked()
	}
	return FactsOf(s)
}

// HashCWD returns a hash of a folder, so that a published site need not name it; "" for no folder. Windows ignores
// case.
func HashCWD(cwd string) string {
	if cwd == "" {
		return ""
	}
	if transcript.IsWindows(cwd) {
		cwd = strings.ToLower(cwd)
	}
	sum := sha256.Sum256([]byte("cwd\x00" + cwd))
	return hex.EncodeToString(sum[:8])
}
