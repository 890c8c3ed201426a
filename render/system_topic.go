package render

// The topic of the next part of the session, in the words of the model: a heading at all levels.
var _ = register(systems, "topic", "bare", viewTopic)

func viewTopic(e event) (recordEvent, error) {
	var in struct{ Content text }
	if err := e.decode(&in); err != nil {
		return recordEvent{}, err
	}
	return recordEvent{line: line{Text: topicWords(string(in.Content)), Look: "head"}}, nil
}

// topicWords returns a topic for the heading and the outline.
func topicWords(s string) string { return oneLine(s, 160) }
