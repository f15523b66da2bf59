package campaign

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/pairing"
)

// pairs returns the pairs that the request names, or else all pairs that are offered.
func (r *MatrixRequest) pairs(ctx context.Context, from Sources) ([]pairing.Pair, error) {
	var pairs []pairing.Pair
	var problems []error
	for _, text := range r.Pairs {
		p, err := r.pairNamed(ctx, from, text)
		pairs, problems = append(pairs, p), append(problems, err)
	}
	for _, text := range r.Releases {
		some, err := r.pairsAmong(ctx, from, text)
		pairs, problems = append(pairs, some...), append(problems, err)
	}
	if !r.namesPairs() {
		some, err := pairsOffered(ctx, from, r.Proxy)
		pairs, problems = some, append(problems, err)
	}
	slices.SortStableFunc(pairs, pairing.ComparePairs)
	return slices.Compact(pairs), errors.Join(problems...)
}

// pairNamed returns a pair that the user names. It returns an error if the text is not a
// pair, is in the wrong order, or is further apart than the request allows.
func (r *MatrixRequest) pairNamed(ctx context.Context, from Sources, text string) (pairing.Pair, error) {
	old, new, err := servers.ParsePair(text)
	if err != nil {
		return pairing.Pair{}, fault.Optionf("{pairs}: %w", err)
	}
	p := pairing.Pair{Old: releaseOf(old), New: releaseOf(new)}
	if err = errors.Join(from.Known(ctx, old, new), r.meant(p)); err != nil {
		return p, fault.Optionf("{pairs} %q: %w", text, err)
	}
	return p, nil
}

// meant refuses a named pair that must be a mistake, as far as its releases are known: two
// components, the wrong order, or further apart than the request allows.
func (r *MatrixRequest) meant(p pairing.Pair) error {
	if err := p.Check(); err != nil {
		return err
	}
	if apart, known := p.Apart(); known && r.MostApart > 0 && apart > r.MostApart {
		return fault.Optionf("its releases are %d minor releases apart, and {skew} allows %d: leave it out, or allow more", apart, r.MostApart)
	}
	return nil
}

// names reports whether the request names the pair.
func (r *MatrixRequest) names(p pairing.Pair) bool {
	return slices.ContainsFunc(r.Pairs, func(text string) bool {
		old, new, err := servers.ParsePair(text)
		return err == nil && p.String() == pairing.Pair{Old: releaseOf(old), New: releaseOf(new)}.String()
	})
}

// applies returns why a scenario does not apply to a pair, now that the builds say which
// releases they are. If the request names the pair, an invalid pair is an error instead of
// an exclusion, as for releases.
func (r *MatrixRequest) applies(s *scenarios.Scenario, named, built pairing.Pair) error {
	if err := r.meant(built); err != nil && r.names(named) {
		return fault.ByUser(fault.Optionf("{pairs} %q: %w", named, err))
	}
	why, err := pairing.Against(s, built, r.MostApart)
	if why != nil {
		return notApplicableError{*why}
	}
	return err
}

// pairsAmong returns the pairs of a list of releases. It returns an error if a named
// release would be in no pair.
func (r *MatrixRequest) pairsAmong(ctx context.Context, from Sources, text string) ([]pairing.Pair, error) {
	refs, err := servers.ParseReleases(text)
	if err == nil {
		err = from.Known(ctx, refs...)
	}
	of := map[string][]pairing.Release{} // by component, or by module
	for _, ref := range refs {
		release := releaseOf(ref)
		if release.Version == "" {
			err = errors.Join(err, fault.Optionf("%s: has no version to order it by: name its pairs with {pairs}", ref))
		}
		name := cmp.Or(ref.Component, ref.Module)
		of[name] = append(of[name], release)
	}
	var pairs []pairing.Pair
	for _, name := range slices.Sorted(maps.Keys(of)) {
		if err == nil {
			err = orderable(name, of[name])
		}
		if r.MostApart == 0 {
			pairs = append(pairs, pairing.Neighbours(of[name])...)
		} else {
			pairs = append(pairs, pairing.Among(of[name])...)
		}
	}
	if err != nil {
		return nil, fault.Optionf("{releases} %q: %w", text, err)
	}
	return slices.DeleteFunc(pairs, func(p pairing.Pair) bool { return p.Old == p.New }), nil
}

// orderable refuses releases of one component that cannot be ordered by age: a single one,
// or two whose order only their builds can tell.
func orderable(component string, all []pairing.Release) error {
	alone := true
	for _, a := range all {
		alone = alone && a == all[0]
		for _, b := range all {
			if scenarios.Unordered(a.Version, b.Version) {
				return fault.Optionf("%s and %s: one is the newest patch of its minor, so only the builds show which is newer, or whether they are the same: leave one out, or name their pair with {pairs}", a.Reference, b.Reference)
			}
		}
	}
	if alone {
		return fault.Optionf("%s: is the only release of %s, and a pair needs two: name another, or the same one twice with {pairs}", all[0].Reference, component)
	}
	return nil
}

// pairsOffered returns all pairs among the releases that the sources offer.
func pairsOffered(ctx context.Context, from Sources, proxy bool) ([]pairing.Pair, error) {
	refs, err := from.Offered(ctx, proxy)
	if err != nil {
		return nil, err
	}
	var all []pairing.Release
	for _, ref := range refs {
		all = append(all, releaseOf(ref))
	}
	return pairing.Among(all), nil
}

// releaseOf returns the release that a reference names, for a scenario to be compared with.
func releaseOf(ref servers.Reference) pairing.Release {
	r := engine.ReleaseOf(ref)
	if ref.Scheme == servers.SchemeManifests {
		r.Version = "" // the module's version, which may differ from the server's
	}
	return r
}

// ownBuilt returns the pair that a scenario of a module's server names itself, if both
// releases are built and the scenario's file may choose which programs run.
func (r *MatrixRequest) ownBuilt(ctx context.Context, from Sources, s *scenarios.Scenario) []pairing.Pair {
	if !s.Releases.OfModules() || !s.BuiltIn && !r.AllowPrograms {
		return nil
	}
	_, old, new, err := engine.Request{Scenario: s}.Releases()
	if err != nil || !from.IsBuilt(ctx, old) || !from.IsBuilt(ctx, new) {
		return nil
	}
	return []pairing.Pair{{Old: releaseOf(old), New: releaseOf(new)}}
}

// notApplicableError reports that a scenario does not apply to its builds. Only the build
// of a path, a checkout or an image says which release it is.
type notApplicableError struct{ why pairing.Why }

func (e notApplicableError) Error() string { return e.why.Text }
