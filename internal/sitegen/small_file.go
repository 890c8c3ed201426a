package sitegen

import (
	"fmt"
	"io"
	"io/fs"
	"os"

	"viewer/internal/encrypt"
	"viewer/internal/export"
	"viewer/internal/stats"
	"viewer/render"
)

// SinglePage draws sessions as one self-contained file.
func SinglePage(sessions ...render.Session) []byte {
	return render.DrawSingle(sessions).Pages[0].HTML
}

// EncryptPage encrypts a self-contained page. Whoever opens it is asked for the password.
func EncryptPage(page []byte, password string) ([]byte, error) {
	key, err := encrypt.NewKey(password)
	if err != nil {
		return nil, err
	}
	return key.Page(page)
}

// Exported returns a session in the form that exports take.
func Exported(s render.Session) export.Session {
	return export.Session{
		Conversation: s.Conversation, Project: s.Project.Name, Totals: stats.Of(s.Conversation, s.Prices),
		Spilled: s.Spilled, Redact: s.Redact, CostOf: stats.RequestCosts(s.Prices),
	}
}

// maxSmall limits the size of files of settings, prices, names or texts, in bytes.
const maxSmall = 64 << 20

// ReadSmall reads a small file that people write, or a pipe. A larger file is an error.
func ReadSmall(name string) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxSmall+1))
	if err == nil && len(data) > maxSmall {
		err = &fs.PathError{Op: "reading", Path: name, Err: fmt.Errorf("it has more than %d MB", maxSmall>>20)}
	}
	return data, err
}
