package engine

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
	"github.com/skewsim/skewsim/servers/typedclient"
	"github.com/skewsim/skewsim/sim/client"
)

// typedClients are a run's typed clients.
type typedClients map[term.Role]*typedClient

func newTypedClients(builds map[term.Role]typedclient.Build, logs string) typedClients {
	all := typedClients{}
	for role, b := range builds {
		all[role] = &typedClient{build: b, log: filepath.Join(logs, fmt.Sprintf("typed-client-%s.log", role))}
	}
	return all
}

// clients returns the clients of a run.
func (all typedClients) clients() map[term.Role]client.Program {
	clients := map[term.Role]client.Program{}
	for role, p := range all {
		clients[role] = p
	}
	return clients
}

// close ends the typedClients that were started. The run already reported the ones that died.
func (all typedClients) close() {
	for _, p := range all {
		p.mu.Lock()
		if p.running != nil {
			_ = p.running.Close()
		}
		p.mu.Unlock()
	}
}

// typedClient is the typed clients of one release. It starts when it is first needed.
type typedClient struct {
	build   typedclient.Build
	log     string
	mu      sync.Mutex
	running *typedclient.Program
}

// Origin returns whose types these are.
func (p *typedClient) Origin() (version, digest string) { return p.build.Version, p.build.Digest }

// Substituted returns the modules that have another version than in the release.
func (p *typedClient) Substituted() []string { return p.build.Substituted }

// Types returns the types of a kind.
func (p *typedClient) Types(_ context.Context, apiVersion, kind string) (client.Types, bool, error) {
	gv, err := schema.ParseGroupVersion(apiVersion)
	if err != nil {
		return nil, false, nil // no release has types for it
	}
	running, err := p.start()
	if err != nil {
		return nil, false, err
	}
	known, ok := running.Lookup(gv.WithKind(kind))
	return kindTypes{running, known}, ok, nil
}

func (p *typedClient) start() (*typedclient.Program, error) {
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

// Carry decodes and encodes an object.
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

// Apply turns a manifest into an apply configuration.
func (k kindTypes) Apply(ctx context.Context, manifest []byte) ([]byte, error) {
	return own(k.program.Apply(ctx, typedclient.ApplyRequest{Kind: k.kind.GroupVersionKind, Manifest: manifest}))
}

// Extract returns what a manager has applied.
func (k kindTypes) Extract(ctx context.Context, live []byte, manager string) ([]byte, error) {
	return own(k.program.Extract(ctx, typedclient.ExtractRequest{
		Kind: k.kind.GroupVersionKind, Live: live, Manager: manager,
	}))
}

// own separates errors of the types themselves from failures of the program.
func own(body []byte, err error) ([]byte, error) {
	var answer *typedclient.AnswerError
	if errors.As(err, &answer) {
		return nil, &client.UnfitError{Err: err}
	}
	return body, err
}

// of returns the typed clients for which the run has builds.
func (all typedClients) of(parts Parts) map[term.Role]client.Program {
	clients := map[term.Role]client.Program{}
	for role := range parts.Clients {
		clients[role] = all[role]
	}
	return clients
}
