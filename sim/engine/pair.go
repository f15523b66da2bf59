package engine

import (
	"errors"
	"strings"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/plan"
)

// PairNames are the ways to name the two builds of a run. They exclude each other, except
// that Old and New go together. The zero value uses the scenario's own pair.
type PairNames struct {
	Pair     string   // both builds: kube-apiserver@v1.36.3..v1.37.0
	Old, New string   // one build each; if the scenario has a pair, either may be left out
	Releases []string // both builds, the old one first
}

// Given reports whether the user names builds.
func (n PairNames) Given() bool {
	return n.Pair != "" || n.Old != "" || n.New != "" || len(n.Releases) > 0
}

// Releases returns the two builds that the request names, and the scenario to run with
// them: the request's own, or the one of its A/A run. It returns an error if the names are
// wrong, or if the scenario does not apply to the builds, as far as their references say.
func (r Request) Releases() (played *scenarios.Scenario, old, new servers.Reference, err error) {
	s := r.Scenario
	if old, new, err = r.Pair.references(s); err == nil {
		err = Adapt(r.Adapter, &old, &new)
	}
	if err != nil {
		return nil, old, new, fault.ByUser(err)
	}
	own := r.Pair.ownOf(s)
	old, new = Place(s, preferred(old, own), preferred(new, own), own)
	for _, m := range []*servers.Manifests{&old.Manifests, &new.Manifests} {
		m.Without, m.Stored, m.Kinds = strings.Join(r.Without, ","), strings.Join(r.Stored, ","), strings.Join(r.Kinds, ",")
	}
	if err := errors.Join(OnServer(r.Server, &old, &new), WithPrograms(r.Webhooks, &old, &new), applies(s, ReleaseOf(old), ReleaseOf(new)), r.near(ReleaseOf(old), ReleaseOf(new))); err != nil {
		return nil, old, new, fault.ByUser(err)
	}
	if old, new, err = withMutant(s, old, new); err != nil || r.AA == "" {
		return s, old, new, fault.ByUser(err)
	}
	return r.sameRelease(s, old, new)
}

// sameRelease returns the A/A run of a scenario: one release is both the old and the new
// one.
func (r Request) sameRelease(s *scenarios.Scenario, old, new servers.Reference) (_ *scenarios.Scenario, _, _ servers.Reference, err error) {
	switch r.AA {
	case term.Old:
		new = old
	case term.New:
		if s, err = naming(s, old); err != nil {
			return nil, old, new, fault.ByUser(err)
		}
		old = new
	default:
		return nil, old, new, fault.ByUser(fault.Optionf("{aa} %q: neither old nor new", r.AA))
	}
	played, err := s.AARun(r.AA)
	return played, old, new, fault.ByUser(err)
}

// inChain returns a release of a chain, with the adapter if it is a module's.
func (r Request) inChain(ref servers.Reference) servers.Reference {
	if ref.Scheme == servers.SchemeModule {
		ref.Adapter = r.Adapter
		ref, _ = Place(r.Scenario, ref, ref, func(servers.Reference) bool { return false })
	}
	return ref
}

// naming returns the scenario with the version of the old release wherever the options of
// the new one say old: an A/A run of the new build would otherwise use the new build's
// version.
func naming(s *scenarios.Scenario, old servers.Reference) (*scenarios.Scenario, error) {
	if !s.New.SaysOld() {
		return s, nil
	}
	if old.Version == "" {
		return nil, fault.Optionf("%s: the version of %s, which the servers of {aa} new emulate, is not known: name a released build with {old}", s.Name, old)
	}
	named := *s
	named.New = s.New.WithOld(plan.MinorOf(old.Version))
	return &named, nil
}

// withMutant replaces the release that the scenario's mutant is an edit of by the mutant,
// for both releases of the pair if they are the same.
func withMutant(s *scenarios.Scenario, old, new servers.Reference) (_, _ servers.Reference, err error) {
	if s.Mutant == "" {
		return old, new, nil
	}
	right := new
	if s.Mutants[s.Mutant].Of == term.Old {
		right = old
	}
	wrong, err := right.Mutant(s.Mutant)
	if err != nil {
		return old, new, err
	}
	if old == right {
		old = wrong
	}
	if new == right {
		new = wrong
	}
	return old, new, nil
}

func (n PairNames) references(s *scenarios.Scenario) (old, new servers.Reference, err error) {
	given := 0
	for _, set := range []bool{n.Pair != "", n.Old != "" || n.New != "", len(n.Releases) > 0} {
		if set {
			given++
		}
	}
	switch {
	case given > 1:
		return old, new, fault.Optionf("{pair}, {old} with {new}, and {release} exclude each other: give one of them")
	case n.Pair != "":
		return servers.ParsePair(n.Pair)
	case len(n.Releases) > 0:
		return fromReleases(n.Releases)
	case given == 0 && s.Releases.Pair != "":
		return servers.ParsePair(s.Releases.Pair)
	case given == 1 && s.Releases.Pair != "" && (n.Old == "" || n.New == ""):
		return n.otherEnd(s.Releases.Pair)
	case n.Old == "" || n.New == "":
		return old, new, fault.Optionf("%s: no builds are named: give both {old} and {new}, or {pair} such as kube-apiserver@v1.36.3..v1.37.0", s.Name)
	}
	return parseBoth(n.Old, n.New)
}

// preferred substitutes another patch of its minor for a release that only the scenario's
// own file names, if that release is not available: a scenario is written for a minor. A
// release that the user names is never replaced.
func preferred(ref servers.Reference, own func(servers.Reference) bool) servers.Reference {
	ref.Preferred = ref.IsSubstitutable() && own(ref)
	return ref
}

// ownOf reports which references only the scenario's own file names.
func (n PairNames) ownOf(s *scenarios.Scenario) func(servers.Reference) bool {
	old, new, err := servers.ParsePair(s.Releases.Pair) // its new release may be a version alone
	return func(r servers.Reference) bool {
		if err != nil || n.Pair != "" || len(n.Releases) > 0 || r.String() == n.Old || r.String() == n.New {
			return false
		}
		return r.String() == old.String() || r.String() == new.String()
	}
}

// otherEnd takes the release that the user does not name from the scenario's own pair.
func (n PairNames) otherEnd(pair string) (old, new servers.Reference, err error) {
	if old, new, err = servers.ParsePair(pair); err != nil {
		return old, new, err
	}
	if n.New == "" {
		old, err = servers.ParseReference(n.Old)
	} else {
		new, err = servers.ParseReference(n.New)
	}
	servers.TellApart(&old, &new)
	return old, new, err
}

func fromReleases(given []string) (old, new servers.Reference, err error) {
	if len(given) != 2 {
		return old, new, fault.Optionf("{release}: given %d times: a run has two builds, so give it twice", len(given))
	}
	return parseBoth(given[0], given[1])
}

func parseBoth(oldText, newText string) (old, new servers.Reference, err error) {
	old, oldErr := servers.ParseReference(oldText)
	new, newErr := servers.ParseReference(newText)
	servers.TellApart(&old, &new)
	return old, new, errors.Join(oldErr, newErr)
}
