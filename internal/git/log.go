package git

import (
	"context"
	"strconv"
	"strings"
	"time"
)

// A Logged is a commit of a log.
type Logged struct {
	Hash, Subject string
	Time          time.Time // of the author
}

// maxCommits limits how many commits of a range are looked up.
const maxCommits = 10_000

// Log returns the commits of a range, or a single named commit.
func Log(ctx context.Context, dir, revisions string) ([]Logged, error) {
	args := []string{"log", "--format=%H %at %s", "-n", strconv.Itoa(maxCommits)}
	if !strings.Contains(revisions, "..") {
		args = append(args, "--no-walk")
	}
	out, err := Run(ctx, Read, dir, append(args, "--end-of-options", revisions, "--")...)
	if err != nil {
		return nil, err
	}
	var all []Logged
	for line := range strings.Lines(out) {
		cells := strings.SplitN(strings.TrimSuffix(line, "\n"), " ", 3)
		if len(cells) != 3 {
			continue
		}
		if seconds, err := strconv.ParseInt(cells[1], 10, 64); err == nil {
			all = append(all, Logged{cells[0], cells[2], time.Unix(seconds, 0)})
		}
	}
	return all, nil
}
