package render

import (
	"fmt"
	"os"
	"testing"

	"viewer/internal/markup"
	"viewer/internal/program"
)

// A panic that is contained draws less or slower than it could, and nobody would see.
func TestMain(m *testing.M) {
	code := m.Run()
	if n := markup.Recovered() + program.Recovered(); n > 0 && code == 0 {
		fmt.Printf("FAIL: %d panics were contained\n", n)
		code = 1
	}
	os.Exit(code)
}
