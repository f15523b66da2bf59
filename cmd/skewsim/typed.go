package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/gobuild"
	"github.com/skewsim/skewsim/servers/typedclient"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/plan"
)

// typedBuilds makes the typed clients that the plan needs, one after the other:
// each takes all cores. Those that no client-go can be fetched for, such as of
// a build between two releases, are left out: the run approximates them, and
// says so. The reference server brings its own.
func (a *app) typedBuilds(ctx context.Context, p *plan.Plan, builds map[term.Role]servers.Build) (map[term.Role]typedclient.Build, error) {
	all := map[term.Role]typedclient.Build{}
	for _, role := range typedRoles(p) {
		if builds[role].Installs != nil || builds[role].Aggregated != nil {
			continue // what it serves, no client-go of Kubernetes has types of
		}
		if own, ok := ownClients(a.withClients(ctx, builds[role])); ok {
			all[role] = own
			continue
		}
		version := typesOf(builds[role])
		if role == term.Older {
			version = p.Clients
		}
		b, err := a.typedBuild(ctx, version)
		var request *servers.RequestError
		var lacks *gobuild.UnavailableError
		switch {
		case role == term.Older && errors.As(err, &request):
			return nil, usage(fmt.Errorf("releases.clients: %w", err)) // no server publishes what could stand in for them
		case errors.As(err, &request), errors.As(err, &lacks):
			fmt.Fprintf(a.err, "the typed clients of %s cannot be built: %v; its published schema stands in for its types\n",
				builds[role].Reference, err)
		case err != nil:
			return nil, err
		default:
			all[role] = b
		}
	}
	return all, nil
}

// ownClients are those that come with a server, in the same executable, as the
// reference server's do.
func ownClients(b servers.Build) (clients typedclient.Build, ok bool) {
	ref, err := servers.ParseReference(b.Reference)
	if err != nil || ref.Scheme != servers.SchemeTrain {
		return typedclient.Build{}, false
	}
	return typedclient.Build{
		Version: b.Version, Path: b.Path, Digest: b.Digest, File: b.File, Args: []string{"clients", "--release", ref.Version},
	}, true
}

// typesOf names what a build's typed clients are built of: its version, or the checkout
// that it is of itself.
func typesOf(b servers.Build) string {
	if _, ok := checkoutOf(b.Reference); ok {
		return b.Reference
	}
	return b.Version
}

// typedBuild makes the typed clients of a release, or of a checkout, once, however many
// runs ask for them.
func (a *app) typedBuild(ctx context.Context, version string) (typedclient.Build, error) {
	if a.parent != nil {
		return a.parent.typedBuild(ctx, version)
	}
	return once(a, &a.typed, version, func() (typedclient.Build, error) { return a.typedBuildNow(ctx, version) })
}

func (a *app) typedBuildNow(ctx context.Context, version string) (typedclient.Build, error) {
	cache, err := a.cache()
	if err != nil {
		return typedclient.Build{}, err
	}
	progress := newBuilding(a.err, typedName+version)
	defer progress.done()
	if ref, ok := checkoutOf(version); ok {
		c, err := a.openCheckout(ctx, ref)
		if err != nil {
			return typedclient.Build{}, err
		}
		return typedclient.FromCheckout(ctx, cache, c, progress)
	}
	return typedclient.Get(ctx, cache, version, progress)
}

// typedName is how the typed clients of a release are called, before its version.
const typedName = "typed-client@"

// typedRoles are the releases whose clients the plan has, the old one first.
func typedRoles(p *plan.Plan) []term.Role {
	has := map[term.Role]bool{}
	for _, stage := range p.Stages {
		for _, s := range stage.Steps {
			if role, typed := s.Client.Role(); typed {
				has[role] = true
			}
		}
	}
	var all []term.Role
	for _, role := range []term.Role{term.Old, term.New, term.Older} {
		if has[role] {
			all = append(all, role)
		}
	}
	return all
}

// programs are a run's typed clients.
type programs map[term.Role]*program

func newPrograms(builds map[term.Role]typedclient.Build, logs string) programs {
	all := programs{}
	for role, b := range builds {
		all[role] = &program{build: b, log: filepath.Join(logs, fmt.Sprintf("typed-client-%s.log", role))}
	}
	return all
}

// clients are the programs as a run takes them.
func (all programs) clients() map[term.Role]client.Program {
	clients := map[term.Role]client.Program{}
	for role, p := range all {
		clients[role] = p
	}
	return clients
}

// close ends those that were started. How one ended that died before, the run
// has told already.
func (all programs) close() {
	for _, p := range all {
		p.mu.Lock()
		if p.running != nil {
			_ = p.running.Close()
		}
		p.mu.Unlock()
	}
}

// program is the typed clients of one release. They start when they are first
// needed.
type program struct {
	build   typedclient.Build
	log     string
	mu      sync.Mutex
	running *typedclient.Program
}

// Origin says whose types these are.
func (p *program) Origin() (version, digest string) { return p.build.Version, p.build.Digest }

// Substituted are the modules of which it has another version than its release.
func (p *program) Substituted() []string { return p.build.Substituted }

// Types are those of a kind.
func (p *program) Types(_ context.Context, apiVersion, kind string) (client.Types, bool, error) {
	gv, err := schema.ParseGroupVersion(apiVersion)
	if err != nil {
		return nil, false, nil // whatever it is, no release has types for it
	}
	running, err := p.start()
	if err != nil {
		return nil, false, err
	}
	known, ok := running.Lookup(gv.WithKind(kind))
	return kindTypes{running, known}, ok, nil
}

func (p *program) start() (*typedclient.Program, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.running != nil {
		return p.running, nil
	}
	if err := os.MkdirAll(filepath.Dir(p.log), 0o700); err != nil {
		return nil, err
	}
	var err error
	p.running, err = typedclient.Start(p.build, p.log)
	return p.running, err
}

// kindTypes are a release's types of one kind.
type kindTypes struct {
	program *typedclient.Program
	kind    typedclient.Kind
}

func contentType(e term.Encoding) string {
	if e == term.Protobuf {
		return typedclient.Protobuf
	}
	return typedclient.JSON
}

// Carry decodes and encodes.
func (k kindTypes) Carry(ctx context.Context, body []byte, from, to term.Encoding) ([]byte, error) {
	return own(k.program.Carry(ctx, typedclient.CarryRequest{
		Kind: k.kind.GroupVersionKind, Body: body, From: contentType(from), To: contentType(to),
	}))
}

// Diff computes a patch.
func (k kindTypes) Diff(ctx context.Context, before, after []byte, patch types.PatchType) ([]byte, error) {
	return own(k.program.Diff(ctx, typedclient.DiffRequest{
		Kind: k.kind.GroupVersionKind, Before: before, After: after, Patch: patch,
	}))
}

// Apply makes a manifest an apply configuration.
func (k kindTypes) Apply(ctx context.Context, manifest []byte) ([]byte, error) {
	return own(k.program.Apply(ctx, typedclient.ApplyRequest{Kind: k.kind.GroupVersionKind, Manifest: manifest}))
}

// Extract gives what a manager has applied.
func (k kindTypes) Extract(ctx context.Context, live []byte, manager string) ([]byte, error) {
	return own(k.program.Extract(ctx, typedclient.ExtractRequest{
		Kind: k.kind.GroupVersionKind, Live: live, Manager: manager,
	}))
}

// own tells what the types themselves cannot do from what befell the program.
func own(body []byte, err error) ([]byte, error) {
	var answer *typedclient.AnswerError
	if errors.As(err, &answer) {
		return nil, &client.UnfitError{Err: err}
	}
	return body, err
}
