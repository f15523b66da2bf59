package engine

import (
	"errors"
	"slices"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
)

// Built plans the run of a pair again, with the versions of its builds: only the build of a
// path: reference says which release it is. It returns a user's error if the scenario does
// not apply to the builds.
func (r *Run) Built(old, new servers.Build) error {
	is, will := BuiltRelease(old), BuiltRelease(new)
	if err := errors.Join(applies(r.Scenario, is, will), r.near(is, will)); err != nil {
		return fault.ByUser(err)
	}
	r.Refs = []servers.Reference{asBuilt(r.Refs[0], old), asBuilt(r.Refs[1], new)}
	var err error
	if r.Plan, err = r.planned(old.Version, new.Version); err == nil {
		err = r.Plan.Undecided()
	}
	return fault.ByUser(err)
}

// BuiltSoFar records which of a chain's first releases are substitutes. It returns a user's
// error if the scenario does not apply to the last two builds.
func (r *Run) BuiltSoFar(builds []servers.Build) error {
	last := len(builds) - 1
	r.Refs, r.Legs.Releases = slices.Clone(r.Refs), slices.Clone(r.Legs.Releases)
	r.Refs[last] = asBuilt(r.Refs[last], builds[last])
	r.Legs.Releases[last] = r.Refs[last].String()
	if last == 0 {
		return nil
	}
	return fault.ByUser(applies(r.Scenario, BuiltRelease(builds[last-1]), BuiltRelease(builds[last])))
}

// asBuilt returns the reference of the build: another patch if that is the substitute.
func asBuilt(ref servers.Reference, b servers.Build) servers.Reference {
	if ref.IsSubstitutable() {
		ref.Version = b.Version
	}
	return ref
}
