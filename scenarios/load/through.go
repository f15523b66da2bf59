package load

import (
	"reflect"
	"slices"
	"strings"

	"github.com/hashicorp/go-version"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/strict"
	"github.com/skewsim/skewsim/scenarios/term"
)

// through checks that a chain has releases of the scenario's component, older ones first, and
// that the pair's releases are in it. Only builds know which releases exist.
func (v releaseChecks) through() {
	const at = "releases.through"
	chain := v.s.Releases.Through.String()
	of, text, ok := strings.Cut(chain, "@")
	ends, isSpan := endsOf(text, of)
	switch {
	case !ok || len(ends) < 2:
		v.fail(at, "%s is not a chain such as frobber@1.0..1.30 or frobber@1.0,1.1,1.3", strict.Quote(chain))
		return
	case of != v.s.Releases.Of && !v.Reported("releases.of"):
		v.fail(at, "the chain is of %s, and the scenario is for releases of %s: set releases.of", strict.Quote(of), strict.Quote(v.s.Releases.Of))
		return
	}
	for i, release := range ends[1:] {
		if err := scenarios.InOrder(ends[i], release); err != nil {
			v.fail(at, "%s", err)
			return
		}
	}
	if journey := v.s.Journey; v.s.Releases.Pair == "" && slices.Contains(journey, term.Halt) {
		v.fail("journey", "%q is for a pair, and only a chain is named, which plays every hop whole: name a pair in releases, or leave it out", term.Halt)
	}
	v.points()
	v.within(ends, isSpan)
}

// points checks that each point of a list, or with options, is a single release, so that the
// options are its own, and that the options make sense without an old release.
func (v releaseChecks) points() {
	points := v.s.Releases.Through
	for i, p := range points {
		at := strict.Element("releases.through", i)
		if (len(points) > 1 || points.Options() != nil) && (strings.Contains(p.Release, ",") || strings.Contains(p.Release, "..")) {
			v.fail(at, "%s: a point of a list is one release: list all, or write the whole chain as one text", strict.Quote(p.Release))
		}
		v.optionsAt(at, p.Options)
		if p.SaysOld() {
			v.fail(at, `"old" says nothing here, where each point is the old release of one hop and the new release of another: name the release, such as "1.36"`)
		}
	}
	if points.Options() == nil {
		return
	}
	for _, end := range []struct {
		name    string
		options scenarios.Options
	}{{"old", v.s.Old}, {"new", v.s.New}} {
		if v.s.Releases.Pair == "" && !reflect.DeepEqual(end.options, scenarios.Options{}) {
			v.fail(end.name, "the chain's points say what servers are started with, and no pair is named that this could be for: leave it out")
		}
	}
}

// endsOf returns the releases that a chain names: all releases of a list, whose later ones may
// repeat the component, or the first and the last of a span.
func endsOf(text, of string) (ends []string, isSpan bool) {
	separator := ","
	if isSpan = !strings.Contains(text, ","); isSpan {
		separator = ".."
	}
	for _, release := range strings.Split(text, separator) {
		ends = append(ends, strings.TrimPrefix(strings.TrimSpace(release), of+"@"))
	}
	return ends, isSpan
}

// within checks that a chain has the releases of the pair: a user who names a pair plays one
// hop of the chain.
func (v releaseChecks) within(ends []string, isSpan bool) {
	const at = "releases.pair"
	of, oldVersion, newVersion, ok := scenarios.SplitPair(v.s.Releases.Pair)
	if !ok || v.Reported(at) {
		return
	}
	for _, release := range []string{oldVersion, newVersion} {
		if !isWithin(release, ends, isSpan) {
			v.fail(at, "%s@%s is no release of the chain %s: name two that it goes through", of, release, strict.Quote(v.s.Releases.Through.String()))
		}
	}
}

func isWithin(release string, ends []string, isSpan bool) bool {
	if isSpan {
		return scenarios.InOrder(ends[0], release) == nil && scenarios.InOrder(release, ends[len(ends)-1]) == nil
	}
	for _, end := range ends {
		a, errA := version.NewVersion(end)
		b, errB := version.NewVersion(release)
		if errA == nil && errB == nil && a.Equal(b) {
			return true
		}
	}
	return false
}
