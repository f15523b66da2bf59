package frobberapiserver

import (
	"context"
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

// Check tells of a release that is not on the train, such as 1.99 or 1.1+requird,
// and which there are.
func (t Train) Check(release string) error {
	number, _, isTwin := strings.Cut(release, "+")
	at := slices.IndexFunc(t, func(names []string) bool { return names[0] == number })
	switch {
	case at < 0:
		return fmt.Errorf("%s@%s: there is no such release: they are %s to %s", component, release, t[0][0], t[len(t)-1][0])
	case !isTwin || slices.Contains(t[at], release):
		return nil
	case len(t[at]) == 1:
		return fmt.Errorf("%s@%s: there is no such release: %s has no twins", component, release, number)
	}
	return fmt.Errorf("%s@%s: there is no such release: of %s there are %s", component, release, number, strings.Join(t[at][1:], ", "))
}
