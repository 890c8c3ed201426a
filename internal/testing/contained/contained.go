// Package contained fails tests in which a panic was contained, because its effect would go unnoticed otherwise. It is
// never part of the program.
package contained

import (
	"fmt"
	"testing"

	"viewer/internal/markup"
	"viewer/internal/program"
)

// Run runs the tests of a package, and returns their exit code. It panics if a panic was contained and nothing else
// failed.
func Run(m *testing.M) int {
	code := m.Run()
	if n := markup.Recovered() + program.Recovered(); n > 0 && code == 0 {
		panic(fmt.Sprintf("%d panics were contained", n))
	}
	return code
}
