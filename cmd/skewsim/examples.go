package main

import (
	"context"
	"fmt"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/fuzz"
	"github.com/skewsim/skewsim/sim/generate"
)

// examples are the objects that the source of each release has of its kinds. A release whose
// source is not available is left out, with a message: its objects are made of schemas alone.
func (a *app) examples(ctx context.Context, builds map[term.Role]servers.Build) map[term.Role]generate.Examples {
	all := map[term.Role]generate.Examples{}
	for role, b := range builds {
		found, err := a.builder().Examples(ctx, b, fuzz.Namespace)
		if err != nil {
			fmt.Fprintf(a.err, "%s: its source cannot be read: %v; objects are made of what it publishes\n", b.Reference, err)
			continue
		}
		all[role] = generate.Examples(found)
	}
	return all
}
