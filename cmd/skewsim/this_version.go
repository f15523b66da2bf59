package main

import (
	"cmp"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
)

// version, commit and date are set by the linker in releases; see the Makefile. Other builds
// have what the go command records.
var stamped, commit, date string

// Version says which skewsim this is.
type Version struct {
	Version  string `json:"version"`          // v0.1.0; devel-<commit> if no release is known
	Commit   string `json:"commit,omitempty"` // "": the go command recorded none, as in go install
	Modified bool   `json:"modified,omitempty"`
	Date     string `json:"date,omitempty"` // of the commit, RFC 3339
	Go       string `json:"go"`
	Platform string `json:"platform"`
}

// ThisVersion is the version of this program.
func ThisVersion() Version {
	info, ok := debug.ReadBuildInfo()
	if !ok {
		info = &debug.BuildInfo{}
	}
	return linkedVersion(*info, Version{Version: stamped, Commit: commit, Date: date})
}

// linkedVersion returns what the linker set, completed by what the go command recorded.
func linkedVersion(info debug.BuildInfo, linked Version) Version {
	settings := map[string]string{}
	for _, s := range info.Settings {
		settings[s.Key] = s.Value
	}
	v := Version{
		Version: cmp.Or(linked.Version, info.Main.Version, "unknown"), Commit: cmp.Or(linked.Commit, settings["vcs.revision"]),
		Modified: settings["vcs.modified"] == "true", Date: cmp.Or(linked.Date, settings["vcs.time"]),
		Go: cmp.Or(info.GoVersion, runtime.Version()), Platform: runtime.GOOS + "/" + runtime.GOARCH,
	}
	if v.Version == "(devel)" && v.Commit != "" {
		v.Version = "devel-" + v.Commit[:min(12, len(v.Commit))]
	}
	return v
}

// String returns the version on one line.
func (v Version) String() string {
	parts := []string{}
	if v.Commit != "" {
		parts = append(parts, "commit "+v.Commit)
	}
	if v.Modified {
		parts = append(parts, "modified")
	}
	if v.Date != "" {
		parts = append(parts, v.Date)
	}
	return fmt.Sprintf("skewsim %s (%s)", v.Version, strings.Join(append(parts, v.Go, v.Platform), ", "))
}
