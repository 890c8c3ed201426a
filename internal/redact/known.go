package redact

// Known counts what the session has shown so far: secrets, names, calls that
// read files made for secrets. While it stays the same, what was gone over in
// between has changed nothing for what follows.
func (s *Session) Revision() int { return len(s.markers) + len(s.names) + len(s.reading) }
