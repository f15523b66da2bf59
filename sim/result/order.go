package result

import (
	"cmp"
	"slices"
	"strings"

	"github.com/hashicorp/go-version"
)

// Pair names the releases that were played, old then new; that none was ready is
// said too.
func (r Result) Pair() string {
	if len(r.Releases) == 0 {
		return "no release was ready"
	}
	return strings.Join(r.Releases, " .. ")
}

// component is what the builds are of: what stands before the version in the first
// reference that has one.
func (r Result) component() string {
	for _, b := range r.Builds {
		if component, _, named := strings.Cut(b.Reference, "@"); named {
			return component
		}
	}
	return ""
}

// Ordered returns the runs by component, pair (as versions go), scenario with its
// twin, seed and path. Those without a result come last.
func Ordered(sources []Source) []Source {
	all := slices.Clone(sources)
	slices.SortStableFunc(all, func(a, b Source) int {
		return cmp.Or(
			compareBools(a.Problem != "", b.Problem != ""),
			cmp.Compare(a.Result.component(), b.Result.component()),
			slices.CompareFunc(a.Result.Releases, b.Result.Releases, compareReleases),
			cmp.Compare(a.Result.FullName(), b.Result.FullName()),
			cmp.Compare(a.Result.Seed, b.Result.Seed),
			cmp.Compare(a.Path, b.Path),
		)
	})
	return all
}

// compareReleases goes by the version, as far as there is one, and then by the text:
// of twins, and of releases with other options.
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

// compareBools has false come first.
func compareBools(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}
