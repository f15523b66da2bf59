package frobberapiserver

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/apiserver"
)

// Check tells which of the references are no releases of the train, all at once and
// with one question, so that a long chain is refused before any of its builds is
// made. References to other builds it leaves alone. Errors: *servers.RequestError.
func Check(ctx context.Context, refs []servers.Reference) error {
	if !slices.ContainsFunc(refs, func(r servers.Reference) bool { return r.Scheme == servers.SchemeTrain }) {
		return nil
	}
	path, err := find()
	if err != nil {
		return nil // there is nobody to ask: Get says so, and a plan needs no server
	}
	answer, err := apiserver.Ask(ctx, path, "releases")
	if err != nil {
		return fmt.Errorf("%s: releases: %w", path, err)
	}
	return missing(answer, refs)
}

// missing holds references against the list of releases: a line for each, with its
// twins and variants behind it.
func missing(list string, refs []servers.Reference) error {
	known, names := map[string]bool{}, []string{}
	for line := range strings.Lines(list) {
		words := strings.Fields(line)
		for i, word := range words {
			known[word] = true
			if i == 0 {
				names = append(names, word)
			}
		}
	}
	var unknown []string
	for _, ref := range refs {
		if ref.Scheme == servers.SchemeTrain && !known[ref.Version] {
			unknown = append(unknown, ref.String())
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	return &servers.RequestError{Err: fmt.Errorf("%s: not on the train (releases: %s; their twins: %s releases)",
		strings.Join(unknown, ", "), strings.Join(names, ", "), binary)}
}
