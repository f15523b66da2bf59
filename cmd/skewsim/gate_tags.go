package main

import (
	"context"
	"fmt"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
)

// gateTags are the feature gates that the source of each release names of its fields, as
// JSON. A release whose source is not available is left out, with a message: its gates
// are those that it publishes.
func (a *app) gateTags(ctx context.Context, builds map[term.Role]servers.Build, say func(string)) map[term.Role][]byte {
	all := map[term.Role][]byte{}
	for role, b := range builds {
		text, err := a.builder().GateTags(ctx, b)
		if err != nil {
			say(fmt.Sprintf("%s: the source of its types cannot be read: %v; the gates of fields are those that descriptions name", b.Reference, err))
			continue
		}
		if text != nil {
			all[role] = text
		}
	}
	return all
}
