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
	"github.com/skewsim/skewsim/servers/build"
)

// Prefer is like Get, but if the release is not available it returns another patch of its
// minor: the newest that is built, or else the newest available one. Asked of the build is then
// the requested release. The error is that of the release itself.
func Prefer(ctx context.Context, cache *build.Cache, version string, p build.Progress) (servers.Build, error) {
	return prefer(ctx, cache, version, p, newest)
}

// PreferOffered is like Prefer, but the substitute does not depend on the cache: it is the
// newest patch that is available from the module proxy.
func PreferOffered(ctx context.Context, cache *build.Cache, version string, p build.Progress) (servers.Build, error) {
	return prefer(ctx, cache, version, p, newestOffered)
}

// another builds a patch of a minor release.
type another func(ctx context.Context, cache *build.Cache, minor string, p build.Progress) (servers.Build, error)

func prefer(ctx context.Context, cache *build.Cache, version string, p build.Progress, instead another) (servers.Build, error) {
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
		p.Phase(fmt.Sprintf("%s is not available: using %s of the same minor", other.Asked, other.Version))
	}
	return other, nil
}

// Unavailable reports whether an error means that a release is not available here and now, so
// that another release may help.
func Unavailable(err error) bool {
	var request *servers.RequestError
	var lacks *build.UnavailableError // for a typed client, or a kubectl
	return errors.As(err, &request) || errors.As(err, &lacks) || errors.Is(err, build.ErrOffline)
}

func isMinor(version string) bool { return regexp.MustCompile(`^v1\.[0-9]+$`).MatchString(version) }

// newest returns the newest patch of a minor release that is built, or else the newest that can
// be built.
func newest(ctx context.Context, cache *build.Cache, minor string, p build.Progress) (servers.Build, error) {
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
func newestOffered(ctx context.Context, cache *build.Cache, minor string, p build.Progress) (servers.Build, error) {
	tool, err := build.NewGo(os.TempDir())
	if err != nil {
		return servers.Build{}, err
	}
	var problem error
	for _, version := range kubernetes().Patches(ctx, tool, minor) {
		b, err := get(ctx, cache, version, p)
		if err == nil || !Unavailable(err) {
			return b, err
		}
		problem = cmp.Or(problem, err) // the newest patch's error is the most useful
	}
	if problem == nil {
		problem = kubernetes().Missing(ctx, tool, minor)
	}
	err = fmt.Errorf("%s@%s: no patch of it is available: %w", component, minor, problem)
	if errors.Is(problem, build.ErrOffline) { // a retry may succeed
		return servers.Build{}, err
	}
	return servers.Build{}, &servers.RequestError{Err: err}
}

// builtPatches returns the releases of a minor that are in the cache, newest first. Builds of a
// checkout are not releases, whatever their version is.
func builtPatches(cache *build.Cache, minor string) (all []string, err error) {
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
