package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/kubeapiserver"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/pairing"
)

// pairsOf are the pairs that the flags ask for, else all that there are.
func (a *app) pairsOf(ctx context.Context, f matrixFlags) ([]pairing.Pair, error) {
	var pairs []pairing.Pair
	var problems []error
	for _, text := range f.pairs {
		p, err := a.pairNamed(ctx, text, f)
		pairs, problems = append(pairs, p), append(problems, err)
	}
	for _, text := range f.releases {
		some, err := a.pairsAmong(ctx, text, f)
		pairs, problems = append(pairs, some...), append(problems, err)
	}
	if !f.named() {
		some, err := a.pairsOffered(ctx, f.offered)
		pairs, problems = some, append(problems, err)
	}
	slices.SortStableFunc(pairs, pairing.ComparePairs)
	return slices.Compact(pairs), errors.Join(problems...)
}

// named tells whether the user has named pairs.
func (f matrixFlags) named() bool { return len(f.pairs)+len(f.releases) > 0 }

// anotherPatch tells whether another patch of its minor serves for a release that cannot
// be had: where the user says so, or names none and takes what is offered.
func (f matrixFlags) anotherPatch() bool { return f.another || f.offered }

// pairNamed is a pair that the user writes. That it is one, in order and no further
// apart than asked for, is told at once: it was meant.
func (a *app) pairNamed(ctx context.Context, text string, f matrixFlags) (pairing.Pair, error) {
	old, new, err := servers.ParsePair(text)
	if err != nil {
		return pairing.Pair{}, fmt.Errorf("--pairs: %w", err)
	}
	p := pairing.Pair{Old: releaseOf(old), New: releaseOf(new)}
	if err = errors.Join(a.builder().Check(ctx, old, new), meant(p, f)); err != nil {
		return p, fmt.Errorf("--pairs %q: %w", text, err)
	}
	return p, nil
}

// meant refuses a pair that nobody can mean who names it, as far as is known what its
// ends are: of two components, in the wrong order, or further apart than asked for.
func meant(p pairing.Pair, f matrixFlags) error {
	if err := p.Check(); err != nil {
		return err
	}
	if apart, known := p.Apart(); known && f.skewGiven && apart > f.skew {
		return fmt.Errorf("its releases are %d minor releases apart, and --skew asks for %d at most: leave it out, or ask for more", apart, f.skew)
	}
	return nil
}

// names tells whether --pairs names the pair.
func (f matrixFlags) names(p pairing.Pair) bool {
	return slices.ContainsFunc(f.pairs, func(text string) bool {
		old, new, err := servers.ParsePair(text)
		return err == nil && p.String() == pairing.Pair{Old: releaseOf(old), New: releaseOf(new)}.String()
	})
}

// aptitude tells whether a scenario is played with a pair whose builds say which releases
// they are. A pair that --pairs names is not dropped where these cannot be meant: as such a
// pair of releases is, it is refused.
func aptitude(s *scenarios.Scenario, named, built pairing.Pair, f matrixFlags) error {
	if err := meant(built, f); err != nil && f.names(named) {
		return usage(fmt.Errorf("--pairs %q: %w", named, err))
	}
	why, err := pairing.Against(s, built, f.skew)
	if why != nil {
		return inaptError{*why}
	}
	return err
}

// pairsAmong are the pairs of a list of releases. One that would be in none was meant for
// something.
func (a *app) pairsAmong(ctx context.Context, text string, f matrixFlags) ([]pairing.Pair, error) {
	refs, err := servers.ParseReleases(text)
	if err == nil {
		err = a.builder().Check(ctx, refs...)
	}
	of := map[string][]pairing.Release{} // by component, or by module
	for _, ref := range refs {
		r := releaseOf(ref)
		if r.Version == "" {
			err = errors.Join(err, fmt.Errorf("%s: has no version by which it could be put in order: name its pairs with --pairs", ref))
		}
		name := cmp.Or(ref.Component, ref.Module)
		of[name] = append(of[name], r)
	}
	var pairs []pairing.Pair
	for _, name := range slices.Sorted(maps.Keys(of)) {
		if err == nil {
			err = orderable(name, of[name])
		}
		if f.skew == 0 {
			pairs = append(pairs, pairing.Neighbours(of[name])...)
		} else {
			pairs = append(pairs, pairing.Among(of[name])...)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("--releases %q: %w", text, err)
	}
	return slices.DeleteFunc(pairs, func(p pairing.Pair) bool { return p.Old == p.New }), nil
}

// orderable refuses releases of one component that are no list of older and newer ones:
// one alone, and two of which only their builds tell which is newer.
func orderable(component string, all []pairing.Release) error {
	alone := true
	for _, a := range all {
		alone = alone && a == all[0]
		for _, b := range all {
			if scenarios.Unordered(a.Version, b.Version) {
				return fmt.Errorf("%s and %s: one is the newest patch of its minor, so only the builds tell which is newer, or whether they are one: leave one out, or name their pair with --pairs", a.Reference, b.Reference)
			}
		}
	}
	if alone {
		return fmt.Errorf("%s: is the only release of %s there, and a pair is of two: name another, or a release and itself with --pairs", all[0].Reference, component)
	}
	return nil
}

// pairsOffered are all pairs among what the sources of builds have.
func (a *app) pairsOffered(ctx context.Context, proxy bool) ([]pairing.Pair, error) {
	var all []pairing.Release
	for _, names := range a.builder().Releases(ctx) {
		ref, err := servers.ParseReference("frobber@" + names[0])
		if err != nil {
			return nil, err
		}
		all = append(all, releaseOf(ref))
	}
	built, err := builtReleases()
	if err != nil {
		return nil, err
	}
	versions := []string{}
	for _, v := range built[kubeapiserver.Component().Name] {
		if v.Prerelease() == "" { // others may be of a checkout, which no version names
			versions = append(versions, v.Original())
		}
	}
	if proxy {
		offered, err := kubeapiserver.Offered(ctx)
		if err != nil {
			return nil, fmt.Errorf("--offered: %w", err)
		}
		versions = append(versions, offered...)
	}
	for _, v := range versions {
		ref, err := servers.ParseReference(kubeapiserver.Component().Name + "@" + v)
		if err != nil {
			return nil, err
		}
		all = append(all, releaseOf(ref))
	}
	return pairing.Among(all), nil
}

// releaseOf is what a reference tells of a release.
func releaseOf(ref servers.Reference) pairing.Release {
	r := pairing.Release{Reference: ref.String(), Component: ref.Component, Version: ref.Version}
	if ref.Scheme == servers.SchemeManifests {
		r.Version = "" // of the module, which may be none of the server's
	}
	return r
}

// ownBuilt is the own pair of a scenario of a module's server, where both ends are built,
// and the scenario's file may choose what is executed.
func (a *app) ownBuilt(ctx context.Context, s *scenarios.Scenario, f matrixFlags) []pairing.Pair {
	if !s.Releases.OfModules() || !s.BuiltIn && !f.run.AllowPrograms {
		return nil
	}
	_, old, new, err := engine.Request{Scenario: s}.Releases()
	if err != nil || !a.builder().IsBuilt(ctx, old) || !a.builder().IsBuilt(ctx, new) {
		return nil
	}
	return []pairing.Pair{{Old: releaseOf(old), New: releaseOf(new)}}
}
