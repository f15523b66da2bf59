package result

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hashicorp/go-version"
)

// Pair returns the releases that were played, old then new, or says that none was ready.
func (r Result) Pair() string {
	if len(r.Releases) == 0 {
		return "no release was ready"
	}
	return strings.Join(r.Releases, " .. ")
}

// Component returns the component of the builds, from the first build that reports it. Results
// of earlier versions do not contain it, but a release's reference or an adapter does.
func (r Result) Component() string {
	for _, b := range r.Builds {
		if of := b.component(); of != "" {
			return of
		}
	}
	return ""
}

func (b Build) component() string {
	switch {
	case b.Component != "":
		return b.Component
	case b.Adapter != nil:
		return b.Adapter.Component
	}
	component, _, named := strings.Cut(b.Reference, "@")
	if scheme := strings.ContainsAny(component, ":/"); !named || scheme { // a digest's @, or a folder's
		return ""
	}
	return component
}

// Ordered returns the runs by component, pair (by version), scenario with its mutant, seed and
// path. Runs without that information are last.
func Ordered(sources []Source) []Source {
	all := slices.Clone(sources)
	slices.SortStableFunc(all, func(a, b Source) int {
		return cmp.Or(
			compareBools(!a.placed(), !b.placed()),
			cmp.Compare(a.component(), b.component()),
			slices.CompareFunc(a.Result.Releases, b.Result.Releases, compareReleases),
			cmp.Compare(a.Result.FullName(), b.Result.FullName()),
			cmp.Compare(a.Result.Seed, b.Result.Seed),
			cmp.Compare(a.Path, b.Path),
		)
	})
	return all
}

// compareReleases compares by version, if there is one, and then by the text, for mutants and
// releases with other options.
func compareReleases(a, b string) int {
	versionOf := func(release string) *version.Version {
		word, _, _ := strings.Cut(release, " ")
		v, err := version.NewVersion(word)
		if err != nil {
			return nil
		}
		return v
	}
	va, vb := versionOf(a), versionOf(b)
	if va == nil || vb == nil {
		return cmp.Or(compareBools(va == nil, vb == nil), cmp.Compare(a, b))
	}
	return cmp.Or(va.Core().Compare(vb.Core()), va.Compare(vb), cmp.Compare(a, b))
}

// compareBools orders false first.
func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}
