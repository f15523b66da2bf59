package main

import (
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// TestFrobberPlayedScripts holds what the command says of runs on the reference server's
// releases. Each file under testdata/played is one story.
func TestFrobberPlayedScripts(t *testing.T) {
	withFrobber(t)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/played",
		UpdateScripts:       *update,
		RequireExplicitExec: true,
		Cmds:                map[string]func(*testscript.TestScript, bool, []string){"exits": exits},
		Setup: func(e *testscript.Env) error {
			e.Setenv("SKEWSIM_CACHE", e.WorkDir+"/cache")
			e.Setenv("HOME", e.WorkDir)
			return nil
		},
	})
}
