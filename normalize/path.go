package normalize

import "viewer/internal/transcript"

// leftPaths separates the chain of records that ends with the last one from all others, each list in file order. It is
// for logs in which each record names the one before it, and in which nothing else marks an attempt that was taken
// back. A record whose parent is not in the file continues the one before it.
func leftPaths(messages []*Message) (main []*Message, left [][]*Message) {
	records, isLine := inOrder(messages)
	if isLine {
		return messages, nil
	}
	parent := parents(records)
	counts := make(map[*transcript.Record]bool, len(records))
	for r := records[len(records)-1]; r != nil && !counts[r]; r = parent[r] {
		counts[r] = true
	}
	first := make(map[*transcript.Record]*transcript.Record) // first record of a left path, by its records
	said := make(map[*transcript.Record]bool)                // has a prompt or an answer, by first record
	for _, m := range messages {
		if !counts[m.Record] {
			f := firstLeft(m.Record, parent, counts, first)
			said[f] = said[f] || m.Rule == "" && (m.Kind == Prompt || m.Record.Type == "assistant")
		}
	}
	index := make(map[*transcript.Record]int) // in left
	for _, m := range messages {
		f := first[m.Record]
		if f == nil || !said[f] {
			main = append(main, m)
			continue
		}
		i, ok := index[f]
		if !ok {
			i = len(left)
			index[f] = i
			left = append(left, nil)
		}
		left[i] = append(left[i], m)
	}
	return main, left
}

// inOrder returns the records of messages. isLine means that each one names the one before it, as in most files.
func inOrder(messages []*Message) (records []*transcript.Record, isLine bool) {
	isLine = true
	var last *transcript.Record
	for _, m := range messages {
		r := m.Record
		if r == last {
			continue
		}
		isLine = isLine && (last == nil || r.ParentUUID == last.UUID)
		last = r
		records = append(records, r)
	}
	return records, isLine
}

func parents(records []*transcript.Record) map[*transcript.Record]*transcript.Record {
	byID := make(map[string]*transcript.Record, len(records))
	for _, r := range records {
		if r.UUID != "" && byID[r.UUID] == nil {
			byID[r.UUID] = r
		}
	}
	parent := make(map[*transcript.Record]*transcript.Record, len(records))
	for i, r := range records {
		p := byID[r.ParentUUID]
		if (p == nil || p == r) && i > 0 {
			p = records[i-1]
		}
		if p != r {
			parent[r] = p
		}
	}
	return parent
}

// firstLeft returns the first record of the left path that a record is on. Parents may form a cycle in a damaged
// file.
func firstLeft(r *transcript.Record, parent map[*transcript.Record]*transcript.Record,
	counts map[*transcript.Record]bool, first map[*transcript.Record]*transcript.Record) *transcript.Record {
	var path []*transcript.Record
	at := r
	for {
		if f := first[at]; f != nil {
			at = f
			break
		}
		first[at] = at // a circle ends here
		path = append(path, at)
		next := parent[at]
		if next == nil || counts[next] {
			break
		}
		at = next
	}
	for _, p := range path {
		first[p] = at
	}
	return at
}
