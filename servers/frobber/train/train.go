package train

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/servers/frobber/release"
)

// edit changes the release before into the next one.
type edit func(*release.Release)

// stop is one release of the train, and how it can be made wrong.
type stop struct {
	name  string
	right edit
	twins map[string]edit // by name; each takes the place of right
}

// stops are the releases, the oldest first.
func stops() []stop {
	return []stop{
		{"1.0", base, nil},
		{"1.1", addField, map[string]edit{}},
	}
}

// Names lists the right releases, the oldest first.
func Names() []string {
	var all []string
	for _, s := range stops() {
		all = append(all, s.name)
	}
	return all
}

// Twins lists the twins of a release, sorted.
func Twins(name string) []string {
	for _, s := range stops() {
		if s.name == name {
			return slices.Sorted(maps.Keys(s.twins))
		}
	}
	return nil
}

// Find makes a release by its name: 1.1, or 1.1+required for a twin. The
// releases before a twin are right. The error names those that there are.
func Find(name string) (*release.Release, error) {
	number, twin, isTwin := strings.Cut(name, "+")
	r := &release.Release{}
	for _, s := range stops() {
		if s.name != number {
			s.right(r)
			continue
		}
		apply := s.right
		if isTwin {
			if apply = s.twins[twin]; apply == nil {
				return nil, fmt.Errorf("release %q: %s has no twin %q (twins: %s)", name, number, twin, strings.Join(Twins(number), ", "))
			}
		}
		apply(r)
		r.Name, r.Twin = number, twin
		return r, nil
	}
	return nil, fmt.Errorf("release %q: not on the train (releases: %s)", name, strings.Join(Names(), ", "))
}
