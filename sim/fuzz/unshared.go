package fuzz

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
)

// Unshared is a version of a kind whose objects only one of the releases can create and
// replace. It breaks no rule by itself: versions are added, and removed after their
// deprecation.
type Unshared struct {
	Kind    string `json:"kind"`
	Version string `json:"version"`
	// By is the release that serves it, NotBy the one that does not.
	By    string `json:"by"`
	NotBy string `json:"notBy"`
	// KindToo reports that the other release serves no version of the kind at all, not even
	// a read-only one.
	KindToo bool `json:"kindToo,omitempty"`
	// Laps are the states of the features in which this holds.
	Laps []string `json:"laps"`
}

// noteUnshared adds the versions that only one release serves in a lap.
func (f *fuzzer) noteUnshared(lap string, releases map[term.Role]*Release) {
	for _, kind := range f.kinds {
		all := Places(kind, releases)
		for _, at := range all {
			other := at.Role.Other()
			elsewhere := slices.DeleteFunc(slices.Clone(all), func(p Place) bool { return p.Role != other })
			if slices.ContainsFunc(elsewhere, func(p Place) bool { return p.APIVersion() == at.APIVersion() }) {
				continue
			}
			f.addUnshared(Unshared{
				Kind: kind, Version: versionOf(at), By: releases[at.Role].Version, NotBy: releases[other].Version,
				KindToo: len(elsewhere) == 0 && !slices.Contains(releases[other].ReadOnly, kind), Laps: []string{lap},
			})
		}
	}
}

// addUnshared adds one version, or its lap to the same version of another lap.
func (f *fuzzer) addUnshared(u Unshared) {
	for i, known := range f.result.Unshared {
		if known.Kind == u.Kind && known.Version == u.Version && known.By == u.By && known.KindToo == u.KindToo {
			f.result.Unshared[i].Laps = append(known.Laps, u.Laps...)
			return
		}
	}
	f.result.Unshared = append(f.result.Unshared, u)
}

// unshared writes a line for each version that only one release serves.
func (p *printer) unshared(all []Unshared) {
	for i, u := range all {
		if i == 0 {
			p.line("served by one release only")
		}
		lacks := "does not"
		if u.KindToo {
			lacks = "serves no version of this kind"
		}
		p.line("  %s %s: %s serves it, %s %s, features %s", u.Kind, u.Version, u.By, u.NotBy, lacks, strings.Join(u.Laps, " and "))
	}
}

// versionOf returns the version of a place without its group, which the kind names.
func versionOf(at Place) string {
	_, version, grouped := strings.Cut(at.APIVersion(), "/")
	if !grouped {
		version = at.APIVersion()
	}
	return version
}

// nameOf names a place: v1 through v1.36.3.
func (l *lap) nameOf(at Place) string {
	return fmt.Sprintf("%s through %s", versionOf(at), l.releases[at.Role].Version)
}
