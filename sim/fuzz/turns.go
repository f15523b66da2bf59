package fuzz

import (
	"context"
	"fmt"
	"net/http"
	"sync"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
)

// A release of manifests is what its servers install, and all servers of one store share
// that. So its servers can only be asked while its manifests are installed: the releases
// take turns, and the turn passes when every journey waits for the other release.

// TurnsAtOnce is how many objects travel at once if releases take turns: the more of them
// wait for a turn, the fewer turns there are.
const TurnsAtOnce = 64

// Turns records which release's manifests are installed.
type Turns struct {
	install func(context.Context, term.Role) error

	mu         sync.Mutex
	changed    sync.Cond
	now        term.Role
	asking     int               // requests under way
	travelling int               // journeys under way
	waiting    map[term.Role]int // requests that wait for a release's turn
	passing    bool
	err        error // why no turn can pass any more
}

// NewTurns begins with the turn of a release whose manifests are installed.
func NewTurns(now term.Role, install func(context.Context, term.Role) error) *Turns {
	t := &Turns{now: now, install: install, waiting: map[term.Role]int{}}
	t.changed.L = &t.mu
	return t
}

// Travel counts a journey that begins (1) or ends (-1).
func (t *Turns) Travel(n int) {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.travelling += n
	t.changed.Broadcast()
}

// enter waits until requests to a release are allowed. Each caller leaves afterwards.
func (t *Turns) enter(ctx context.Context, role term.Role) error {
	if t == nil {
		return nil
	}
	defer context.AfterFunc(ctx, func() { // wakes those who wait, so that they check ctx
		t.mu.Lock()
		defer t.mu.Unlock()
		t.changed.Broadcast()
	})()
	t.mu.Lock()
	defer t.mu.Unlock()
	t.waiting[role]++
	for t.err == nil && ctx.Err() == nil && (t.passing || t.now != role) {
		if !t.passing && t.asking == 0 && t.waiting[role] >= t.travelling {
			t.pass(ctx, role)
			continue
		}
		t.changed.Wait()
	}
	t.waiting[role]--
	if t.err != nil {
		return t.err
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	t.asking++
	return nil
}

// pass installs the manifests of a release. It is called with the lock, which it releases
// in between.
func (t *Turns) pass(ctx context.Context, role term.Role) {
	t.passing = true
	t.mu.Unlock()
	err := fault.Guard(func() error { return t.install(ctx, role) }) // the caller holds the lock again, whatever happens
	t.mu.Lock()
	if err != nil && ctx.Err() == nil {
		t.err = err
	}
	t.passing, t.now = false, role
	t.changed.Broadcast()
}

func (t *Turns) leave() {
	if t == nil {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.asking--
	t.changed.Broadcast()
}

// Reinstall replaces the manifests of the other release by those of this one.
func (r *Release) Reinstall(ctx context.Context) error {
	again, ok := r.Process.(servers.Reinstaller)
	if !ok {
		return nil // the server alone is the release
	}
	all, err := again.Reinstall(ctx)
	if err != nil {
		return fmt.Errorf("install the manifests of %s: %w", r.Version, err)
	}
	return r.RefusedManifest(all)
}

// RefusedManifest refuses a pair whose manifests cannot replace each other: the answers of
// its servers would not be those of the release.
func (r *Release) RefusedManifest(all []servers.Installed) error {
	for _, one := range all {
		if one.Code >= http.StatusBadRequest {
			return &servers.RequestError{Err: fmt.Errorf("fuzz alternates between both releases, and the manifest of %s in %s cannot be installed over the other release's: %d: %s; skewsim run shows the effect of an upgrade or a rollback",
				one.Name, r.Version, one.Code, one.Message)}
		}
	}
	return nil
}
