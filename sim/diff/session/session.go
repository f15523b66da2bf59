package session

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/skewsim/skewsim/scenarios/suggest"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/pairing"
	"github.com/skewsim/skewsim/sim/probe"
	"github.com/skewsim/skewsim/sim/published"
)

// Request says what to compare.
type Request struct {
	// Pair is OLD..NEW: two references, or two files or folders with OpenAPI v3 documents.
	Pair string
	// Adapter is the file that says how servers of Go modules are started; "": none.
	Adapter string
	// Timeout is how long the servers of one release may take to start and to answer, without
	// builds.
	Timeout time.Duration
	// Kinds and Only choose differences, as diff.Filter does.
	Filter diff.Filter
}

// Compare returns the differences between the releases of a pair, and what each of them
// publishes. Errors in the request, and in files that it names, are of fault.User.
func Compare(ctx context.Context, from probe.Source, r Request) (result diff.Result, old, new published.Release, err error) {
	first, second, err := Split(r.Pair)
	if err == nil {
		err = errors.Join(probe.Follows(first, second), engine.AdaptsAny(r.Adapter, []string{first, second}))
	}
	if err != nil {
		return result, old, new, fault.ByUser(err)
	}
	options := probe.Options{Adapter: r.Adapter, Kinds: r.Filter.Kinds, Timeout: r.Timeout, EveryGate: true}
	if old, err = from.Get(ctx, first, options); err != nil {
		return result, old, new, err
	}
	if new, err = from.Get(ctx, second, options); err != nil {
		return result, old, new, err
	}
	if err := (pairing.Pair{Old: releaseOf(old), New: releaseOf(new)}).Check(); err != nil {
		return result, old, new, fault.ByUser(err)
	}
	if result, err = diff.Compare(old, new); err != nil {
		return result, old, new, fault.ByUser(err)
	}
	if err := errors.Join(serves(r.Filter, old, new), r.Filter.CheckGates(result)); err != nil {
		return result, old, new, fault.ByUser(err)
	}
	return r.Filter.Apply(result), old, new, nil
}

// serves returns an error for a kind of a filter that neither release has: no difference says
// nothing of it.
func serves(f diff.Filter, releases ...published.Release) error {
	kinds := map[string]bool{}
	var unknown = slices.Clone(f.Kinds)
	for _, release := range releases {
		for _, of := range release.Resources {
			kinds[of.Kind] = true
			unknown = slices.DeleteFunc(unknown, func(name string) bool { return diff.Place{APIVersion: of.APIVersion, Kind: of.Kind}.IsOf(name) })
		}
	}
	if len(unknown) == 0 {
		return nil
	}
	return fmt.Errorf("%s: neither release has this kind%s", unknown[0], suggest.Hint(unknown[0], slices.Sorted(maps.Keys(kinds)), "kinds"))
}

// releaseOf returns what is known of a release once it was asked. Folders of manifests have no
// versions that could be in an order.
func releaseOf(r published.Release) pairing.Release {
	return pairing.Release{Reference: r.Name, Component: r.Component, Version: r.Version}
}

// Split returns the names of OLD..NEW. A name is a reference, or an existing file or folder,
// which may have two dots in its name too.
func Split(pair string) (old, new string, err error) {
	first, second, err := servers.ParsePair(pair)
	if err == nil {
		return first.String(), second.String(), nil
	}
	for i := range pair {
		before, after, found := pair[:i], strings.TrimPrefix(pair[i:], ".."), strings.HasPrefix(pair[i:], "..")
		if found && exists(before) && exists(after) {
			return before, after, nil
		}
	}
	return "", "", fmt.Errorf("%w; nor are there two such files or folders with OpenAPI v3 documents", err)
}

func exists(name string) bool {
	_, err := os.Stat(name)
	return name != "" && err == nil
}
