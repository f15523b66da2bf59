package apiserver

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/skewsim/skewsim/servers"
)

const (
	// degradedAfter is how long a server must wait only for stored objects before skewsim asks why:
	// on a busy machine it takes a while to read all objects.
	degradedAfter = 3 * time.Second
	// informersWithin is how long informers may take at least once nothing else is missing.
	informersWithin = 10 * time.Second
)

// degraded is the state of a server that may never get ready, because it cannot read some of
// what is stored.
type degraded struct {
	collections []string      // that it may be unable to read
	began       time.Time     // the server's start
	within      time.Duration // the time that it has to get ready
	since       time.Time     // since when nothing else is missing; zero if something is
	asked       time.Time     // when the server was asked for LISTs
	lists       int           // how many LISTs of each collection it was asked for
}

// isDegraded reports whether the server is as ready as it gets: it waits only for stored
// objects to be read, and cannot list them. The LIST asks for pages, which the server reads
// from the store as long as its caches are not filled.
func (s *server) isDegraded(ctx context.Context, d *degraded, last error) bool {
	var u *unready
	if len(d.collections) == 0 || !errors.As(last, &u) || !u.waitsForStored() {
		d.since = time.Time{}
		return false
	}
	if d.since.IsZero() {
		d.since, d.asked = time.Now(), time.Now()
	}
	if time.Since(d.asked) < degradedAfter || !u.waitsForCaches() && !d.informersHadTime() {
		return false
	}
	d.asked = time.Now() // limits how often it is asked
	d.lists++
	lack := servers.Lack{Checks: u.checks(), Collections: s.unlistable(ctx, d.collections), Settles: u.waitsForCaches()}
	if lack.Any() && !lack.Settles {
		lack.Checks = slices.DeleteFunc(lack.Checks, isOfCaches)
		lack.Collections = s.awaited(ctx, lack.Collections, d.lists)
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lack = lack
	return lack.Any()
}

// informersHadTime reports whether informers would have synced by now if they could. One whose LIST was refused
// before the server had filled its caches waits before it asks again, for at most twice as long as it had waited:
// so they get twice the time that everything else took, on a busy machine too. At the latest it is decided
// before the server's time is over.
func (d *degraded) informersHadTime() bool {
	until := d.since.Add(max(informersWithin, 2*d.since.Sub(d.began)))
	if latest := d.began.Add(d.within * 3 / 4); latest.Before(until) {
		until = latest
	}
	return !time.Now().Before(until)
}

// unlistable returns the collections whose LIST the server answers with an error of its own.
func (s *server) unlistable(ctx context.Context, collections []string) (all []string) {
	for _, path := range collections {
		if code, _, err := s.get(ctx, path+"?limit=500"); err == nil && code == http.StatusInternalServerError {
			all = append(all, path)
		}
	}
	return all
}

// waitsForStored reports whether the server waits only for informers to sync, which may take
// forever, or for caches to fill, for which it waits a minute.
func (u *unready) waitsForStored() bool {
	return !slices.ContainsFunc(u.checks(), func(check string) bool { return check != "informer-sync" && !isOfCaches(check) })
}

// waitsForCaches reports whether the server waits only for caches to fill.
func (u *unready) waitsForCaches() bool {
	return !slices.ContainsFunc(u.checks(), func(check string) bool { return !isOfCaches(check) })
}

// isOfCaches reports whether a check fails until caches are filled: its hook gives up after a minute.
func isOfCaches(check string) bool { return check == "poststarthook/storage-readiness" }

// checks returns the names of the checks that fail: of [-]informer-sync failed: reason withheld, the name.
func (u *unready) checks() (names []string) {
	for _, line := range u.failing {
		name, _, _ := strings.Cut(strings.TrimPrefix(line, "[-]"), " ")
		names = append(names, name)
	}
	return names
}

// Lacks implements servers.Degraded.
func (s *server) Lacks(collections []string) servers.Lack {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lack.Of(collections)
}
