package precheck

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/version"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/run/releases"
	"github.com/skewsim/skewsim/sim/schema"
)

// learner turns what a release says of itself into what the run knows and records.
type learner struct {
	Config
	asker *asker
}

// elsewhere are those resources whose group and kind some manifest has, in another
// version.
func (l *learner) elsewhere(resources []history.Resource) (all []history.Resource) {
	for _, r := range resources {
		of, _, _ := strings.Cut(r.APIVersion, "/")
		for _, m := range l.Known.Plan.Manifests {
			if group, _, grouped := strings.Cut(m.APIVersion, "/"); grouped && group == of && m.Kind == r.Kind {
				all = append(all, r)
				break
			}
		}
	}
	return all
}

// A release may serve a resource, and not in the version of a manifest: what is stored
// of it is read and written through the version that the release does serve.

// offerings sorts what a release serves: what its servers are asked for, other versions
// of that which only steps go through, and what nothing but discovery is asked about.
func (l *learner) offerings(p *selfDescription, r *history.Release) (others []history.Resource) {
	r.Follows = l.follows(r.Role, slices.Concat(p.Resources, p.Elsewhere))
	var elsewhere []history.Resource
	for i, resource := range slices.Concat(p.Resources, p.Elsewhere) {
		switch {
		case l.used(resource) || followed(r.Follows, resource):
			r.Resources = append(r.Resources, resource)
		case i < len(p.Resources):
			others = append(others, resource)
		default:
			elsewhere = append(elsewhere, resource)
		}
	}
	r.Elsewhere = l.elsewhere(slices.Concat(others, elsewhere))
	return others
}

// follows are the versions in which a release is asked for what it does not serve in the
// version of its manifest: of several the most stable one. What is defined by manifests
// changes under running servers, whatever their release: it is not followed.
func (l *learner) follows(role term.Role, served []history.Resource) map[string]string {
	if l.Builds[role].Installs != nil {
		return nil
	}
	var all map[string]string
	for _, m := range l.Known.Plan.Manifests {
		key, best := history.Follow(m.APIVersion, m.Kind), ""
		for _, r := range served {
			if releases.KindOf(r) == key {
				best = ""
				break
			}
			if isOf(r, m) && releases.Offers(r, "get") && (best == "" || moreStable(r.APIVersion, best)) {
				best = r.APIVersion
			}
		}
		if best != "" {
			if all == nil {
				all = map[string]string{}
			}
			all[key] = best
		}
	}
	return all
}

// followed reports whether a resource is one that is asked for in the place of others.
func followed(follows map[string]string, r history.Resource) bool {
	for key, version := range follows {
		apiVersion, kind, _ := strings.Cut(key, " ")
		if version == r.APIVersion && kind == r.Kind && schema.GroupOf(apiVersion) == schema.GroupOf(r.APIVersion) {
			return true
		}
	}
	return false
}

// isOf reports whether a resource is that of a manifest, in whatever version.
func isOf(r history.Resource, m plan.Manifest) bool {
	return r.Kind == m.Kind && schema.GroupOf(r.APIVersion) == schema.GroupOf(m.APIVersion)
}

func moreStable(a, b string) bool {
	return version.CompareKubeAwareVersionStrings(path.Base(a), path.Base(b)) > 0
}

// defines are the resources that a release's own manifests define, and what they
// are installed on.
func (l *learner) defines(role term.Role) (resources []string, server string) {
	b := l.Builds[role]
	switch {
	case b.Installs != nil:
		return b.Installs.Defines, b.Installs.Server.Reference
	case b.Aggregated != nil:
		return nil, b.Aggregated.Core.Reference
	}
	return nil, ""
}

// clientSchema is what a release's clients are made of, and the files that hold it,
// where that is not what its servers publish; nil: it is.
func (l *learner) clientSchema(ctx context.Context, role term.Role) (*schema.Schema, map[string]string, error) {
	i := l.Builds[role].Installs
	if i == nil || i.Clients == nil {
		return nil, nil, nil
	}
	p, err := l.asker.describeBuild(ctx, role, *i.Clients)
	if err != nil {
		return nil, nil, err
	}
	var documents [][]byte
	files := map[string]string{}
	for gv, document := range p.Documents {
		if files[gv], err = l.keepSchema(document); err != nil {
			return nil, nil, err
		}
		documents = append(documents, document)
	}
	parsed, err := schema.Parse(documents)
	return parsed, files, err
}

// learn records what a release said and keeps it for the run.
func (l *learner) learn(ctx context.Context, role term.Role, p *selfDescription) error {
	build := l.Builds[role]
	defines, server := l.defines(role)
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
		name, err := l.keepSchema(document)
		if err != nil {
			return err
		}
		r.Schemas[gv] = name
		documents = append(documents, document)
	}
	others := l.offerings(p, &r)
	parsed, err := schema.Parse(documents)
	if err != nil {
		return fmt.Errorf("%s: %w", build.Reference, err)
	}
	if parsed, r.GateTags, err = l.tagged(role, parsed); err != nil {
		return fmt.Errorf("%s: %w", build.Reference, err)
	}
	types, files, err := l.clientSchema(ctx, role)
	if err != nil {
		return err
	}
	r.Types = files
	if r.Typed, err = l.typed(ctx, role, cmp.Or(types, parsed)); err != nil {
		return err
	}
	l.Known.ByRole[role] = releases.Release{Said: r, Schema: parsed, Types: types, Documents: p.Documents, Others: others, Kinds: p.Kinds}
	return l.Record(history.Record{Release: &r})
}

// typed says whose types the release's clients have of the kinds that the plan
// gives them to; nil when it has none of its clients. A kind that is not published
// either has nobody's: its calls are skipped.
func (l *learner) typed(ctx context.Context, role term.Role, published *schema.Schema) (*history.Typed, error) {
	kinds := map[[2]string]bool{}
	l.Known.Operations(func(s plan.Step, m plan.Manifest) {
		if of, typed := s.Client.Role(); typed && of == role {
			kinds[[2]string{cmp.Or(l.Known.Choose(s, m).APIVersion, m.APIVersion), m.Kind}] = true
		}
	})
	if len(kinds) == 0 {
		return nil, nil
	}
	t := &history.Typed{}
	if program := l.Clients[role]; program != nil {
		t.Version, t.Digest = program.Origin()
		t.Substituted = program.Substituted()
	}
	for kind := range kinds {
		real, err := releases.RealTypes(ctx, l.Clients, role, kind[0], kind[1])
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

func (l *learner) keepSchema(document []byte) (string, error) {
	name := history.Digest(document) + ".json"
	dir := filepath.Join(l.Dir, "schemas")
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
func (l *learner) tagged(role term.Role, published *schema.Schema) (*schema.Schema, string, error) {
	text := l.GateTags[role]
	if len(text) == 0 {
		return published, "", nil
	}
	tags, err := schema.ReadTags(text)
	if err != nil {
		return nil, "", err
	}
	file, err := l.keepSchema(text)
	return published.WithTags(tags), file, err
}

func (l *learner) used(r history.Resource) bool {
	for _, m := range l.Known.Plan.Manifests {
		if m.APIVersion == r.APIVersion && m.Kind == r.Kind {
			return true
		}
	}
	return false
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
