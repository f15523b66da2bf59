package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/load"
	"github.com/skewsim/skewsim/scenarios/strict"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/frobberapiserver"
)

// find finds the scenario that the user names, and tells what is wrong with the
// releases that its file names.
func (a *app) find(ctx context.Context, name string) (*scenarios.Scenario, error) {
	s, err := load.Find(name)
	if err != nil {
		return nil, err
	}
	return s, a.checkFile(ctx, s)
}

// checkFile tells what only servers know to be wrong with a scenario's file: that
// it names releases which there are not, that its chain does not meet its own
// constraints, or that it gives servers flags which no server may have. Without the
// reference server's executable it knows no releases.
func (a *app) checkFile(ctx context.Context, s *scenarios.Scenario) error {
	var problems strict.Errors
	add := func(at string, err error) {
		for _, text := range parts(err) {
			problems = append(problems, strict.Problem{File: s.File, Line: s.LineOf(at), Path: at, Text: text})
		}
	}
	if s.Releases.Pair != "" {
		old, new, err := servers.ParsePair(s.Releases.Pair)
		old, new = placed(s, old, new, func(servers.Reference) bool { return true })
		at := "releases.pair"
		if s.Releases.Adapter != "" {
			at = "releases.adapter"
		}
		add("releases.pair", errors.Join(err, a.known(ctx, old, new)))
		add(at, checkAdapters(s, old, new))
		if err == nil {
			add("releases.pair", a.checkReplaced(ctx, s, old, new))
			a.checkTwins(ctx, s, old, new, add)
		}
	}
	if len(s.Releases.Through) > 0 {
		refs, err := servers.ParseThrough(s.Releases.Through.String())
		add("releases.through", errors.Join(err, a.known(ctx, refs...), appliesToAll(s, refs)))
	}
	checkFlags(s, add)
	if len(problems) == 0 {
		return nil
	}
	slices.SortStableFunc(problems, func(a, b strict.Problem) int { return a.Line - b.Line })
	return problems
}

// checkFlags tells of flags that no server of the scenario's component may be given, or
// that no file may give its servers, as far as the file says which releases they are.
func checkFlags(s *scenarios.Scenario, add func(string, error)) {
	component := componentOf(s)
	against := func(at, release string, flags []string) {
		for i, flag := range flags {
			if why := component.AgainstFile(flag, release); why != "" {
				add(fmt.Sprintf("%s.flags[%d]", at, i), errors.New(why))
			}
		}
	}
	_, oldVersion, newVersion, _ := s.Releases.Ends()
	against("old", oldVersion, s.Old.Flags)
	against("new", newVersion, s.New.Flags)
	for i, point := range s.Releases.Through {
		_, release, _ := strings.Cut(point.Release, "@")
		against(fmt.Sprintf("releases.through[%d]", i), release, point.Flags)
	}
}

// parts are the texts of the errors that one is joined from, each once.
func parts(err error) (all []string) {
	if err == nil {
		return nil
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, each := range joined.Unwrap() {
			all = append(all, parts(each)...)
		}
		slices.Sort(all)
		return slices.Compact(all)
	}
	return []string{err.Error()}
}

// checkTwins tells of twins that the file's own pair has not.
func (a *app) checkTwins(ctx context.Context, s *scenarios.Scenario, old, new servers.Reference, add func(string, error)) {
	for _, name := range s.TwinNames() {
		right := new
		if s.Twins[name].Of == term.Old {
			right = old
		}
		if a.known(ctx, right) != nil {
			continue // the pair's problem
		}
		wrong, err := right.Twin(name)
		if err == nil {
			err = a.known(ctx, wrong)
		}
		add("twins."+name, err)
	}
}

// appliesToAll holds the hops of a chain against the scenario's constraints, up to
// the first that does not meet them.
func appliesToAll(s *scenarios.Scenario, refs []servers.Reference) error {
	for i := 1; i < len(refs); i++ {
		if err := applies(s, ofReference(refs[i-1]), ofReference(refs[i])); err != nil {
			return err
		}
	}
	return nil
}

// known tells of releases of the reference server that there are not. Where it has
// no executable, or that does not say, whoever builds them will tell.
func (a *app) known(ctx context.Context, refs ...servers.Reference) error {
	if err := a.checkManifests(ctx, refs...); err != nil {
		return err
	}
	var named []string
	for _, ref := range refs {
		if ref.Scheme == servers.SchemeTrain {
			named = append(named, ref.Version)
		}
	}
	if len(named) == 0 {
		return nil
	}
	if train := a.releases(ctx); train != nil {
		return train.Check(named...)
	}
	return nil
}

// releases asks once.
func (a *app) releases(ctx context.Context) frobberapiserver.Train {
	if a.parent != nil {
		return a.parent.releases(ctx)
	}
	a.asked.Do(func() {
		if train, err := frobberapiserver.Releases(ctx); err == nil {
			a.train = train
		}
	})
	return a.train
}
