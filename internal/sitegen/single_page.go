package sitegen

import (
	"viewer/internal/encrypt"
	"viewer/internal/export"
	"viewer/internal/stats"
	"viewer/render"
	"viewer/render/single"
)

// SinglePage draws sessions as one self-contained file.
func SinglePage(sessions ...render.Session) []byte {
	return single.Draw(sessions).Pages[0].HTML
}

// PartPage draws the part of a session that the options select as one self-contained page. part describes it in words,
// "" for all of the session. The session is modified, and must not be drawn afterwards.
func PartPage(s render.Session, o export.Options, part string) ([]byte, error) {
	if part == "" {
		return SinglePage(s), nil
	}
	if err := export.Part(s.Conversation, o); err != nil {
		return nil, err
	}
	s.Part, s.Rows = part, o.Calls == export.CallRows
	s.Relations, s.Redacted, s.Secrets = nil, nil, nil
	return SinglePage(s), nil
}

// EncryptPage encrypts a self-contained page. It asks for the password when it is opened.
func EncryptPage(page []byte, password string) ([]byte, error) {
	key, err := encrypt.NewKey(password)
	if err != nil {
		return nil, err
	}
	return key.Page(page)
}

// Exported converts a session for package export.
func Exported(s render.Session) export.Session {
	return export.Session{
		Conversation: s.Conversation, Project: s.Project.Name, Totals: stats.Of(s.Conversation, s.Prices),
		Spilled: s.Spilled, Redact: s.Redact, CostOf: stats.RequestCosts(s.Prices),
	}
}
