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

// Release is one end of a pair, as far as its reference tells.
type Release struct {
	Reference string // as it is written: frobber@1.1, path:./kube-apiserver
	Component string // "": only the build tells
	Version   string // likewise
}

// Pair is two releases, old and new.
type Pair struct{ Old, New Release }

// End returns the release of a role: the old one, else the new one.
func (p Pair) End(role term.Role) Release {
	if role == term.Old {
		return p.Old
	}
	return p.New
}

// Check refuses a pair of two components, and one whose old release is the newer one, as far
// as the releases are known.
func (p Pair) Check() error {
	if a, b := p.Old.Component, p.New.Component; a != "" && b != "" && a != b {
		return fmt.Errorf("the old release is a %s, the new one a %s: both ends of a pair are of one component", a, b)
	}
	return scenarios.InOrder(p.Old.Version, p.New.Version)
}

// String is the pair as it is written; the new end leaves out the component that it
// shares with the old one.
func (p Pair) String() string {
	if p.released() {
		return p.Old.Reference + ".." + p.New.Version
	}
	return p.Old.Reference + ".." + p.New.Reference
}

// released tells whether both ends are releases of one component, and named by their
// versions. Of folders, files and images, references alone tell one from another.
func (p Pair) released() bool {
	c := p.Old.Component
	return c != "" && p.New.Reference == c+"@"+p.New.Version && p.Old.Reference == c+"@"+p.Old.Version
}

// Short names the pair by its versions alone, for where there is little room.
func (p Pair) Short() string {
	return fileName(cmp.Or(p.Old.Version, p.Old.Reference) + "-" + cmp.Or(p.New.Version, p.New.Reference))
}

// Dir is the pair as the name of a directory: without anything that a file system, or
// an archive, takes for a path. Two pairs never have the same.
func (p Pair) Dir() string {
	if !p.released() {
		return fileName(p.Old.Reference + "-" + p.New.Reference)
	}
	return fileName(p.Old.Component + "@" + p.Old.Version + "-" + p.New.Version)
}

// fileName is text where it is a plain name, else what is plain of it with a digest of
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

// Apart is how many minor releases lie from the old end to the new one; false where
// that cannot be told. Ends of different major versions are further apart than any.
func (p Pair) Apart() (int, bool) {
	old, errOld := version.NewVersion(p.Old.Version)
	new, errNew := version.NewVersion(p.New.Version)
	if errOld != nil || errNew != nil {
		return 0, false
	}
	return MinorsApart(old, new), true
}

// MinorsApart is how many minor releases lie from one to the other. Releases of different
// major versions are further apart than any.
func MinorsApart(old, new *version.Version) int {
	const farther = 1000
	a, b := old.Segments(), new.Segments()
	return (b[0]-a[0])*farther + b[1] - a[1]
}

// Among pairs releases of each component, older ones first: every one with each that
// is as new or newer. Releases that stand there twice count once, and those without a
// version have no place in an order.
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

// Neighbours pairs each release with the next newer one that was named.
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

// inOrder sorts releases by component and version.
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

// CompareVersions goes by the version, and by the text where there is none.
func CompareVersions(a, b string) int {
	va, errA := version.NewVersion(a)
	vb, errB := version.NewVersion(b)
	if errA != nil || errB != nil {
		return cmp.Compare(a, b)
	}
	return cmp.Or(va.Compare(vb), cmp.Compare(a, b))
}

// ComparePairs goes by component, then by the versions of both ends.
func ComparePairs(a, b Pair) int {
	return cmp.Or(
		cmp.Compare(a.Old.Component, b.Old.Component),
		CompareVersions(a.Old.Version, b.Old.Version), CompareVersions(a.New.Version, b.New.Version),
		cmp.Compare(a.String(), b.String()),
	)
}
