package pairing

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/hashicorp/go-version"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
)

// Release is one release of a pair, as far as its reference describes it.
type Release struct {
	Reference string // the reference as written: frobber@1.1, path:./kube-apiserver
	Component string // "": only the build knows
	Version   string // "": only the build knows
}

// Pair is two releases, old and new.
type Pair struct{ Old, New Release }

// End returns the old release for term.Old, otherwise the new one.
func (p Pair) End(role term.Role) Release {
	if role == term.Old {
		return p.Old
	}
	return p.New
}

// Check refuses a pair of two components, or a pair whose old release is newer than its new
// one, as far as the releases are known.
func (p Pair) Check() error {
	if a, b := p.Old.Component, p.New.Component; a != "" && b != "" && a != b {
		return fmt.Errorf("the old release is a %s, the new one a %s: the releases of a pair are of one component", a, b)
	}
	return scenarios.InOrder(p.Old.Version, p.New.Version)
}

// String returns the pair as users write it; the new release leaves out the component that it
// shares with the old one.
func (p Pair) String() string {
	if p.released() {
		return p.Old.Reference + ".." + p.New.Version
	}
	return p.Old.Reference + ".." + p.New.Reference
}

// released reports whether both releases are of one component and named by their versions.
// Folders, files and images have only a reference.
func (p Pair) released() bool {
	c := p.Old.Component
	return c != "" && p.New.Reference == c+"@"+p.New.Version && p.Old.Reference == c+"@"+p.Old.Version
}

// Short returns the pair by its versions alone, for narrow columns.
func (p Pair) Short() string {
	return fileName(cmp.Or(p.Old.Version, p.Old.Reference) + "-" + cmp.Or(p.New.Version, p.New.Reference))
}

// Dir returns the pair as a directory name, without characters that a file system or an archive
// treats as a path. Different pairs have different names.
func (p Pair) Dir() string {
	if !p.released() {
		return fileName(p.Old.Reference + "-" + p.New.Reference)
	}
	return fileName(p.Old.Component + "@" + p.Old.Version + "-" + p.New.Version)
}

// fileName returns the text if it is a plain name, otherwise its plain part with a digest of
// the whole.
func fileName(text string) string {
	const most = 80
	plain := regexp.MustCompile(`[^A-Za-z0-9@.+_-]+`).ReplaceAllString(text, "_")
	plain = strings.Trim(strings.ReplaceAll(plain, "..", "_"), "._")
	if plain == text && len(text) <= most {
		return text
	}
	sum := sha256.Sum256([]byte(text))
	return plain[:min(len(plain), most)] + "-" + hex.EncodeToString(sum[:4])
}

// Apart returns how many minor releases the new release is after the old one; false if that is
// unknown. Releases of different major versions are further apart than any others.
func (p Pair) Apart() (int, bool) {
	old, errOld := version.NewVersion(p.Old.Version)
	new, errNew := version.NewVersion(p.New.Version)
	if errOld != nil || errNew != nil {
		return 0, false
	}
	return MinorsApart(old, new), true
}

// MinorsApart returns how many minor releases one version is after another. Releases of
// different major versions are further apart than any others.
func MinorsApart(old, new *version.Version) int {
	const farther = 1000
	a, b := old.Segments(), new.Segments()
	return (b[0]-a[0])*farther + b[1] - a[1]
}

// Among returns pairs of releases of the same component: every release with each that is as new
// or newer. Duplicates count once, and releases without a version are left out, because they
// have no order.
func Among(releases []Release) []Pair {
	var pairs []Pair
	all := inOrder(releases)
	for i, old := range all {
		for _, new := range all[i:] {
			if old.Component == new.Component {
				pairs = append(pairs, Pair{old, new})
			}
		}
	}
	return pairs
}

// Neighbours pairs each release with the next newer one in the list.
func Neighbours(releases []Release) []Pair {
	var pairs []Pair
	all := inOrder(releases)
	for i, new := range all[min(1, len(all)):] {
		if old := all[i]; old.Component == new.Component {
			pairs = append(pairs, Pair{old, new})
		}
	}
	return pairs
}

// inOrder returns releases sorted by component and version.
func inOrder(releases []Release) []Release {
	all := slices.DeleteFunc(slices.Clone(releases), func(r Release) bool {
		_, err := version.NewVersion(r.Version)
		return err != nil
	})
	slices.SortStableFunc(all, func(a, b Release) int {
		return cmp.Or(cmp.Compare(a.Component, b.Component), CompareVersions(a.Version, b.Version), cmp.Compare(a.Reference, b.Reference))
	})
	return slices.Compact(all)
}

// CompareVersions compares two releases by version, or by text if they have none.
func CompareVersions(a, b string) int {
	va, errA := version.NewVersion(a)
	vb, errB := version.NewVersion(b)
	if errA != nil || errB != nil {
		return cmp.Compare(a, b)
	}
	return cmp.Or(va.Compare(vb), cmp.Compare(a, b))
}

// ComparePairs compares two pairs by component, then by the versions of both releases.
func ComparePairs(a, b Pair) int {
	return cmp.Or(
		cmp.Compare(a.Old.Component, b.Old.Component),
		CompareVersions(a.Old.Version, b.Old.Version), CompareVersions(a.New.Version, b.New.Version),
		cmp.Compare(a.String(), b.String()),
	)
}
