package scenarios

import (
	"strings"

	"github.com/hashicorp/go-version"
)

// through holds that a chain is one of the scenario's component, older releases
// first, and that the pair is of releases that it goes through. Which releases there
// are, only their builds know.
func (v *validator) through() {
	const at = "releases.through"
	of, text, ok := strings.Cut(v.s.Releases.Through, "@")
	ends, isSpan := endsOf(text, of)
	switch {
	case !ok || len(ends) < 2:
		v.fail(at, "%s is not a chain such as frobber@1.0..1.30 or frobber@1.0,1.1,1.3", quote(v.s.Releases.Through))
		return
	case of != v.s.Releases.Of && !v.reported("releases.of"):
		v.fail(at, "a chain of %s in a scenario of %s", quote(of), quote(v.s.Releases.Of))
		return
	}
	for i, release := range ends[1:] {
		if err := InOrder(ends[i], release); err != nil {
			v.fail(at, "%s", err)
			return
		}
	}
	v.within(ends, isSpan)
}

// endsOf are the releases that a chain names: all of a list, whose later ones may say
// the component again, and of a span the first and the last.
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

// within holds that a chain goes through the releases of the pair: whoever names a
// pair beside it plays one of its hops.
func (v *validator) within(ends []string, isSpan bool) {
	const at = "releases.pair"
	of, oldVersion, newVersion, ok := splitPair(v.s.Releases.Pair)
	if !ok || v.reported(at) {
		return
	}
	for _, release := range []string{oldVersion, newVersion} {
		if !isWithin(release, ends, isSpan) {
			v.fail(at, "%s@%s is no release of the chain %s: name two that it goes through", of, release, quote(v.s.Releases.Through))
		}
	}
}

func isWithin(release string, ends []string, isSpan bool) bool {
	if isSpan {
		return InOrder(ends[0], release) == nil && InOrder(release, ends[len(ends)-1]) == nil
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
