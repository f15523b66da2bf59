package fleet

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// inAdapter returns where the adapter of a module's server says something.
func (u *unstartable) inAdapter(key string) string {
	b := u.options.builds[u.release.Role]
	return cmp.Or(b.Aggregated.File, "the adapter of "+b.Reference) + ": " + key
}

// adapterHas returns where the adapter of a module's server sets a flag, or gives that name
// to a flag that skewsim sets; ok is false if it does not, or if the scenario sets that
// flag.
func (u *unstartable) adapterHas(flag string) (where string, ok bool) {
	a := u.options.builds[u.release.Role].Aggregated
	if a == nil || slices.ContainsFunc(u.release.Options.Flags, isFlag(flag)) {
		return "", false
	}
	if slices.ContainsFunc(a.Flags, isFlag(flag)) {
		return u.inAdapter("flags"), true
	}
	for _, name := range slices.Sorted(maps.Keys(a.Names)) {
		if a.Names[name] == flag {
			return u.inAdapter("names." + name), true
		}
	}
	return "", false
}

// unknownGlobals matches the message about a component that the adapter names, and the
// server does not have.
func (u *unstartable) unknownGlobals(m []string) (where, what string) {
	a := u.options.builds[u.release.Role].Aggregated
	if a == nil || a.Globals != strings.Trim(m[1], `"`) {
		return "", ""
	}
	return u.inAdapter("globals"), fmt.Sprintf("%s has no component %s with gates and versions: correct it, or leave it out",
		u.version(u.release.Role), a.Globals)
}

// isFlag reports whether a flag has the name, with or without a value.
func isFlag(name string) func(flag string) bool {
	return func(flag string) bool { return flag == "--"+name || strings.HasPrefix(flag, "--"+name+"=") }
}
