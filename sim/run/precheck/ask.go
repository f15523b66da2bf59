package precheck

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
)

// asker asks a build on a scratch store what it serves, unless an earlier run kept the
// answer.
type asker struct {
	Config
	// also asks the same server whether it accepts the objects of the plan.
	also func(ctx context.Context, role term.Role, on scratch, served []history.Resource) error
}

// ProbeForm is the version of the format of kept probes; a change invalidates older ones.
const ProbeForm = 10

// selfDescription is what a build, with the options of its release, reports about itself on
// a store of its own, before it gets the shared one.
type selfDescription struct {
	Form      int                        `json:"form"`
	Version   string                     `json:"version"`
	Gates     map[string]bool            `json:"gates"`
	Alpha     []string                   `json:"alpha,omitempty"` // the gates of that stage
	Resources []history.Resource         `json:"resources"`
	Elsewhere []history.Resource         `json:"elsewhere,omitempty"` // in versions that the plan does not use
	Preferred map[string]string          `json:"preferred,omitempty"` // see history.Release
	Kinds     []client.ServedKind        `json:"kinds,omitempty"`     // all served kinds, for suggestions
	Followed  map[string]bool            `json:"followed,omitempty"`  // gates that its own depend on: see startup
	Documents map[string]json.RawMessage `json:"documents"`           // OpenAPI v3 by group/version

	partly bool // discovery was not complete in time: later runs ask again
}

// describeBuild returns the kept description of a build with the options of a release, or
// asks a server.
func (a *asker) describeBuild(ctx context.Context, role term.Role, b servers.Build) (*selfDescription, error) {
	kept := a.probeFile(role, b)
	if p, ok := readDescription(kept); ok {
		a.Options.Require(role, p.Followed)
		return p, nil
	}
	if a.KeptOnly {
		return nil, ErrNotKept
	}
	a.Note(fmt.Sprintf("asking %s what it serves, on a scratch store", b.Version))
	p, err := a.askBuild(ctx, role, b)
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
	if err := keepDescription(kept, raw); err != nil {
		a.Note(err.Error()) // only the next run is slower
	}
	// The kept form is spelled differently: a run that reads it must record the same
	// schemas as this one.
	return p, json.Unmarshal(raw, p)
}

// probeFile names a probe by everything that it depends on. A digest alone does not
// identify a build: one binary may hold many releases.
func (a *asker) probeFile(role term.Role, b servers.Build) string {
	if a.Probes == "" {
		return ""
	}
	key, _ := json.Marshal([]any{ProbeForm, b.Component, b.Version, b.Digest, a.Options.Of(role), a.Known.GroupVersions(), a.discovered()})
	sum := sha256.Sum256(key)
	return filepath.Join(a.Probes, hex.EncodeToString(sum[:12])+".json")
}

// askBuild asks a server of the release on a scratch store.
func (a *asker) askBuild(ctx context.Context, role term.Role, b servers.Build) (*selfDescription, error) {
	name := "scratch-" + string(role)
	if b != a.Builds[role] {
		name += "-clients"
	}
	var p *selfDescription
	err := a.onScratch(ctx, role, b, name, true, func(on scratch) (err error) {
		if p, err = a.ask(ctx, on.conn); err != nil {
			return err
		}
		p.Followed = a.Options.RequiredOf(role)
		p.Version = b.VersionOf(p.Version)
		if b.Aggregated != nil {
			p.Gates, p.Alpha = nil, nil // those of the server that clients talk to
		}
		if b != a.Builds[role] {
			return nil
		}
		return a.also(ctx, role, on, p.Resources)
	})
	return p, err
}

// scratch is a server of a release on a scratch store.
type scratch struct {
	conn *client.Connection
	lent bool // others have used it, so that its store is not empty
}

// onScratch asks a server of the release, on a scratch store: one that runs already, if it may be lent. Whoever lends it
// may end it meanwhile: then one of the run's own is asked everything.
func (a *asker) onScratch(ctx context.Context, role term.Role, b servers.Build, name string, lent bool, ask func(scratch) error) error {
	if lent {
		if conn := a.Servers.lent(ctx, b, a.Options.Of(role)); conn != nil {
			err := ask(scratch{conn, true})
			if err == nil || ctx.Err() != nil {
				return err
			}
			a.Note(fmt.Sprintf("the server of %s that runs already no longer answers, and another one is started: %v", b.Version, err))
		}
	}
	server, err := a.Servers.start(ctx, a.Options, role, b, name)
	if err != nil {
		return a.Options.Explain(ctx, role, err)
	}
	return ask(scratch{conn: server.conn})
}

// askGates reads the server's feature gates.
func (p *selfDescription) askGates(ctx context.Context, conn *client.Connection) error {
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

// ask reads everything that a server reports about itself.
func (a *asker) ask(ctx context.Context, conn *client.Connection) (*selfDescription, error) {
	p := &selfDescription{Form: ProbeForm, Documents: map[string]json.RawMessage{}}
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
	versions, order, err := a.askPreferred(ctx, conn, p)
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
			continue // not served: neither are its kinds
		}
		p.Documents[gv] = document
		for _, r := range resources {
			p.Resources = append(p.Resources, history.Resource(r))
		}
	}
	a.preferKinds(p, order)
	p.Elsewhere, err = a.askElsewhere(ctx, conn, versions)
	return p, err
}
