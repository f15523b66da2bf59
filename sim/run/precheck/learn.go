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
	"github.com/skewsim/skewsim/sim/run/fleet"
	"github.com/skewsim/skewsim/sim/schema"
)

// learner turns what a release reports about itself into what the run knows and records.
type learner struct {
	Config
	asker *asker
}

// elsewhere returns the resources whose group and kind some manifest has, in another
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

// A release may serve a resource, but not in the version of a manifest: stored objects are
// then read and written through the version that the release serves.

// offerings sorts the kinds that a release serves: those that its servers are asked for,
// other versions that only steps go through, and those that only discovery shows.
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

// follows returns the versions in which a release is asked for what it does not serve in
// the version of its manifest: the most stable one. Kinds that manifests define change
// under running servers, whatever their release, and are not followed.
func (l *learner) follows(role term.Role, served []history.Resource) map[string]string {
	if l.Builds[role].Installs != nil {
		return nil
	}
	var all map[string]string
	for _, m := range l.Known.Plan.Manifests {
		key, best := history.Follow(m.APIVersion, m.Kind), ""
		for _, r := range served {
			if fleet.KindOf(r) == key {
				best = ""
				break
			}
			if isOf(r, m) && fleet.Offers(r, "get") && (best == "" || moreStable(r.APIVersion, best)) {
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

// followed reports whether a resource is used instead of another version.
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

// defines returns the resources that a release's own manifests define, and the server they
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

// clientSchema returns what a release's clients are made of, and the files that hold it, if
// that differs from what its servers publish; else nil.
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

// learn records what a release reports, and keeps it for the run.
func (l *learner) learn(ctx context.Context, role term.Role, p *selfDescription) error {
	build := l.Builds[role]
	defines, server := l.defines(role)
	serves := build
	if build.Installs != nil {
		serves = build.Installs.Server
	}
	r := history.Release{
		Asked: serves.Asked, Substituted: serves.Substitutions(), From: serves.From, Adapter: adapterOf(build.Aggregated),
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
	l.Known.ByRole[role] = fleet.Release{Said: r, Schema: parsed, Types: types, Schemas: l.schemas(), Others: others, Kinds: p.Kinds}
	return l.Record(history.Record{Release: &r})
}

// typed returns whose types the release's clients have for each kind that the plan uses
// them with; nil if the plan has none of its clients. A kind that is not published either
// has no types: its calls are skipped.
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
		real, err := fleet.RealTypes(ctx, l.Clients, role, kind[0], kind[1])
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

// schemas is the directory for the documents that releases publish.
func (l *learner) schemas() string { return filepath.Join(l.Dir, "schemas") }

func (l *learner) keepSchema(document []byte) (string, error) {
	name := history.Digest(document) + ".json"
	dir := l.schemas()
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return "", fmt.Errorf("keep a schema: %w", err)
	}
	if err := os.WriteFile(filepath.Join(dir, name), document, 0o600); err != nil {
		return "", fmt.Errorf("keep a schema: %w", err)
	}
	return name, nil
}

// tagged adds the gates of a release's source to those that it publishes, and keeps them;
// the file is "" if the source names none.
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

// adapterOf returns how the server of a module is started; nil for other builds.
func adapterOf(a *servers.Aggregation) *term.Adapter {
	if a == nil {
		return nil
	}
	return &term.Adapter{
		File: a.Adapter, Digest: a.AdapterDigest, Component: a.Component, Flags: a.Flags, Names: a.Names,
		Behind: term.Behind{Reference: a.Core.Reference, Version: a.Core.Version, Digest: a.Core.Digest},
	}
}
