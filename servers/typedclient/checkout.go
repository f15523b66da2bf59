package typedclient

import (
	"context"
	"fmt"
	"strings"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/build"
)

// checkoutRevision must be incremented with every change of how the clients of a checkout are
// built.
const checkoutRevision = "1"

// checkoutFolder is the folder of the program in the copy of a checkout.
const checkoutFolder = "skewsim-typed-client"

// stamp is the part of the program that returns its release in a checkout, whose client-go has
// no version.
const stamp = `package main

// stamped is the checkout's version. The linker sets it.
var stamped string

func release() string { return stamped }
`

// FromCheckout builds the typed clients of a checkout of Kubernetes, from its staging modules,
// or takes them from the cache: they know fields that only the checkout has. They are built in
// the checkout's own module, and so with its vendor directory. A checkout older than 1.31 is a
// *servers.RequestError.
func FromCheckout(ctx context.Context, cache *build.Cache, c *build.Checkout, p build.Progress) (Build, error) {
	if err := recent(c.Version); err != nil {
		return Build{}, &servers.RequestError{Err: fmt.Errorf("%s of %s: %w", component, c.Reference, err)}
	}
	main, files, err := stampedFiles()
	if err != nil {
		return Build{}, fmt.Errorf("%s of %s: %w", component, c.Reference, err)
	}
	built, err := cache.Get(ctx, build.Recipe{
		Name: component, Version: c.Version, Reference: component + "@" + c.Place, Revision: checkoutRevision + " " + c.Revision(),
		Main: main, Files: files, Tree: c.Clients(checkoutFolder),
		Resolve: func(context.Context, *build.Go) (build.Module, error) {
			return build.Module{LDFlags: append(c.LDFlags(), "-X", "main.stamped="+c.Version)}, nil
		},
	}, p)
	if err != nil {
		return Build{}, err
	}
	return Build{Version: c.Version, Path: built.Path, Digest: built.Digest}, nil
}

// stampedFiles returns the program's main.go and its other files, with the stamp.
func stampedFiles() (main string, files map[string]string, err error) {
	if files, err = programFiles(); err != nil {
		return "", nil, err
	}
	main = strings.Replace(files["main.go"], "func release() string {", "func linked() string {", 1)
	delete(files, "main.go")
	files["stamp.go"] = stamp
	return main, files, nil
}
