package main

import (
	"runtime/debug"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestVersionOf: a release has what the linker set; go install knows the version alone, and a
// checkout its commit.
func TestVersionOf(t *testing.T) {
	checkout := debug.BuildInfo{GoVersion: "go1.26.8", Main: debug.Module{Version: "(devel)"}, Settings: []debug.BuildSetting{
		{Key: "vcs.revision", Value: "0123456789abcdef"}, {Key: "vcs.time", Value: "2026-11-24T05:00:00Z"}, {Key: "vcs.modified", Value: "true"},
	}}
	for name, c := range map[string]struct {
		info                  debug.BuildInfo
		linked                Version
		version, commit, date string
		modified              bool
	}{
		"release":  {checkout, Version{Version: "v0.1.0", Commit: "abc", Date: "2026-11-23T00:00:00Z"}, "v0.1.0", "abc", "2026-11-23T00:00:00Z", true},
		"install":  {debug.BuildInfo{Main: debug.Module{Version: "v0.1.0", Sum: "h1:x"}}, Version{}, "v0.1.0", "", "", false},
		"checkout": {checkout, Version{}, "devel-0123456789ab", "0123456789abcdef", "2026-11-24T05:00:00Z", true},
		"nothing":  {debug.BuildInfo{}, Version{}, "unknown", "", "", false},
	} {
		v := linkedVersion(c.info, c.linked)
		assert.Equal(t, Version{Version: c.version, Commit: c.commit, Date: c.date, Modified: c.modified, Go: v.Go, Platform: v.Platform}, v, name)
		assert.NotEmpty(t, v.Go)
	}
}
