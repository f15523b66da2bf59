package engine

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
	"github.com/skewsim/skewsim/servers/program"
	"github.com/skewsim/skewsim/sim/plan"
)

// FindScenario returns the scenario that a user names: a file, or a name of the catalogue. Its
// errors are those of reading the file, and of CheckFile.
func FindScenario(ctx context.Context, builds Checker, name, webhooks string) (*scenarios.Scenario, error) {
	s, err := load.Find(name)
	if err != nil {
		return nil, err
	}
	return s, CheckFile(ctx, builds, s, webhooks)
}

// CheckFile returns the errors of a scenario's file that need knowledge about servers, as
// scenario errors (strict.Errors): it names releases that do not exist, its chain does not
// meet its own constraints, or it gives servers flags that they may not have. Without the
// reference server's executable, it does not check which of its releases exist. With webhooks,
// definitions have these programs, and not those that the file names. Helm charts that builds may not have rendered are
// left unread: Prepare refuses them, and ChartsOf names them.
func CheckFile(ctx context.Context, builds Checker, s *scenarios.Scenario, webhooks string) error {
	var problems strict.Errors
	add := func(at string, err error) {
		problems = append(problems, problemsOf(s, at, err)...)
	}
	if s.Releases.Pair != "" {
		old, new, err := servers.ParsePair(s.Releases.Pair)
		old, new = Place(s, old, new, func(servers.Reference) bool { return true })
		if old.Scheme == servers.SchemeManifests && new.Scheme == servers.SchemeManifests {
			err = errors.Join(err, WithPrograms(webhooks, &old, &new))
		}
		at := "releases.pair"
		if s.Releases.Adapter != "" {
			at = "releases.adapter"
		}
		add("releases.pair", errors.Join(err, withoutCharts(builds.Known(ctx, old, new))))
		add(at, builds.CheckAdapters(s, old, new))
		if err == nil {
			add("releases.pair", builds.CheckReplaced(ctx, s, old, new))
			checkMutants(ctx, builds, s, old, new, add)
		}
	}
	if len(s.Releases.Through) > 0 {
		refs, err := servers.ParseThrough(s.Releases.Through.String())
		for i := range refs {
			if refs[i].Scheme == servers.SchemeManifests {
				refs[i].Manifests.Within = within(s) // the file names them
			}
		}
		add("releases.through", errors.Join(err, builds.Known(ctx, refs...), appliesToAll(s, refs)))
	}
	checkFlags(s, add)
	checkStages(s, add)
	if len(problems) == 0 {
		return nil
	}
	slices.SortStableFunc(problems, func(a, b strict.Problem) int { return a.Line - b.Line })
	return problems
}

// checkStages reports stages that lines name and no copy can reach, whatever the pair is.
func checkStages(s *scenarios.Scenario, add func(string, error)) {
	if len(s.Releases.Through) > 0 {
		return // each leg has stages of its own
	}
	_, err := plan.Build(s, plan.Pair{Old: string(term.Old), New: string(term.New)}, 0)
	var unplayable *plan.UnplayableError
	if errors.As(err, &unplayable) {
		for _, stage := range unplayable.Stages {
			add(stage.At, errors.New(stage.String()))
		}
	}
}

// checkFlags reports flags that no server of the scenario's component may have, or that no
// file may set, as far as the file says which releases they are for.
func checkFlags(s *scenarios.Scenario, add func(string, error)) {
	component := ComponentOf(s)
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

// CheckPrograms returns, as scenario errors, what the programs lack on this machine that a scenario's file names
// for its own pair. A run may name others, and reports what those lack.
func CheckPrograms(ctx context.Context, builds Checker, s *scenarios.Scenario) error {
	if s.Releases.Programs == "" || s.Releases.Pair == "" {
		return nil
	}
	old, new, err := servers.ParsePair(s.Releases.Pair)
	if err != nil {
		return err
	}
	old, new = Place(s, old, new, func(servers.Reference) bool { return true })
	if problems := problemsOf(s, "releases.programs", builds.CheckPrograms(ctx, old, new)); len(problems) > 0 {
		return strict.Errors(problems)
	}
	return nil
}

// problemsOf returns the problems of a joined error, each once, at a key of the scenario's file. Those of its program
// file are at the key that names that.
func problemsOf(s *scenarios.Scenario, at string, err error) (all []strict.Problem) {
	for _, e := range parts(err) {
		key := at
		if file := (*program.FileError)(nil); errors.As(e, &file) {
			key = "releases.programs"
		}
		for _, text := range texts(e) {
			all = append(all, strict.Problem{File: s.File, Line: s.LineOf(key), Path: strict.Written(s.Earlier, key), Text: text})
		}
	}
	slices.SortStableFunc(all, func(a, b strict.Problem) int { return strings.Compare(a.Text, b.Text) })
	return slices.Compact(all)
}

// texts returns the texts of the parts of what is wrong with one file.
func texts(err error) (all []string) {
	if file := (*program.FileError)(nil); errors.As(err, &file) {
		err = file.Err
	}
	for _, e := range parts(err) {
		all = append(all, e.Error())
	}
	return all
}

// parts returns the parts of a joined error.
func parts(err error) (all []error) {
	if err == nil {
		return nil
	}
	if joined, ok := err.(interface{ Unwrap() []error }); ok {
		for _, each := range joined.Unwrap() {
			all = append(all, parts(each)...)
		}
		return all
	}
	return []error{err}
}

// checkMutants reports mutants that the releases of the file's own pair do not have.
func checkMutants(ctx context.Context, builds Checker, s *scenarios.Scenario, old, new servers.Reference, add func(string, error)) {
	for _, name := range s.MutantNames() {
		right := new
		if s.Mutants[name].Of == term.Old {
			right = old
		}
		if builds.Known(ctx, right) != nil {
			continue // reported for the pair
		}
		wrong, err := right.Mutant(name)
		if err == nil {
			err = builds.Known(ctx, wrong)
		}
		add("mutants."+name, err)
	}
}
