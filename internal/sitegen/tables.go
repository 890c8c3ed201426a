package sitegen

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"iter"
	"math/bits"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"viewer/internal/codec"
	"viewer/internal/facts"
	"viewer/internal/failure"
	"viewer/internal/fingerprint"
	"viewer/internal/sitegen/output"
	"viewer/render"
	"viewer/render/indexpages"
)

// Tables are split by the month in which sessions began. A month with many sessions is split again, by a hash of their
// folders. So a session that grows changes one part of each table. The rows of the calls of each session are stored
// next to its pages, so that a part can be written without reading the other sessions in it.

// tablesDir has a folder for each table.
const tablesDir = "facts"

// maxPart is about the maximum number of sessions in a part of a table. A larger month is split.
const maxPart = 512

// writeCalls writes the rows of the calls of the session, from which tables are made.
func (d *drawing) writeCalls(in render.Session) error {
	if !d.Tables || d.out == nil || d.end.Summary.Empty {
		return nil
	}
	own, err := d.openDir()
	if err != nil {
		return err
	}
	rows := facts.Keep(facts.CallsOf(in.Conversation, d.planned.PageOf))
	return d.writeFile(own, output.CallsName, rows, "", d.verify)
}

// A tablePart is the sessions of one part of the tables, in the order of its rows.
type tablePart struct {
	name     string
	sessions []int32 // of the indexed sessions
}

// tableParts assigns sessions to parts of about the given number of sessions. The result depends only on when they
// began and on their folders.
func tableParts(l *indexedSessions, number int) []tablePart {
	var parts []tablePart
	for _, month := range l.months() {
		cuts := bits.Len(uint((len(month.sessions) - 1) / number)) // number of times to halve
		byHash := make([][]int32, 1<<cuts)
		for _, session := range month.sessions {
			digest := fingerprint.Of([]byte(l.session(session).Folder))
			i := binary.BigEndian.Uint64(digest[:]) >> 1 >> (63 - cuts)
			byHash[i] = append(byHash[i], session)
		}
		for i, some := range byHash {
			name := month.name
			if cuts > 0 {
				name = fmt.Sprintf("%s-%dof%d", month.name, i+1, len(byHash))
			}
			if len(some) > 0 {
				some = l.order(some, func(a, b indexpages.Listed) int { return 0 })
				parts = append(parts, tablePart{name, some})
			}
		}
	}
	slices.SortFunc(parts, func(a, b tablePart) int { return strings.Compare(a.name, b.name) })
	return parts
}

// key returns a hash of the content of the part.
func (p *tablePart) key(sessions []indexed) fingerprint.Digest {
	e := make(codec.Encoder, 0, 64*len(sessions))
	for _, k := range sessions {
		e.Text(k.Folder)
		e.Digest(k.Key)
		e.Digest(k.SummaryKey())
	}
	return fingerprint.Of(e)
}

// writeTables writes the parts of the tables that have changed.
func (b *indexBuild) writeTables() error {
	if !b.Tables {
		return nil
	}
	for _, p := range tableParts(b.list, cmp.Or(b.partSessions, maxPart)) {
		sessions := b.list.sessions(p.sessions)
		if err := b.list.failed(); err != nil {
			return err
		}
		key := p.key(sessions)
		names := []string{tablesDir + "/sessions/" + p.name + ".parquet", tablesDir + "/calls/" + p.name + ".parquet"}
		same := b.out.Intact(names...)
		for _, name := range names {
			b.setIndexKey(name, key)
			same = same && b.isKnown(name, key)
		}
		if same {
			b.out.Keep(names...)
			continue
		}
		rows := make([]facts.Session, len(sessions))
		for i, k := range sessions {
			rows[i] = facts.SessionOf(k.listSummary())
		}
		var table bytes.Buffer
		if err := facts.Parquet().WriteSessions(&table, rows); err != nil {
			return fmt.Errorf("encoding %s: %w", names[0], err)
		}
		if err := b.out.Write(names[0], table.Bytes()); err != nil {
			return err
		}
		table.Reset()
		if err := facts.Parquet().WriteCalls(&table, b.calls(sessions, rows)); err != nil {
			return err
		}
		if err := b.out.Write(names[1], table.Bytes()); err != nil {
			return err
		}
	}
	return nil
}

// calls yields the rows of the calls of a part, session by session. Some are read ahead, because in a bucket each is a
// request.
func (b *builder) calls(sessions []indexed, rows []facts.Session) iter.Seq2[[]facts.Call, error] {
	return func(yield func([]facts.Call, error) bool) {
		const ahead = 32
		for first := 0; first < len(rows); first += ahead {
			some := rows[first:min(first+ahead, len(rows))]
			calls := make([][]facts.Call, len(some))
			var group errgroup.Group
			for i := range some {
				group.Go(func() (err error) {
					name := "s/" + sessions[first+i].Folder + "/" + output.CallsName
					data, err := b.out.ReadFile(name)
					if err == nil {
						calls[i], err = facts.Kept(data, &some[i])
					}
					if err != nil {
						return failure.New(fmt.Errorf("reading %s: %w", name, failure.Cause(err)),
							"build again with --force")
					}
					return nil
				})
			}
			if err := group.Wait(); err != nil {
				yield(nil, err)
				return
			}
			for _, one := range calls {
				if !yield(one, nil) {
					return
				}
			}
		}
	}
}
