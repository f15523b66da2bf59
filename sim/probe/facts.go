package probe

import (
	"context"
	"fmt"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/source"
)

// Facts returns what the source of a build says; false: there is no source at hand. Nil: no source
// is read.
type Facts func(ctx context.Context, b servers.Build) (source.Facts, bool, error)

// Of returns what the source of a build says, or why that is missing. Definitions that are
// installed on a server have no source of their own.
func (f Facts) Of(ctx context.Context, b servers.Build) (facts *source.Facts, missing []string, err error) {
	if f == nil {
		return nil, nil, nil
	}
	found, has, err := f(ctx, b)
	switch {
	case ctx.Err() != nil:
		return nil, nil, ctx.Err()
	case err != nil:
		return nil, []string{fmt.Sprintf("%s: its source cannot be read: %v; what only source says is not compared", b.Reference, err)}, nil
	case !has && b.Installs != nil:
		return nil, nil, nil
	case !has:
		return nil, []string{b.Reference + ": no source is at hand, so defaults of gates, +k8s: rules, protobuf numbers, admission plug-ins, roles and field selectors are not compared"}, nil
	}
	return &found, nil, nil
}
