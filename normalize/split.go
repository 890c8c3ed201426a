package normalize

import (
	"iter"

	"viewer/internal/transcript"
)

// Split returns one message for each block of the chat records, and one for each other record, in file order. It is
// normalizeMessages of Claude Code: once a record has been split, it and all later chat records get derived ids
// (isNewChain), so that ids are unique.
func Split(records []*transcript.Record) []*Message {
	messages := make([]Message, 0, len(records)+len(records)/8)
	isNewChain := false
	for _, r := range records {
		blocks := content(r)
		if len(blocks) == 0 {
			messages = append(messages, Message{Record: r, ID: r.UUID})
			continue
		}
		isNewChain = isNewChain || len(blocks) > 1
		for i := range blocks {
			id := r.UUID
			if isNewChain {
				id = deriveUUID(r.UUID, i)
			}
			messages = append(messages, Message{Record: r, Part: i, Block: &blocks[i], ID: id})
		}
	}
	split := make([]*Message, len(messages))
	for i := range messages {
		split[i] = &messages[i]
	}
	return split
}

// ByRecord yields the messages of each record, which are next to each other.
func ByRecord(messages []*Message) iter.Seq[[]*Message] {
	return func(yield func([]*Message) bool) {
		for len(messages) > 0 {
			n := 1
			for n < len(messages) && messages[n].Record == messages[0].Record {
				n++
			}
			if !yield(messages[:n:n]) {
				return
			}
			messages = messages[n:]
		}
	}
}

// content returns the blocks of a chat record, none for any other.
func content(r *transcript.Record) []transcript.Block {
	if r.Message == nil || r.Type != "user" && r.Type != "assistant" {
		return nil
	}
	return r.Message.Content
}
