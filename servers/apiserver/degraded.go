package apiserver

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"
)

// degradedAfter is how long a server must wait only for stored objects before skewsim asks why:
// on a busy machine it takes a while to read all objects.
const degradedAfter = 3 * time.Second

// degraded is the state of a server that may never get ready, because it cannot read some of
// what is stored.
type degraded struct {
	collections []string  // that it may be unable to read
	since       time.Time // since when nothing else is missing; zero if something is
}

// isDegraded reports whether the server is as ready as it gets: it waits only for stored
// objects to be read, and cannot list them. The LIST asks for pages, which the server reads
// from the store as long as its caches are not filled.
func (s *server) isDegraded(ctx context.Context, l *degraded, last error) bool {
	var u *unready
	if len(l.collections) == 0 || !errors.As(last, &u) || !u.waitsForStored() {
		l.since = time.Time{}
		return false
	}
	if l.since.IsZero() {
		l.since = time.Now()
	}
	if time.Since(l.since) < degradedAfter {
		return false
	}
	l.since = time.Now() // limits how often it is asked
	var unread []string
	for _, path := range l.collections {
		if code, _, err := s.get(ctx, path+"?limit=500"); err == nil && code == http.StatusInternalServerError {
			unread = append(unread, path)
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failing, s.unread = u.failing, unread
	return len(unread) > 0
}

// waitsForStored reports whether the server waits only for informers to sync, which may take
// forever, or for caches to fill, for which it waits a minute.
func (u *unready) waitsForStored() bool {
	return !slices.ContainsFunc(u.failing, func(check string) bool {
		return !strings.Contains(check, "]informer-sync ") && !isOfCaches(check)
	})
}

// settlesWithin is how long the informers of a degraded server may take on a busy machine.
const settlesWithin = 10 * time.Second

// Settles implements servers.Settling.
func (s *server) Settles(ctx context.Context) bool {
	poll := time.NewTicker(pollEvery)
	defer poll.Stop()
	for began := time.Now(); time.Since(began) < settlesWithin; {
		var u *unready
		if err := s.askReady(ctx); err == nil || errors.As(err, &u) && u.waitsForCaches() {
			return true
		}
		select {
		case <-s.done:
			return false
		case <-ctx.Done():
			return false
		case <-poll.C:
		}
	}
	return false
}

// waitsForCaches reports whether the server waits only for caches to fill.
func (u *unready) waitsForCaches() bool {
	return !slices.ContainsFunc(u.failing, func(check string) bool { return !isOfCaches(check) })
}

// isOfCaches reports whether a check fails until caches are filled: its hook gives up after a minute.
func isOfCaches(check string) bool { return strings.Contains(check, "storage-readiness ") }

// Lacks implements servers.Degraded.
func (s *server) Lacks(collections []string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	unread := slices.DeleteFunc(slices.Clone(s.unread), func(path string) bool { return !slices.Contains(collections, path) })
	if len(unread) == 0 {
		return ""
	}
	return fmt.Sprintf("%s: a LIST of %s is answered %d", strings.Join(s.failing, ", "), strings.Join(unread, ", "), http.StatusInternalServerError)
}
