// Package plaingit lets tests run git without the settings of the user, such as signed commits. It never runs git
// itself, and is for tests only.
package plaingit

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Use removes all variables of git from the environment for a test, and sets an author. No settings but those of the
// repository apply, and a repository that the temporary folder is in is not seen. Without git, the test is skipped.
func Use(t testing.TB) {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed:", err)
	}
	for _, variable := range os.Environ() {
		if name, _, _ := strings.Cut(variable, "="); strings.HasPrefix(name, "GIT_") {
			t.Setenv(name, "") // so that it is restored
			os.Unsetenv(name)
		}
	}
	for name, value := range map[string]string{
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_NOSYSTEM": "1", "GIT_CEILING_DIRECTORIES": os.TempDir(),
		"GIT_AUTHOR_NAME": "Mara", "GIT_AUTHOR_EMAIL": "mara@example.org",
		"GIT_COMMITTER_NAME": "Mara", "GIT_COMMITTER_EMAIL": "mara@example.org",
	} {
		t.Setenv(name, value)
	}
}
