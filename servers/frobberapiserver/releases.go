package frobberapiserver

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/servers/apiserver"
)

// Train lists the releases of the reference server. Each list has a release, its mutants and
// its variants.
type Train [][]string

// Releases asks the binary for its releases. It returns an error if no binary is found, or if
// its answer is invalid.
func (f Finder) Releases(ctx context.Context) (Train, error) {
	path, subcommand, err := f.find(ctx)
	if err != nil {
		return nil, err
	}
	answer, err := ask(ctx, path, subcommand, "releases")
	if err != nil {
		return nil, err
	}
	var all Train
	for line := range strings.Lines(answer) {
		if names := strings.Fields(line); len(names) > 0 {
			all = append(all, names)
		}
	}
	// An incomplete answer must not be used to refuse a release.
	if len(all) == 0 || !strings.HasSuffix(answer, "\n") {
		return nil, fmt.Errorf("%s: releases printed %q, want a line for each; run make build", path, apiserver.FirstLine(answer))
	}
	return all, nil
}

// Check returns one error for all releases that are not on the train, such as 1.99 or
// 1.1+requird, with the existing ones.
func (t Train) Check(releases ...string) error {
	var beyond []string
	var wrong []error
	for _, release := range releases {
		number, _, isMutant := strings.Cut(release, "+")
		at := slices.IndexFunc(t, func(names []string) bool { return names[0] == number })
		switch {
		case at < 0:
			beyond = append(beyond, release)
		case !isMutant || slices.Contains(t[at], release):
		case len(t[at]) == 1:
			wrong = append(wrong, fmt.Errorf("%s@%s: there is no such release: %s has no mutants", component, release, number))
		default:
			wrong = append(wrong, fmt.Errorf("%s@%s: there is no such release: of %s there are %s", component, release, number, strings.Join(t[at][1:], ", ")))
		}
	}
	if len(beyond) > 0 {
		wrong = append(wrong, fmt.Errorf("%s@%s: there is no such release: they are %s to %s", component, several(beyond), t[0][0], t[len(t)-1][0]))
	}
	return errors.Join(wrong...)
}

// several names the first of some releases, and the number of the others.
func several(releases []string) string {
	const named = 3
	if len(releases) <= named {
		return strings.Join(releases, ",")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(releases[:named], ","), len(releases)-named)
}
