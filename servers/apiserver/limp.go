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

// limpsAfter is how long nothing but informers must keep a server from being ready
// before it is asked why: on a busy machine they take a while.
const limpsAfter = 3 * time.Second

// limp is what is known of a server that may never be ready, since it cannot read
// some of what is stored.
type limp struct {
	collections []string  // that it may be unable to read
	since       time.Time // nothing but informers was missing from then on; zero: more is
}

// limps tells whether the server is as ready as it will ever be: only its informers
// are missing, and it cannot list what they wait for.
func (s *server) limps(ctx context.Context, l *limp, last error) bool {
	var u *unready
	if len(l.collections) == 0 || !errors.As(last, &u) || !u.waitsForInformers() {
		l.since = time.Time{}
		return false
	}
	if l.since.IsZero() {
		l.since = time.Now()
	}
	if time.Since(l.since) < limpsAfter {
		return false
	}
	for _, path := range l.collections {
		code, _, err := s.get(ctx, path)
		if err == nil && (code >= http.StatusInternalServerError || code == http.StatusTooManyRequests) {
			s.mu.Lock()
			s.lacks = fmt.Sprintf("%s: a LIST of %s is answered %d", strings.Join(u.failing, ", "), path, code)
			s.mu.Unlock()
			return true
		}
	}
	l.since = time.Now() // not to ask all the time
	return false
}

// waitsForInformers tells whether nothing is missing but that informers have listed
// what they watch, and caches: these take a minute at most.
func (u *unready) waitsForInformers() bool {
	informers := func(check string) bool { return strings.Contains(check, "]informer-sync ") }
	caches := func(check string) bool { return strings.Contains(check, "storage-readiness ") }
	return slices.ContainsFunc(u.failing, informers) &&
		!slices.ContainsFunc(u.failing, func(check string) bool { return !informers(check) && !caches(check) })
}

// Lacks implements servers.Limping.
func (s *server) Lacks() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lacks
}
