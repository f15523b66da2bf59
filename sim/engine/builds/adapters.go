package builds

import (
	"errors"
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/aggregated"
)

// CheckAdapters implements engine.Builds. It also refuses an adapter of a component that
// the scenario is not of, and flags that an adapter has another name for.
func (m Made) CheckAdapters(s *scenarios.Scenario, refs ...servers.Reference) error {
	var problems []error
	for i, ref := range refs {
		if ref.Scheme != servers.SchemeModule {
			continue
		}
		adapter, err := m.ReadAdapter(ref)
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

// checkRenamed refuses flags that no server may be given, under the names that the adapter
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
