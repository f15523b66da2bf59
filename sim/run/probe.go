package run

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"golang.org/x/sync/errgroup"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/schema"
)

// probeForm is the form of kept probes; a change makes older ones unread.
const probeForm = 10

// selfPortrait is what a build, with the options of its release, says of
// itself: on a store of its own, before it touches the shared one.
type selfPortrait struct {
	Form      int                        `json:"form"`
	Version   string                     `json:"version"`
	Gates     map[string]bool            `json:"gates"`
	Alpha     []string                   `json:"alpha,omitempty"` // the gates of that stage
	Resources []history.Resource         `json:"resources"`
	Elsewhere []history.Resource         `json:"elsewhere,omitempty"` // in versions that the plan does not use
	Preferred map[string]string          `json:"preferred,omitempty"` // see history.Release
	Kinds     []client.ServedKind        `json:"kinds,omitempty"`     // all that are served, to say what a wrong one may be meant to be
	Followed  map[string]bool            `json:"followed,omitempty"`  // gates: see walker.followed
	Documents map[string]json.RawMessage `json:"documents"`           // OpenAPI v3 by group/version

	partly bool // discovery was not complete in time: later runs ask again
}

// probe learns what both releases say of themselves, and records it.
func (w *walker) probe(ctx context.Context) error {
	roles := []term.Role{term.Old, term.New}
	portraits := make([]*selfPortrait, len(roles))
	wrong := make([]error, len(roles)) // what the scenario asks for and cannot have: told of both
	group, bounded := errgroup.WithContext(ctx)
	for i, role := range roles {
		group.Go(func() error {
			return guarded(func() (err error) {
				portraits[i], err = w.portrait(bounded, role, w.config.Builds[role])
				if options := (*OptionsError)(nil); errors.As(err, &options) {
					wrong[i], err = options, nil
				}
				return err
			})
		})
	}
	if err := errors.Join(append(wrong, group.Wait())...); err != nil {
		return err
	}
	for i, role := range roles {
		if err := w.learn(ctx, role, portraits[i]); err != nil {
			return err
		}
	}
	if err := errors.Join(w.checkKinds(), w.checkTreated(), w.checkFields()); err != nil {
		return err
	}
	return w.checkObjects(ctx)
}

// portrait takes what an earlier run kept of a build with the options of a release,
// or asks a server.
func (w *walker) portrait(ctx context.Context, role term.Role, b servers.Build) (*selfPortrait, error) {
	kept := w.probeFile(role, b)
	if p, ok := readPortrait(kept); ok {
		w.keepFollowed(role, p.Followed)
		return p, nil
	}
	if w.config.KeptOnly {
		return nil, errNotKept
	}
	w.config.Progress.Note(fmt.Sprintf("asking %s what it serves, on a scratch store", b.Version))
	p, err := w.sit(ctx, role, b)
	if err != nil {
		return nil, err
	}
	raw, err := json.Marshal(p)
	if err != nil {
		return nil, fmt.Errorf("keep a probe: %w", err)
	}
	if p.partly {
		kept = ""
	}
	if err := keepPortrait(kept, raw); err != nil {
		w.config.Progress.Note(err.Error()) // only the next run is slower for it
	}
	// What is kept is in another spelling: a run that reads it must record the
	// same schemas as this one.
	return p, json.Unmarshal(raw, p)
}

// probeFile names a probe by all that it depends on. A digest alone names no
// build: one binary may hold many releases.
func (w *walker) probeFile(role term.Role, b servers.Build) string {
	if w.config.Probes == "" {
		return ""
	}
	key, _ := json.Marshal([]any{probeForm, b.Component, b.Version, b.Digest, w.options(role), w.groupVersions(), w.discovered()})
	sum := sha256.Sum256(key)
	return filepath.Join(w.config.Probes, hex.EncodeToString(sum[:12])+".json")
}

// sit asks a server of the release on a scratch store.
func (w *walker) sit(ctx context.Context, role term.Role, b servers.Build) (*selfPortrait, error) {
	name := "scratch-" + string(role)
	if b != w.config.Builds[role] {
		name += "-clients"
	}
	var p *selfPortrait
	err := w.onScratch(ctx, role, b, name, func(conn *client.Connection) (err error) {
		if p, err = w.ask(ctx, conn); err != nil {
			return err
		}
		p.Followed = w.followedOf(role)
		p.Version = b.VersionOf(p.Version)
		if b.Aggregated != nil {
			p.Gates, p.Alpha = nil, nil // they are those of what clients talk to
		}
		if b != w.config.Builds[role] {
			return nil
		}
		return w.rehearse(ctx, role, conn, w.specimens(p.Resources))
	})
	return p, err
}

// onScratch has a server of the release asked, on a store that no run shares.
func (w *walker) onScratch(ctx context.Context, role term.Role, b servers.Build, name string, ask func(*client.Connection) error) error {
	server, err := w.scratch(ctx, role, b, name)
	if err != nil {
		return w.explain(ctx, role, err)
	}
	return ask(server.conn)
}

// askGates learns the server's feature gates.
func (p *selfPortrait) askGates(ctx context.Context, conn *client.Connection) error {
	features, err := client.Features(ctx, conn)
	p.Gates = map[string]bool{}
	for _, f := range features {
		p.Gates[f.Name] = f.On
		if f.Stage == "ALPHA" {
			p.Alpha = append(p.Alpha, f.Name)
		}
	}
	slices.Sort(p.Alpha)
	return err
}

func (w *walker) ask(ctx context.Context, conn *client.Connection) (*selfPortrait, error) {
	p := &selfPortrait{Form: probeForm, Documents: map[string]json.RawMessage{}}
	var err error
	if p.Version, err = client.Version(ctx, conn); err != nil {
		return nil, err
	}
	lacks, err := client.CompleteDiscovery(ctx, conn)
	if err != nil {
		return nil, err
	}
	p.partly = len(lacks) > 0
	if err := p.askGates(ctx, conn); err != nil {
		return nil, err
	}
	if p.Kinds, err = client.Kinds(ctx, conn); err != nil {
		return nil, err
	}
	versions, order, err := w.askPreferred(ctx, conn, p)
	if err != nil {
		return nil, err
	}
	for _, gv := range versions {
		resources, err := client.Discover(ctx, conn, gv)
		if err != nil {
			return nil, err
		}
		document, err := client.OpenAPI(ctx, conn, gv)
		if err != nil {
			return nil, err
		}
		if document == nil {
			continue // not served: its kinds are not, either
		}
		p.Documents[gv] = document
		for _, r := range resources {
			p.Resources = append(p.Resources, history.Resource(r))
		}
	}
	w.preferKinds(p, order)
	p.Elsewhere, err = w.askElsewhere(ctx, conn, versions)
	return p, err
}

// groupVersions are those of the plan's manifests, and those that its steps go
// through, sorted.
func (w *walker) groupVersions() []string {
	seen := map[string]bool{}
	for _, m := range w.config.Plan.Manifests {
		seen[m.APIVersion] = true
	}
	w.operations(func(s plan.Step, _ plan.Manifest) {
		if s.APIVersion != "" && s.Discovers == "" {
			seen[s.APIVersion] = true
		}
	})
	return slices.Sorted(maps.Keys(seen))
}

// operations calls each for every operation of the plan with the manifest of
// its copy.
func (w *walker) operations(each func(plan.Step, plan.Manifest)) {
	for _, stage := range w.config.Plan.Stages {
		for _, s := range stage.Steps {
			if s.Action == plan.Operate {
				each(s, w.config.Plan.Manifests[w.subject(s).Manifest])
			}
		}
	}
}

// learn records what a release said and keeps it for the run.
func (w *walker) learn(ctx context.Context, role term.Role, p *selfPortrait) error {
	build := w.config.Builds[role]
	defines, server := w.defines(role)
	serves := build
	if build.Installs != nil {
		serves = build.Installs.Server
	}
	r := history.Release{
		Asked: serves.Asked, Substituted: serves.Substitutions(), Adapter: adapterOf(build.Aggregated),
		Role: role, Reference: build.Reference, Version: p.Version, Digest: build.Digest, Component: build.Component,
		Gates: p.Gates, Alpha: p.Alpha, Schemas: map[string]string{}, Preferred: p.Preferred,
		Defines: defines, Server: server,
	}
	var documents [][]byte
	for gv, document := range p.Documents {
		name, err := w.keepSchema(document)
		if err != nil {
			return err
		}
		r.Schemas[gv] = name
		documents = append(documents, document)
	}
	others := w.offerings(p, &r)
	parsed, err := schema.Parse(documents)
	if err != nil {
		return fmt.Errorf("%s: %w", build.Reference, err)
	}
	if parsed, r.GateTags, err = w.tagged(role, parsed); err != nil {
		return fmt.Errorf("%s: %w", build.Reference, err)
	}
	types, files, err := w.clientSchema(ctx, role)
	if err != nil {
		return err
	}
	r.Types = files
	if r.Typed, err = w.typed(ctx, role, cmp.Or(types, parsed)); err != nil {
		return err
	}
	w.known[role] = known{release: r, schema: parsed, types: types, documents: p.Documents, others: others, kinds: p.Kinds}
	return w.record(history.Record{Release: &r})
}

// typed says whose types the release's clients have of the kinds that the plan
// gives them to; nil when it has none of its clients. A kind that is not published
// either has nobody's: its calls are skipped.
func (w *walker) typed(ctx context.Context, role term.Role, published *schema.Schema) (*history.Typed, error) {
	kinds := map[[2]string]bool{}
	w.operations(func(s plan.Step, m plan.Manifest) {
		if of, typed := s.Client.Role(); typed && of == role {
			kinds[[2]string{cmp.Or(w.choose(s, m).APIVersion, m.APIVersion), m.Kind}] = true
		}
	})
	if len(kinds) == 0 {
		return nil, nil
	}
	t := &history.Typed{}
	if program := w.config.Clients[role]; program != nil {
		t.Version, t.Digest = program.Origin()
		t.Substituted = program.Substituted()
	}
	for kind := range kinds {
		real, err := w.realTypes(ctx, role, kind[0], kind[1])
		if err != nil {
			return nil, err
		}
		if _, is := published.Kind(kind[0], kind[1]); real == nil && is {
			t.Approximate = append(t.Approximate, kind[0]+" "+kind[1])
		}
	}
	slices.Sort(t.Approximate)
	return t, nil
}

func (w *walker) keepSchema(document []byte) (string, error) {
	name := history.Digest(document) + ".json"
	dir := filepath.Join(w.config.Dir, "schemas")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("keep a schema: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), document, 0o600); err != nil {
		return "", fmt.Errorf("keep a schema: %w", err)
	}
	return name, nil
}

// tagged adds what the source of a release says of gates to what it publishes, and keeps
// it; the file is "" where the source says nothing.
func (w *walker) tagged(role term.Role, published *schema.Schema) (*schema.Schema, string, error) {
	text := w.config.GateTags[role]
	if len(text) == 0 {
		return published, "", nil
	}
	tags, err := schema.ReadTags(text)
	if err != nil {
		return nil, "", err
	}
	file, err := w.keepSchema(text)
	return published.WithTags(tags), file, err
}

func (w *walker) used(r history.Resource) bool {
	for _, m := range w.config.Plan.Manifests {
		if m.APIVersion == r.APIVersion && m.Kind == r.Kind {
			return true
		}
	}
	return false
}

// resource is what a release serves of a kind in one version.
func (w *walker) resource(role term.Role, apiVersion, kind string) (history.Resource, bool) {
	for _, r := range slices.Concat(w.known[role].release.Resources, w.known[role].others) {
		if r.APIVersion == apiVersion && r.Kind == kind {
			return r, true
		}
	}
	return history.Resource{}, false
}

// adapterOf is how the server of a module is started; nil: it is no module's.
func adapterOf(a *servers.Aggregation) *term.Adapter {
	if a == nil {
		return nil
	}
	return &term.Adapter{
		File: a.Adapter, Digest: a.AdapterDigest, Component: a.Component, Flags: a.Flags, Names: a.Names,
		Behind: term.Behind{Reference: a.Core.Reference, Version: a.Core.Version, Digest: a.Core.Digest},
	}
}
