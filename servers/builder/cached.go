package builder

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/hashicorp/go-version"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/build"
)

// IsBuilt reports whether a build is there already.
func (b *Builder) IsBuilt(ctx context.Context, ref servers.Reference) bool {
	of, ok := kinds()[ref.Scheme]
	return ok && of.isBuilt(b, ctx, ref)
}

func isReleaseBuilt(_ *Builder, _ context.Context, ref servers.Reference) bool {
	built, err := Cached()
	return err == nil && slices.ContainsFunc(built, func(c build.Built) bool { return NameOf(c) == ref.String() })
}

// Cached returns what the cache of builds holds. It makes no cache.
func Cached() ([]build.Built, error) {
	dir, err := build.Place("")
	if err != nil {
		return nil, err
	}
	if _, err := os.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	cache, err := build.OpenCache("")
	if err != nil {
		return nil, err
	}
	return cache.List()
}

// CachedReleases returns the releases that are in the cache, by component, older ones first. Those
// that come with skewsim are never there. What was built of a checkout
// is no release: its version names no build.
func CachedReleases() (map[string][]*version.Version, error) {
	built, err := Cached()
	if err != nil {
		return nil, err
	}
	all := map[string][]*version.Version{}
	for _, b := range built {
		if v, err := version.NewVersion(b.Version); err == nil && b.Reference == "" {
			all[b.Name] = append(all[b.Name], v)
		}
	}
	for name, versions := range all {
		slices.SortFunc(versions, (*version.Version).Compare)
		all[name] = slices.CompactFunc(versions, (*version.Version).Equal)
	}
	return all, nil
}

// NameOf is how users name a cached build.
func NameOf(b build.Built) string { return cmp.Or(b.Reference, b.Name+"@"+b.Version) }

// SourceOf says what kind of thing a cached build was made from.
func SourceOf(b build.Built) string {
	from := NameOf(b)
	clients, typed := strings.CutPrefix(from, TypedClientPrefix)
	_, ofCheckout := CheckoutOf(clients)
	switch {
	case typed && ofCheckout:
		return "typed client of a checkout"
	case typed:
		return "typed client of a release"
	case ofCheckout:
		return "checkout"
	case b.From != "":
		return "published binary"
	}
	return "module"
}

// Remove removes the cached builds of a name, and returns how many there were.
func Remove(name string) (removed int, _ error) {
	cache, err := build.OpenCache("")
	if err != nil {
		return 0, err
	}
	built, err := cache.List()
	if err != nil {
		return 0, err
	}
	for _, b := range built {
		if NameOf(b) != name {
			continue
		}
		if err := cache.Remove(b.Key); err != nil {
			return removed, err
		}
		removed++
	}
	return removed, nil
}

// Related groups the names of builds: those of one release, or of one checkout, are made one
// after the other, the server first, since at once they would compile the same packages
// twice. The names are sorted.
func Related(names []string) (all [][]string) {
	of := map[string]int{}
	for _, name := range names { // sorted, so that typed clients come after servers
		release := strings.TrimPrefix(strings.TrimPrefix(name, TypedClientPrefix), "kube-apiserver@")
		if i, ok := of[release]; ok {
			all[i] = append(all[i], name)
			continue
		}
		of[release] = len(all)
		all = append(all, []string{name})
	}
	return all
}
