package play

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/examples"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/hints"
	"github.com/skewsim/skewsim/servers/machine"
	"github.com/skewsim/skewsim/servers/source"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/published"
	"github.com/skewsim/skewsim/sim/sweep"
)

// Namespace is where objects are tried before they are played.
const Namespace = "skewsim-sweep"

// prepare makes the builds, and reads what their source has.
func prepare(ctx context.Context, h Host, r Request) (*session, error) {
	if err := r.Check(); err != nil {
		return nil, fault.ByUser(err)
	}
	s := &session{host: h, request: r, scope: r.Scope, sources: map[term.Role]*source.Facts{}, missing: map[term.Role][]string{}, examples: map[term.Role]examples.All{}, plain: map[term.Role]published.Release{}, reached: map[string]bool{}, logs: map[term.Lap][]serverLog{}, serialized: map[term.Role]map[string]examples.Serialized{}, defined: map[term.Role]published.Release{}}
	var err error
	if s.held, err = r.hold(); err != nil {
		return nil, fault.ByUser(err)
	}
	if s.given, err = r.ByRole(); err != nil {
		return nil, fault.ByUser(err)
	}
	if s.refs, err = r.References(); err != nil {
		return nil, fault.ByUser(err)
	}
	if err := engine.Reachable(ctx, h.Builds, r.Store); err != nil {
		return nil, err
	}
	leaveOutOtherKinds(s)
	if err := s.findUnruled(ctx); err != nil {
		return nil, err
	}
	if s.builds, err = h.Engine.Servers(ctx, []servers.Reference{s.refs[term.Old], s.refs[term.New]}); err != nil {
		return nil, err
	}
	if err := engine.CheckBuilds(s.builds); err != nil {
		return nil, fault.ByUser(err)
	}
	s.noteSkipped()
	s.began = time.Now()
	s.used, _ = machine.Used()
	s.result = sweep.Result{SchemaVersion: sweep.SchemaVersion, Tool: h.Tool, Date: scenarios.Day(s.began), Command: engine.WithServer(r.Command, s.builds[term.New]), Seed: r.Seed}
	return s, s.read(ctx)
}

// leaveOutOtherKinds has both releases define only the kinds that the sweep is about, before a server starts.
func leaveOutOtherKinds(s *session) {
	for role, ref := range s.refs {
		ref.Manifests.Kinds = strings.Join(s.request.Kinds, ",")
		s.refs[role] = ref
	}
}

// noteSkipped warns of a pair between which Kubernetes supports no upgrade, and has the reports say so.
func (s *session) noteSkipped() {
	versions := map[term.Role]string{}
	for role, b := range s.builds {
		versions[role] = b.Version
	}
	if words := (&plan.Plan{Component: s.builds[term.New].Component}).Unsupported(versions); words != "" {
		s.host.Warn(words)
		s.notes = append(s.notes, words)
	}
}

// read reads what the source of both releases has, and the hints for them.
func (s *session) read(ctx context.Context) error {
	for role, b := range s.builds {
		var err error
		if s.sources[role], s.missing[role], err = s.host.Facts.Of(ctx, b); err != nil {
			return err
		}
		found, err := s.host.Examples(ctx, b, Namespace)
		if err != nil {
			s.host.Warn(fmt.Sprintf("%s: its source cannot be read: %v; objects are made of what it publishes", b.Reference, err))
		}
		s.examples[role] = found
	}
	var err error
	s.hints, err = hints.Of(s.builds[term.New].Component)
	return err
}
