package engine

import (
	"errors"
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/aggregated"
)

// CheckAdapters implements engine.Builds. It also refuses an adapter of another component
// than the scenario's, and flags for which an adapter has another name.
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

// flagsAt returns the flags that the scenario and the command line give to the servers of
// the reference at i.
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

// checkRenamed refuses forbidden flags under the names that the adapter gives them. Flags
// under their own names were refused before.
func checkRenamed(a aggregated.Adapter, ref servers.Reference, flags []string) error {
	var problems []error
	for _, flag := range flags {
		if why := a.Server().Against(flag); why != "" && aggregated.Component().Against(flag) == "" {
			problems = append(problems, fmt.Errorf("%s: flags: %s", ref, why))
		}
	}
	return errors.Join(problems...)
}
