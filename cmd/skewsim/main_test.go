package main

import (
	"context"
	"flag"
	"os"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "write golden files anew")

// TestMain lets test scripts call skewsim as the command that it is.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"skewsim": func() {
			a := newApp()
			ctx, stop := a.interruptible(context.Background())
			code := a.execute(ctx, os.Args[1:])
			stop()
			os.Exit(code)
		},
	})
}

// TestScripts holds the command line: help, errors, exit codes, and what needs
// no server. Each file under testdata/script is one story.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
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
