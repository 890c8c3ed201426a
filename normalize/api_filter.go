package normalize

// dropVirtual drops messages that were only shown to people. It comes before merging, or they would be sent as part of
// a message of the user.
func dropVirtual(s *sending) {
	s.keep(func(e *entry) bool {
		if e.record.IsVirtual && (e.record.Type == "user" || e.record.Type == "assistant") {
			s.drop(whyVirtual, e.parts...)
			return false
		}
		return true
	})
}

// filterKinds keeps the parts of a request: user and assistant messages, attachments, and of the system records only
// local commands.
func filterKinds(s *sending) {
	s.keep(func(e *entry) bool {
		why := whyBooks
		switch r := e.record; {
		case isSyntheticError(e):
			why = whyError
		case (r.Type == "user" || r.Type == "assistant") && r.Message != nil,
			r.Type == "attachment" && r.Attachment != nil:
			return true
		case r.Type == "system" && r.Subtype == "local_command", isDelivered(e):
			return true
		case r.Type == "system":
			why = whySystem
		case r.Type == "progress":
			why = whyProgress
		}
		s.drop(why, e.parts...)
		return false
	})
}
