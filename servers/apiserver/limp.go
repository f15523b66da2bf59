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

// limpsAfter is how long nothing but what is stored must keep a server from being
// ready before it is asked why: on a busy machine to read all takes a while.
const limpsAfter = 3 * time.Second

// limp is what is known of a server that may not get ready, since it cannot read
// some of what is stored.
type limp struct {
	collections []string  // that it may be unable to read
	since       time.Time // nothing else was missing from then on; zero: something is
}

// limps tells whether the server is as ready as it gets: it only waits for what is
// stored to be read, and cannot list it. It is asked for pages, which it takes from
// the store itself as long as its caches are not filled.
func (s *server) limps(ctx context.Context, l *limp, last error) bool {
	var u *unready
	if len(l.collections) == 0 || !errors.As(last, &u) || !u.waitsForStored() {
		l.since = time.Time{}
		return false
	}
	if l.since.IsZero() {
		l.since = time.Now()
	}
	if time.Since(l.since) < limpsAfter {
		return false
	}
	l.since = time.Now() // not to ask all the time
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

// waitsForStored tells whether nothing is missing but that informers have what they
// watch, for which a server may wait for ever, or that caches are filled, for which it
// waits a minute.
func (u *unready) waitsForStored() bool {
	return !slices.ContainsFunc(u.failing, func(check string) bool {
		return !strings.Contains(check, "]informer-sync ") && !strings.Contains(check, "storage-readiness ")
	})
}

// Lacks implements servers.Limping.
func (s *server) Lacks(collections []string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	unread := slices.DeleteFunc(slices.Clone(s.unread), func(path string) bool { return !slices.Contains(collections, path) })
	if len(unread) == 0 {
		return ""
	}
	return fmt.Sprintf("%s: a LIST of %s is answered %d", strings.Join(s.failing, ", "), strings.Join(unread, ", "), http.StatusInternalServerError)
}
