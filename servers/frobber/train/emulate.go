package train

import (
	"fmt"
	"slices"

	"github.com/skewsim/skewsim/servers/frobber/release"
)

// Emulate makes a release that emulates an earlier one, as --emulated-version has it
// (KEP-4330): gates, APIs and storage version are those of then. What no gate guards is
// the release's own: its fields, its defaults and its validation. Without an earlier one
// it is Find.
func Emulate(name, earlier string) (*release.Release, error) {
	r, err := Find(name)
	if err != nil || earlier == "" {
		return r, err
	}
	then, err := Find(earlier)
	if err != nil {
		return nil, fmt.Errorf("--emulated-version: %w", err)
	}
	names := Names()
	if slices.Index(names, then.Name) > slices.Index(names, r.Name) {
		return nil, fmt.Errorf("--emulated-version: release %s cannot emulate a later one, %s", r, then)
	}
	emulateGates(r, then)
	return r, emulateVersions(r, then)
}

// emulateGates gives gates the stage and the default of then. Those that came later are
// off, and nobody can switch them on. Those that are gone stay gone.
func emulateGates(r, then *release.Release) {
	for name, spec := range r.Gates {
		was, known := then.Gates[name]
		if !known {
			was = spec
			was.Default, was.LockToDefault = false, true
		}
		r.Gates[name] = was
	}
}

// emulateVersions serves the versions of then, in their order, and stores the version of
// then. The others are still read from the store.
func emulateVersions(r, then *release.Release) error {
	var served []release.Version
	for _, was := range then.Versions {
		v, known := r.Version(was.Name)
		if !known && was.Disabled {
			continue
		}
		if !known {
			return fmt.Errorf("--emulated-version: release %s has no version %s, which %s serves", r, was.Name, then)
		}
		v.Disabled, v.Deprecated = was.Disabled, was.Deprecated
		served = append(served, *v)
	}
	for _, v := range r.Versions {
		if _, known := then.Version(v.Name); !known {
			v.Disabled = true
			served = append(served, v)
		}
	}
	r.Versions, r.Storage = served, then.Storage
	return nil
}
