package load

import (
	"slices"

	"github.com/hashicorp/go-version"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/strict"
	"github.com/skewsim/skewsim/scenarios/term"
)

// olderClients checks that the scenario names a release for clients older than the pair if
// lines have such clients, and only then; that it is a release of Kubernetes, whose clients can
// be built without its servers; and that it is older than the pair that the file names.
func (v releaseChecks) olderClients() {
	const at = "releases.clients"
	text := v.s.Releases.Clients
	switch used := v.older(); {
	case text == "" && used:
		v.fail("releases", "older-typed and older-apply clients are of a release before the pair's, and none is named: add one such as clients: v1.34.4")
		return
	case text == "":
		return
	case !used:
		v.fail(at, "no line has an older-typed or older-apply client: leave it out, or give a line one")
		return
	case v.s.Releases.Of != scenarios.DefaultComponent:
		v.fail(at, "only Kubernetes has clients of a release without its servers: releases here are of %s", v.s.Releases.Of)
		return
	}
	if _, err := version.NewSemver(text); err != nil || text[0] != 'v' {
		v.fail(at, "%s is not a release such as v1.34.4", strict.Quote(text))
		return
	}
	if _, oldVersion, _, ok := scenarios.SplitPair(v.s.Releases.Pair); ok {
		if err := scenarios.OlderThan(text, oldVersion); err != nil {
			v.fail(at, "%s", err)
		}
	}
}

// older reports whether a line has a client of a release before the pair's.
func (v releaseChecks) older() bool {
	return slices.ContainsFunc(v.s.Play, func(l scenarios.Line) bool {
		return slices.ContainsFunc(append([]scenarios.Line{l}, l.Then...), func(l scenarios.Line) bool {
			return slices.ContainsFunc(l.Client, func(c term.Client) bool {
				role, typed := c.Role()
				return typed && role == term.Older
			})
		})
	})
}
