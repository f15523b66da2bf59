package engine

import (
	"errors"
	"fmt"

	"github.com/hashicorp/go-version"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/pairing"
)

// ReleaseOf returns the release that a reference names. An unknown part is ""; it is
// checked when the build is made.
func ReleaseOf(r servers.Reference) pairing.Release {
	return pairing.Release{Reference: r.String(), Component: r.Component, Version: r.Version}
}

// BuiltRelease returns the release that a build reports.
func BuiltRelease(b servers.Build) pairing.Release {
	r := pairing.Release{Reference: b.Reference, Component: b.Component, Version: b.Version}
	if b.Installs != nil { // a folder has no version, and a module's was checked before
		r.Version = ""
	}
	return r
}

// applies returns why a scenario does not apply to the releases of a pair, in words for
// users who named them on the command line.
func applies(s *scenarios.Scenario, old, new pairing.Release) error {
	p := pairing.Pair{Old: old, New: new}
	whys, err := pairing.Applies(s, p, 0)
	problems := []error{err}
	for _, why := range whys {
		problems = append(problems, unmet(s, why, p))
	}
	return errors.Join(problems...)
}

// unmet returns the error for a reason why a scenario does not apply.
func unmet(s *scenarios.Scenario, why pairing.Why, p pairing.Pair) error {
	at := p.End(why.End)
	switch {
	case why.End == "" && why.Kind == pairing.Component:
		return p.Check()
	case why.End == "":
		return errors.New(why.Text)
	case why.Kind == pairing.Component:
		at.Version = "a " + at.Component
	}
	return fmt.Errorf("%s: does not apply to %s as the %s release: %s; name another pair with --pair",
		s.Name, at.Version, why.End, s.Releases.Requirement(why.End))
}

// appliesToAll returns why a scenario does not apply to the first hop of a chain that does
// not meet its constraints.
func appliesToAll(s *scenarios.Scenario, refs []servers.Reference) error {
	for i := 1; i < len(refs); i++ {
		if err := applies(s, ReleaseOf(refs[i-1]), ReleaseOf(refs[i])); err != nil {
			return err
		}
	}
	return nil
}

// near refuses releases that are further apart than the request allows, as far as their
// versions are known.
func (r Request) near(old, new pairing.Release) error {
	if r.Skew < 0 {
		return fault.Optionf("{skew} %d: must be 1 or more", r.Skew)
	}
	apart, known := pairing.Pair{Old: old, New: new}.Apart()
	if r.Skew == 0 || !known || apart <= r.Skew {
		return nil
	}
	how := fmt.Sprintf("%d minor releases apart", apart)
	if major(old) != major(new) {
		how = "of different major versions"
	}
	return fault.Optionf("{skew} %d: %s and %s are %s: name a nearer pair, or a larger {skew}", r.Skew, old.Version, new.Version, how)
}

// major returns the major version of a release with a readable version.
func major(r pairing.Release) int {
	return version.Must(version.NewVersion(r.Version)).Segments()[0]
}
