package kubeapiserver

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"regexp"
	"slices"

	"golang.org/x/mod/semver"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/gobuild"
)

// Prefer is Get, but where the release cannot be had another patch of its minor serves:
// the newest that is built, else the newest that can be had. The build then says in
// Asked what it serves for. The error is that of the release itself.
func Prefer(ctx context.Context, cache *gobuild.Cache, version string, p gobuild.Progress) (servers.Build, error) {
	return prefer(ctx, cache, version, p, newest)
}

// PreferOffered is Prefer, but the patch that serves instead does not depend on what was
// built before: it is the newest that is available from the module proxy.
func PreferOffered(ctx context.Context, cache *gobuild.Cache, version string, p gobuild.Progress) (servers.Build, error) {
	return prefer(ctx, cache, version, p, newestOffered)
}

// another builds a patch of a minor release.
type another func(ctx context.Context, cache *gobuild.Cache, minor string, p gobuild.Progress) (servers.Build, error)

func prefer(ctx context.Context, cache *gobuild.Cache, version string, p gobuild.Progress, instead another) (servers.Build, error) {
	b, err := Get(ctx, cache, version, p)
	if isMinor(version) || !Unavailable(err) {
		return b, err
	}
	other, otherErr := instead(ctx, cache, semver.MajorMinor(version), p)
	if otherErr != nil {
		return b, err
	}
	other.Asked = component + "@" + version
	if p != nil {
		p.Phase(fmt.Sprintf("%s cannot be had: %s serves, of the same minor", other.Asked, other.Version))
	}
	return other, nil
}

// Unavailable tells whether an error says that a release cannot be had here, and now:
// what another release may help with.
func Unavailable(err error) bool {
	var request *servers.RequestError
	var lacks *gobuild.UnavailableError // of a typed client, or a kubectl
	return errors.As(err, &request) || errors.As(err, &lacks) || errors.Is(err, gobuild.ErrOffline)
}

func isMinor(version string) bool { return regexp.MustCompile(`^v1\.[0-9]+$`).MatchString(version) }

// newest gives the newest patch of a minor release that is built, else the newest that
// can be.
func newest(ctx context.Context, cache *gobuild.Cache, minor string, p gobuild.Progress) (servers.Build, error) {
	built, err := builtPatches(cache, minor)
	if err != nil {
		return servers.Build{}, err
	}
	for _, version := range built {
		if b, err := get(ctx, cache, version, p); err == nil {
			return b, nil
		}
	}
	return newestOffered(ctx, cache, minor, p)
}

// newestOffered builds the newest patch of a minor release that is available from the
// module proxy.
func newestOffered(ctx context.Context, cache *gobuild.Cache, minor string, p gobuild.Progress) (servers.Build, error) {
	tool, err := gobuild.NewGo(os.TempDir())
	if err != nil {
		return servers.Build{}, err
	}
	var problem error
	for _, version := range kubernetes().Patches(ctx, tool, minor) {
		b, err := get(ctx, cache, version, p)
		if err == nil || !Unavailable(err) {
			return b, err
		}
		problem = cmp.Or(problem, err) // the newest one's says most
	}
	if problem == nil {
		problem = kubernetes().Missing(ctx, tool, minor)
	}
	err = fmt.Errorf("%s@%s: no patch of it can be had: %w", component, minor, problem)
	if errors.Is(problem, gobuild.ErrOffline) { // another time it may
		return servers.Build{}, err
	}
	return servers.Build{}, &servers.RequestError{Err: err}
}

// builtPatches are the releases of a minor that are in the cache, newest first. What was
// built of a checkout is no release, whatever version it says.
func builtPatches(cache *gobuild.Cache, minor string) (all []string, err error) {
	list, err := cache.List()
	for _, b := range list {
		if b.Name == component && b.Reference == "" && semver.MajorMinor(b.Version) == minor && semver.Prerelease(b.Version) == "" {
			all = append(all, b.Version)
		}
	}
	semver.Sort(all)
	slices.Reverse(all)
	return slices.Compact(all), err
}
