package trace

import (
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/schema"
)

// Published returns what each release publishes and serves.
type Published struct {
	Schemas Schemas
	history *history.History
}

// definitions is the group of CustomResourceDefinitions.
const definitions = "apiextensions.k8s.io"

// IsCustom reports whether the release's manifests, or the plan itself, define the copy's kind: a
// definition is named after the resource that it defines. A kind without a definition counts as
// built in.
func (p *Published) IsCustom(tl *Timeline, role term.Role) bool {
	return p.defines(role, tl.Manifest.APIVersion, tl.Manifest.Kind)
}

// ConvertsByWebhook reports whether a definition of the copy's kind that a server was given has a webhook convert it. Histories
// of earlier versions do not say so.
func (p *Published) ConvertsByWebhook(tl *Timeline) bool {
	resource := resourceOf(p.history, tl.Manifest.APIVersion, tl.Manifest.Kind)
	return slices.ContainsFunc(p.history.Servers, func(s history.Server) bool {
		return slices.ContainsFunc(s.Installed, func(one history.Installed) bool { return one.Name == resource && one.Webhook })
	})
}

func (p *Published) defines(role term.Role, apiVersion, kind string) bool {
	resource := resourceOf(p.history, apiVersion, kind)
	if resource != "" && slices.Contains(p.history.Releases[role].Defines, resource) {
		return true
	}
	for _, m := range p.history.Header.Plan.Manifests {
		meta, _ := m.Body["metadata"].(map[string]any)
		if schema.GroupOf(m.APIVersion) == definitions && meta["name"] == resource {
			return true
		}
	}
	return false
}

// ungated returns the schemas without the gates that custom resources name. API servers have no gate for a
// field of a definition: its description is often copied from Kubernetes, as that of a pod template is, and
// says what the API server does with pods.
func (p *Published) ungated() Schemas {
	custom := map[string]bool{}
	isCustom := func(apiVersion, kind string) bool {
		of := kind + "." + schema.GroupOf(apiVersion)
		is, known := custom[of]
		if !known {
			is = slices.ContainsFunc(NewestFirst(), func(role term.Role) bool { return p.defines(role, apiVersion, kind) })
			custom[of] = is
		}
		return is
	}
	all := Schemas{}
	for role, published := range p.Schemas {
		all[role] = published.WithoutGates(isCustom)
	}
	return all
}

// Serves reports whether a release is known to serve the version in which a value is stored.
func (p *Published) Serves(role term.Role, c history.Change) bool {
	release := p.history.Releases[role]
	is := func(r history.Resource) bool { return r.APIVersion == c.APIVersion && r.Kind == c.Kind }
	return slices.ContainsFunc(release.Resources, is) || slices.ContainsFunc(release.Elsewhere, is)
}

// MayServe reports whether a release serves a version, or is not known not to.
func (p *Published) MayServe(role term.Role, apiVersion string) bool {
	published := p.history.Releases[role].Schemas
	return published == nil || published[apiVersion] != "" // an empty map: the release serves no version that was requested
}

// MayServeKind reports whether a release serves a kind in a version, or is not known not to.
func (p *Published) MayServeKind(role term.Role, apiVersion, kind string) bool {
	_, publishes := p.Schemas[role].Kind(apiVersion, kind)
	return p.MayServe(role, apiVersion) && (publishes || p.history.Releases[role].Schemas == nil)
}

// kind returns the kind as published by the newest release that serves it. A null that any release declares
// as a value is one: another release may lose it.
func (p *Published) kind(m plan.Manifest) schema.Kind {
	var newest *schema.Kind
	for _, role := range NewestFirst() {
		k, ok := p.TypesOf(role).Kind(m.APIVersion, m.Kind)
		switch {
		case !ok:
		case newest == nil:
			newest = &k
		default:
			*newest = newest.WithNullsOf(k)
		}
	}
	if newest == nil {
		return schema.Kind{}
	}
	return *newest
}

// Declares reports whether a release publishes the path's field.
func (p *Published) Declares(role term.Role, tl *Timeline, at fieldpath.Path) bool {
	k, ok := p.Schemas[role].Kind(tl.Manifest.APIVersion, tl.Manifest.Kind)
	return ok && k.Declares(at)
}

// Keeps reports whether a release publishes a value's field and, of a null, declares null as a value of it.
func (p *Published) Keeps(role term.Role, tl *Timeline, leaf schema.Leaf) bool {
	k, ok := p.Schemas[role].Kind(tl.Manifest.APIVersion, tl.Manifest.Kind)
	return ok && k.Declares(leaf.Path) && (leaf.Semantic != schema.Null || k.TakesNull(leaf.Path))
}

// WouldShow reports whether an observation would show the path if there were a value: the release
// publishes the field, and so does the release whose types read the answer.
func (p *Published) WouldShow(tl *Timeline, obs Observation, at fieldpath.Path) bool {
	role, typed := obs.Types.Role()
	return p.Declares(obs.Role, tl, at) && (!typed || p.TypesDeclare(role, tl, at))
}

// Schemas is what each release published, as the history's Release records name it.
type Schemas map[term.Role]*schema.Schema

// OfClients returns the key in Schemas of the types of a release's clients. They differ from what
// its servers publish when its manifests were never applied.
func OfClients(role term.Role) term.Role { return role + " clients" }

// TypesOf returns the schema of a release's own types.
func (p *Published) TypesOf(role term.Role) *schema.Schema {
	if own := p.Schemas[OfClients(role)]; own != nil {
		return own
	}
	return p.Schemas[role]
}

// TypesDeclare reports whether a release's own types have the path's field.
func (p *Published) TypesDeclare(role term.Role, tl *Timeline, at fieldpath.Path) bool {
	k, ok := p.TypesOf(role).Kind(tl.Manifest.APIVersion, tl.Manifest.Kind)
	return ok && k.Declares(at)
}

// LacksChange reports whether a release's servers lack the change: servers of the old release,
// and of a new release whose manifests were never applied.
func (p *Published) LacksChange(role term.Role) bool {
	return role == term.Old || role == term.New && p.Schemas[OfClients(role)] != nil
}

// ListKeys returns the keys by which a reader of bodies matches elements of two lists: the
// list-maps and sets of every kind of a copy, in each version that a release publishes. Where the
// releases differ, the old one's keys win: it was the first to show a value that was lost.
func (p *Published) ListKeys() map[string]map[string][]string {
	all := map[string]map[string][]string{}
	for _, m := range p.history.Header.Plan.Manifests {
		group := schema.GroupOf(m.APIVersion)
		for _, role := range []term.Role{term.Old, term.New} {
			for _, version := range p.Schemas[role].VersionsOf(group, m.Kind) {
				p.addListKeys(all, role, version, m.Kind)
			}
		}
	}
	return all
}

// addListKeys adds the lists of a kind as one release publishes them.
func (p *Published) addListKeys(all map[string]map[string][]string, role term.Role, apiVersion, kind string) {
	k, ok := p.Schemas[role].Kind(apiVersion, kind)
	if !ok {
		return
	}
	name := apiVersion + "/" + kind
	for at, keys := range k.Lists() {
		if all[name] == nil {
			all[name] = map[string][]string{}
		}
		if _, known := all[name][at]; !known {
			all[name][at] = keys
		}
	}
}

// IsChange reports whether the path is part of the change: the new release publishes it, or would
// if its manifests had been applied, and the old one does not.
func (p *Published) IsChange(tl *Timeline, at fieldpath.Path) bool {
	return p.TypesDeclare(term.New, tl, at) && !p.Declares(term.Old, tl, at)
}

// IsChangeOf reports whether the path is part of the change in the version that a step uses,
// which may differ from the copy's own.
func (p *Published) IsChangeOf(tl *Timeline, s plan.Step, at fieldpath.Path) bool {
	declares := func(by *schema.Schema) bool {
		k, ok := by.Kind(VersionOf(tl, s), tl.Manifest.Kind)
		return ok && k.Declares(at)
	}
	return declares(p.TypesOf(term.New)) && !declares(p.Schemas[term.Old])
}

// IsPublishedDefault reports whether a value is the default that a release publishes, or what the default of a struct
// or list around it holds there.
func (p *Published) IsPublishedDefault(tl *Timeline, role term.Role, leaf schema.Leaf) bool {
	k, ok := p.Schemas[role].Kind(tl.Manifest.APIVersion, tl.Manifest.Kind)
	if !ok {
		return false
	}
	isDue := func(value any) bool { return Same(tl, leaf.Path, value, leaf.Value) }
	value, has := k.Default(leaf.Path)
	return has && isDue(value) || slices.ContainsFunc(k.DefaultsAbove(leaf.Path), isDue)
}
