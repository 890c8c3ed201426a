package normalize

import (
	"slices"

	"viewer/internal/transcript"
)

// missingResult is the placeholder for a lost result.
const missingResult = "[Tool result missing due to internal error]"

// pairCalls puts the result of every call into the message that follows, with a placeholder if there is none, and drops
// results without a call (ensureToolResultPairing). Results come first in their message, as the API demands.
func pairCalls(s *sending) {
	dropTrailingThinking(s)
	results := matchResults(s)
	var paired []*entry
	for i, e := range s.entries {
		if e.role == "user" {
			if e.blocks = withoutResults(e.blocks); len(e.blocks) > 0 {
				paired = append(paired, e)
			}
			continue
		}
		if len(e.blocks) == 0 {
			continue
		}
		paired = append(paired, e)
		answers := answer(e, results)
		if len(answers) == 0 {
			continue
		}
		if i+1 < len(s.entries) && s.entries[i+1].role == "user" {
			next := s.entries[i+1]
			// The results go to an entry before the current one.
			paired = append(paired, &entry{record: next.record, parts: next.parts, role: "user", blocks: answers})
			continue
		}
		paired = append(paired, &entry{record: e.record, role: "user", blocks: answers})
	}
	s.entries = paired
}

// answer returns the results of the calls of a message in the order of the log, followed by placeholders.
func answer(e *entry, results map[*Message]found) []APIBlock {
	var all []found
	var missing []APIBlock
	for _, b := range e.blocks {
		if b.Type != "tool_use" {
			continue
		}
		if r, ok := results[b.From]; ok {
			all = append(all, r)
			continue
		}
		missing = append(missing, APIBlock{
			Block: &transcript.Block{Type: "tool_result", ToolUseID: b.ID, IsError: true, Plain: true, Content: missingContent},
			For:   b.From,
		})
	}
	slices.SortFunc(all, func(a, b found) int { return a.at - b.at })
	var blocks []APIBlock
	for _, r := range all {
		blocks = append(blocks, r.block)
	}
	return append(blocks, missing...)
}

// missingContent is shared by all placeholders, since a session may have many.
var missingContent = textBlocks(missingResult)

// found is a result with its index.
type found struct {
	at    int
	block APIBlock
}

func withoutResults(blocks []APIBlock) []APIBlock {
	var others []APIBlock
	for _, b := range blocks {
		if b.Type != "tool_result" {
			others = append(others, b)
		}
	}
	return others
}

// matchResults finds the result of each call, wherever it is: results of long calls come after other messages, and some
// files have them before the call. It drops calls that repeat an id, and results without a call.
func matchResults(s *sending) map[*Message]found {
	calls := make(map[string]*Message, len(s.entries)/2)
	for _, e := range s.entries {
		if e.role != "assistant" {
			continue
		}
		var kept []APIBlock
		for _, b := range e.blocks {
			if b.Type == "tool_use" {
				if calls[b.ID] != nil {
					s.drop(whyTwice, b.From)
					continue
				}
				calls[b.ID] = b.From
			}
			kept = append(kept, b)
		}
		e.blocks = kept
	}
	results := make(map[*Message]found, len(calls))
	for _, e := range s.entries {
		if e.role != "user" {
			continue
		}
		for _, b := range e.blocks {
			if b.Type != "tool_result" {
				continue
			}
			call := calls[b.ToolUseID]
			_, answered := results[call]
			switch {
			case call == nil:
				s.drop(whyOrphan, b.From)
			case answered:
				s.drop(whyAnswered, b.From)
			default:
				results[call] = found{len(results), b}
			}
		}
	}
	return results
}

// dropTrailingThinking drops thinking at the end of a message, which the API refuses. It comes from interrupted
// streams.
func dropTrailingThinking(s *sending) {
	for _, e := range s.entries {
		if e.role != "assistant" {
			continue
		}
		for n := len(e.blocks); n > 0; n-- {
			b := e.blocks[n-1]
			if b.Type != "thinking" && b.Type != "redacted_thinking" {
				break
			}
			s.drop(whyThinking, b.From)
			e.blocks = e.blocks[:n-1]
		}
	}
}
