package frobberapiserver

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/servers/apiserver"
)

// Train are the releases that the reference server has, a list for each release:
// itself, then its twins and its other right ways.
type Train [][]string

// Releases asks the binary which releases there are. Errors: no binary is found, or
// it does not say.
func Releases(ctx context.Context) (Train, error) {
	path, err := find()
	if err != nil {
		return nil, err
	}
	answer, err := apiserver.Ask(ctx, path, "releases")
	if err != nil {
		return nil, err
	}
	var all Train
	for line := range strings.Lines(answer) {
		if names := strings.Fields(line); len(names) > 0 {
			all = append(all, names)
		}
	}
	// What is cut off is no list to refuse a release by.
	if len(all) == 0 || !strings.HasSuffix(answer, "\n") {
		return nil, fmt.Errorf("%s: releases printed %q, want a line for each; run make build", path, apiserver.FirstLine(answer))
	}
	return all, nil
}

// Check tells of releases that are not on the train, such as 1.99 or 1.1+requird,
// all at once, and which there are.
func (t Train) Check(releases ...string) error {
	var beyond []string
	var wrong []error
	for _, release := range releases {
		number, _, isTwin := strings.Cut(release, "+")
		at := slices.IndexFunc(t, func(names []string) bool { return names[0] == number })
		switch {
		case at < 0:
			beyond = append(beyond, release)
		case !isTwin || slices.Contains(t[at], release):
		case len(t[at]) == 1:
			wrong = append(wrong, fmt.Errorf("%s@%s: there is no such release: %s has no twins", component, release, number))
		default:
			wrong = append(wrong, fmt.Errorf("%s@%s: there is no such release: of %s there are %s", component, release, number, strings.Join(t[at][1:], ", ")))
		}
	}
	if len(beyond) > 0 {
		wrong = append(wrong, fmt.Errorf("%s@%s: there is no such release: they are %s to %s", component, several(beyond), t[0][0], t[len(t)-1][0]))
	}
	return errors.Join(wrong...)
}

// several names the first of some releases, and how many there are more.
func several(releases []string) string {
	const named = 3
	if len(releases) <= named {
		return strings.Join(releases, ",")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(releases[:named], ","), len(releases)-named)
}
