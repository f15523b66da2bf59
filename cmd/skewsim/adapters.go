package main

import (
	"errors"
	"fmt"
	"slices"

	"github.com/spf13/pflag"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/aggregated"
	"github.com/skewsim/skewsim/sim/engine"
)

// registerAdapter registers the flag for an adapter's file.
func registerAdapter(flags *pflag.FlagSet, adapter *string) {
	flags.StringVar(adapter, "adapter", "", "of builds that are named as module:MODULE@VERSION, the `file` that says how their server is started")
}

// adaptsAny refuses an adapter that is for none of the builds of these names. Names that
// are no references are told of elsewhere.
func adaptsAny(adapter string, names []string) error {
	var refs []*servers.Reference
	for _, name := range names {
		if ref, err := servers.ParseReference(name); err == nil {
			refs = append(refs, &ref)
		}
	}
	return engine.Adapt(adapter, refs...)
}

// checkAdapters tells what is wrong with the adapters of references, of one whose component
// the scenario is not of, and of flags that one has another name for, before anything is
// built.
func (a *app) checkAdapters(s *scenarios.Scenario, refs ...servers.Reference) error {
	var problems []error
	for i, ref := range refs {
		if ref.Scheme != servers.SchemeModule {
			continue
		}
		adapter, err := a.builder().ReadAdapter(ref)
		if err == nil && adapter.Component != s.Releases.Of {
			err = fmt.Errorf("%s: is a %s, and the scenario of %s: correct component in the adapter's file, or releases.of", ref, adapter.Component, s.Releases.Of)
		}
		if err == nil {
			err = checkRenamed(adapter, ref, flagsAt(s, refs, i))
		}
		if err != nil && !slices.ContainsFunc(problems, func(other error) bool { return other.Error() == err.Error() }) {
			problems = append(problems, err)
		}
	}
	return errors.Join(problems...)
}

// flagsAt are those that the servers of the reference at i are given by the scenario, and by
// the command line.
func flagsAt(s *scenarios.Scenario, refs []servers.Reference, i int) []string {
	switch {
	case len(refs) > 2 && len(s.Releases.Through) == len(refs):
		return s.Releases.Through[i].Flags
	case len(refs) > 2:
		return nil
	case i == 0:
		return s.Old.Flags
	}
	return s.New.Flags
}

// checkRenamed tells of flags that no server may be given, under the names that the adapter
// has for them. Under their own they were refused before.
func checkRenamed(a aggregated.Adapter, ref servers.Reference, flags []string) error {
	var problems []error
	for _, flag := range flags {
		if why := a.Server().Against(flag); why != "" && aggregated.Component().Against(flag) == "" {
			problems = append(problems, fmt.Errorf("%s: flags: %s", ref, why))
		}
	}
	return errors.Join(problems...)
}
