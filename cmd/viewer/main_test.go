package main

import (
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"viewer": main})
}

// TestScript runs the program as a user does. Scripts are named by what they
// are about.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir: "testdata",
		Setup: func(e *testscript.Env) error {
			e.Setenv("HOME", e.WorkDir+"/home")
			return os.MkdirAll(e.WorkDir+"/home", 0o755)
		},
		UpdateScripts:       os.Getenv("UPDATE") != "",
		RequireExplicitExec: true,
	})
}
