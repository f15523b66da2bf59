package fuzz

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
)

// Unshared is a version of a kind that one release serves, so that its objects can be created
// and replaced, and the other does not. It breaks no rule by itself: a version may come, and
// may go when its time is over.
type Unshared struct {
	Kind    string `json:"kind"`
	Version string `json:"version"`
	// By is the release that serves it, NotBy the one that does not.
	By    string `json:"by"`
	NotBy string `json:"notBy"`
	// KindToo: that release serves no version of the kind, not even one to be read alone.
	KindToo bool `json:"kindToo,omitempty"`
	// Laps are the states of the features in which it is so.
	Laps []string `json:"laps"`
}

// noteUnshared adds the versions that one release alone serves in a lap.
func (f *fuzzer) noteUnshared(lap string, releases map[term.Role]*release) {
	for _, kind := range f.kinds {
		all := places(kind, releases)
		for _, at := range all {
			other := at.role.Other()
			elsewhere := slices.DeleteFunc(slices.Clone(all), func(p place) bool { return p.role != other })
			if slices.ContainsFunc(elsewhere, func(p place) bool { return p.apiVersion() == at.apiVersion() }) {
				continue
			}
			f.addUnshared(Unshared{
				Kind: kind, Version: versionOf(at), By: releases[at.role].version, NotBy: releases[other].version,
				KindToo: len(elsewhere) == 0 && !slices.Contains(releases[other].readOnly, kind), Laps: []string{lap},
			})
		}
	}
}

// addUnshared adds one, or its lap to the same of another lap.
func (f *fuzzer) addUnshared(u Unshared) {
	for i, known := range f.result.Unshared {
		if known.Kind == u.Kind && known.Version == u.Version && known.By == u.By && known.KindToo == u.KindToo {
			f.result.Unshared[i].Laps = append(known.Laps, u.Laps...)
			return
		}
	}
	f.result.Unshared = append(f.result.Unshared, u)
}

// unshared writes a line for each version that one release alone serves.
func (p *printer) unshared(all []Unshared) {
	for i, u := range all {
		if i == 0 {
			p.line("served by one release alone")
		}
		lacks := "does not"
		if u.KindToo {
			lacks = "serves no version of this kind"
		}
		p.line("  %s %s: %s serves it, %s %s, features %s", u.Kind, u.Version, u.By, u.NotBy, lacks, strings.Join(u.Laps, " and "))
	}
}

// versionOf is the version of a place. The kind says which group it is of.
func versionOf(at place) string {
	_, version, grouped := strings.Cut(at.apiVersion(), "/")
	if !grouped {
		version = at.apiVersion()
	}
	return version
}

// nameOf names a place: v1 through v1.36.3.
func (l *lap) nameOf(at place) string {
	return fmt.Sprintf("%s through %s", versionOf(at), l.releases[at.role].version)
}
