package main

import (
	"context"
	"fmt"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/examples"
	"github.com/skewsim/skewsim/sim/fuzz"
	"github.com/skewsim/skewsim/sim/generate"
)

// examples are the objects that the source of each release has of its kinds. A release whose
// source is not available is left out, with a message: its objects are made of schemas alone.
func (a *app) examples(ctx context.Context, builds map[term.Role]servers.Build) map[term.Role]generate.Examples {
	all := map[term.Role]generate.Examples{}
	for role, b := range builds {
		found, err := a.examplesOf(ctx, b)
		if err != nil {
			fmt.Fprintf(a.err, "%s: its source cannot be read: %v; objects are made of what it publishes\n", b.Reference, err)
			continue
		}
		all[role] = generate.Examples(found)
	}
	return all
}

// examplesOf reads the examples of a build; nil: nothing tells where its source is.
func (a *app) examplesOf(ctx context.Context, b servers.Build) (examples.Objects, error) {
	ref, err := servers.ParseReference(b.Reference)
	switch {
	case err != nil || b.Installs != nil || b.Aggregated != nil || ref.Scheme == servers.SchemeTrain || ref.Scheme == servers.SchemeModule:
		return nil, nil
	case ref.Scheme == servers.SchemeSource:
		c, err := a.openCheckout(ctx, ref)
		if err != nil {
			return nil, nil // the build has told
		}
		return examples.Read(c.Folder(), fuzz.Namespace)
	case release.MatchString(b.Version):
		return examples.OfRelease(ctx, b.Version, fuzz.Namespace)
	}
	return nil, nil
}
