package play

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/preflight"
	"github.com/skewsim/skewsim/sim/preflight/mask"
	"github.com/skewsim/skewsim/sim/probe"
	"github.com/skewsim/skewsim/sim/published"
)

// start starts a server of a release on a store. A server that does not become ready is a finding:
// then it returns nil.
func (h *hop) start(ctx context.Context, role term.Role, on *etcd.Server, phase string, d preflight.Direction) (*probe.Server, error) {
	const within = 3 * time.Minute
	b, store := h.builds[role], on.Store()
	c := h.config(b, h.options[role], "copy")
	c.Options.Encryption = h.seal.Encryption()
	c.Store, c.ReadyWithin, c.MayNotRead = &store, within, collections(h.published[role])
	began := time.Now()
	s, err := h.server(ctx, c)
	if err != nil {
		var ended *servers.ExitError
		if ctx.Err() != nil || !ofRelease(err) {
			return nil, err
		}
		errors.As(err, &ended)
		f := preflight.Finding{Outcome: term.NotReady, Direction: d, Release: b.Version, Phase: phase}
		f.Message = unreadyWords(b, ended, within) + "; its log is " + filepath.Join(logs, c.Name+".log")
		h.judged.Unready(f)
		return nil, h.unknown(ctx, role, on, phase, d)
	}
	h.greet(s, role, phase, d, time.Since(began))
	if err := h.ask(ctx, s, on, role); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// ofRelease reports whether the release may be the reason why a server did not become ready. One that was killed, or
// that lacked something of the machine, says nothing about the release; but objects that it cannot read make it too
// slow by its own account.
func ofRelease(err error) bool {
	var ended *servers.ExitError
	var late *servers.LateError
	if errors.As(err, &ended) {
		return ended.Failure == fault.None || ended.Failure == fault.ServerTooSlow
	}
	return errors.As(err, &late)
}

// greet says how long a server took to become ready. One that cannot list something and becomes ready all the same
// is no finding: what it cannot list is found as such.
func (h *hop) greet(s *probe.Server, role term.Role, phase string, d preflight.Direction, took time.Duration) {
	b, state := h.builds[role], "is ready"
	lack := servers.LackOf(s.Process, collections(h.published[role]))
	switch {
	case lack.Settles:
		state = "answers, and is ready a minute later, since it cannot list some kinds,"
	case lack.Any():
		state = "answers, and does not become ready,"
		h.judged.Unready(preflight.Degraded(b.Version, phase, d, lack.Checks, kindsOf(h.published[role], lack.Collections)))
	}
	h.say("%s %s after %.1f s (%s)", b.Version, state, took.Seconds(), phase)
}

// ask asks a server of a release once what it serves on the copy: the definitions of the copy stay as
// they are. What an empty store serves would be no answer, for it lacks the user's own kinds. A server
// that is ready serves these a little later: those of manifests have no status yet.
func (h *hop) ask(ctx context.Context, s *probe.Server, on *etcd.Server, role term.Role) error {
	if h.asked[role] {
		return nil
	}
	const most, pause = 8, time.Second
	names, err := definitionsOf(ctx, on)
	if err != nil {
		return err
	}
	for try := 1; ; try++ {
		release, err := published.Ask(ctx, s.Conn, h.builds[role])
		if err == nil && (try == most || servesAll(release, names)) {
			h.published[role], h.asked[role] = release, true
			h.fields[role] = mask.FieldsOf(release)
			return nil
		}
		if try == most || ctx.Err() != nil {
			return fmt.Errorf("what %s serves on the copy: %w", h.builds[role].Version, errors.Join(err, ctx.Err()))
		}
		wait(ctx, pause)
	}
}

// definitionsOf returns the names of the stored definitions of custom resources: PLURAL.GROUP.
func definitionsOf(ctx context.Context, on *etcd.Server) (names []string, err error) {
	const at = Prefix + "apiextensions.k8s.io/customresourcedefinitions/"
	_, err = etcd.ContentsOf(on).Each(ctx, at, func(key string, _ []byte, _ int64) error {
		names = append(names, strings.TrimPrefix(key, at))
		return nil
	})
	return names, err
}

// servesAll reports whether a release serves the resources of all definitions.
func servesAll(r published.Release, names []string) bool {
	served := map[string]bool{}
	for _, resource := range r.Resources {
		group, _, _ := strings.Cut(resource.APIVersion, "/")
		served[resource.Plural+"."+group] = true
	}
	return !slices.ContainsFunc(names, func(name string) bool { return !served[name] })
}

func wait(ctx context.Context, pause time.Duration) {
	select {
	case <-ctx.Done():
	case <-time.After(pause):
	}
}

func unreadyWords(b servers.Build, ended *servers.ExitError, within time.Duration) string {
	if ended != nil {
		text := fmt.Sprintf("a server of %s %s before it was ready", b.Version, ended.Status)
		if said := mask.LastWords(ended.Tail); said != "" {
			text += ": " + said
		}
		return text
	}
	return fmt.Sprintf("a server of %s was not ready after %s", b.Version, within)
}

// collections returns the paths of all collections that a release lists.
func collections(r published.Release) []string {
	all := map[string]bool{}
	for _, resource := range r.Resources {
		if slices.Contains(resource.Verbs, "list") {
			all[client.Resource{APIVersion: resource.APIVersion, Plural: resource.Plural}.Collection()] = true
		}
	}
	return slices.Sorted(maps.Keys(all))
}

// kindsOf returns the kinds of collections of a release: ResourceClaim.resource.k8s.io.
func kindsOf(r published.Release, paths []string) (all []string) {
	for _, resource := range r.Resources {
		at := client.Resource{APIVersion: resource.APIVersion, Plural: resource.Plural}.Collection()
		kind := strings.TrimSuffix(resource.Kind+"."+preflight.GroupOf(resource.APIVersion), ".")
		if slices.Contains(paths, at) && !slices.Contains(all, kind) {
			all = append(all, kind)
		}
	}
	slices.Sort(all)
	return all
}
