package trace

import (
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/schema"
)

// schemaEpoch is a period in which a definition is not the running release's: its servers refused
// to take their own, and the one before stays.
type schemaEpoch struct {
	name     string    // of the definition
	from, to int       // steps: the first, and the last
	of       term.Role // the release that brought the definition
}

// SchemaEpochs returns the periods in which a definition stays that should have been replaced. A
// definition is stored: what one server took applies to all of them.
func SchemaEpochs(h *history.History) []schemaEpoch {
	var all []schemaEpoch
	open := map[string]int{} // by name: the index of the current epoch
	whose := map[string]term.Role{}
	for _, s := range h.Servers {
		for _, one := range s.Installed {
			if at, is := open[one.Name]; is {
				all[at].to = s.Step - 1
				delete(open, one.Name)
			}
			owner, known := whose[one.Name]
			switch {
			case !IsRefused(one):
				whose[one.Name] = s.Role
			case known && owner != s.Role:
				open[one.Name] = len(all)
				all = append(all, schemaEpoch{name: one.Name, from: s.Step, to: lastStep(h), of: owner})
			}
		}
	}
	return all
}

func lastStep(h *history.History) int {
	last := 0
	for _, stage := range h.Header.Plan.Stages {
		for _, s := range stage.Steps {
			last = max(last, s.Number)
		}
	}
	return last
}

// attributed returns the history with each answer attributed to the release whose definition the
// servers used: servers that refused the definition due keep the one before. Trials on scratch
// stores stay as they are.
func attributed(h *history.History) *history.History {
	all := SchemaEpochs(h)
	if len(all) == 0 {
		return h
	}
	r := &epochRoles{h: h, all: all}
	t := *h
	t.Operations = slices.Clone(h.Operations)
	for i, op := range t.Operations {
		apiVersion, kind := r.subject(op)
		t.Operations[i].Role = r.role(op.Role, op.Step, apiVersion, kind)
	}
	t.Listings = slices.Clone(h.Listings)
	for i, l := range t.Listings {
		t.Listings[i].Role = r.role(l.Role, l.Step, l.APIVersion, l.Kind)
	}
	t.Watches = slices.Clone(h.Watches)
	for i, w := range t.Watches {
		t.Watches[i].Role = r.role(w.Role, w.Step, w.APIVersion, w.Kind)
	}
	return &t
}

// epochRoles finds the release whose definition produced an answer.
type epochRoles struct {
	h         *history.History
	all       []schemaEpoch
	manifests map[string]string // by copy, or object
}

// subject returns the kind that an operation is about.
func (r *epochRoles) subject(op history.Operation) (apiVersion, kind string) {
	p := r.h.Header.Plan
	if r.manifests == nil {
		r.manifests = map[string]string{}
		for _, c := range p.Copies {
			r.manifests[c.Name] = c.Manifest
		}
	}
	m := p.Manifests[r.manifests[op.Copy]]
	return m.APIVersion, m.Kind
}

func (r *epochRoles) role(was term.Role, step int, apiVersion, kind string) term.Role {
	for _, g := range r.all {
		if step >= g.from && step <= g.to && g.name == resourceOf(r.h, apiVersion, kind) {
			return g.of
		}
	}
	return was
}

// resourceOf returns the name of a kind's resource with its group, as definitions are named; ""
// if no release serves the kind.
func resourceOf(h *history.History, apiVersion, kind string) string {
	for _, role := range NewestFirst() {
		release := h.Releases[role]
		for _, r := range slices.Concat(release.Resources, release.Elsewhere) {
			if schema.GroupOf(r.APIVersion) == schema.GroupOf(apiVersion) && r.Kind == kind && r.Plural != "" {
				return r.Plural + "." + schema.GroupOf(apiVersion)
			}
		}
	}
	return ""
}

// DefinedBy returns the kind that a definition declares, with its group, as Widget.example.dev; "" if
// no release serves it.
func DefinedBy(tr *Trace, name string) string {
	for _, role := range NewestFirst() {
		release := tr.History.Releases[role]
		for _, r := range slices.Concat(release.Resources, release.Elsewhere) {
			if group := schema.GroupOf(r.APIVersion); r.Plural != "" && r.Plural+"."+group == name {
				return r.Kind + "." + group
			}
		}
	}
	return ""
}

// DefinitionNote names the release whose definition a call's server used, if it is not the
// server's own release.
func (tr *Trace) DefinitionNote(step int) string {
	act, planned := tr.Acts[step], tr.Steps[step].Step.ViaRole
	if len(tr.Epochs) == 0 || act.Role == "" || act.Role == planned {
		return ""
	}
	return ", with the manifests of " + tr.History.Releases[act.Role].Version
}

// KeepsNewDefinition reports whether the new release's definition is still in place in a step
// whose servers are the old release's: the definition was not rolled back.
func (tr *Trace) KeepsNewDefinition(tl *Timeline, step int) bool {
	r := &epochRoles{h: tr.History, all: tr.Epochs}
	return len(tr.Epochs) > 0 && r.role(term.Old, step, tl.Manifest.APIVersion, tl.Manifest.Kind) == term.New
}

// IsRefused reports whether a server refused a manifest, with or without a message.
func IsRefused(one history.Installed) bool { return one.Message != "" || one.Code >= 400 }
