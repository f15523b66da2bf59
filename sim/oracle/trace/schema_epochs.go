package trace

import (
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/schema"
)

// schemaEpoch is a time in which a definition is not that of the release whose servers run:
// they refused to take it, so that the one before stays.
type schemaEpoch struct {
	name     string    // of the definition
	from, to int       // the steps: from its first up to its last
	of       term.Role // whose definition it is
}

// SchemaEpochs are the times in which definitions stay that were to be replaced. Definitions
// lie in the store: what one server was given, all have.
func SchemaEpochs(h *history.History) []schemaEpoch {
	var all []schemaEpoch
	open := map[string]int{} // by name: the index of the reign that goes on
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

// attributed is the history in which each answer is that of the release whose definition
// the servers had by then: where they refused to take the one that was due, they go on
// as before. What is tried on scratch stores is not concerned.
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

// epochRoles finds out whose definition an answer is by.
type epochRoles struct {
	h         *history.History
	all       []schemaEpoch
	manifests map[string]string // by copy, or object
}

// subject is the kind that an operation is about.
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

// resourceOf is what a kind's resource is called, with its group, as definitions are;
// "": no release serves it.
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

// DefinitionNote says whose definition the server that a step called had, where it is not that
// of its release.
func (tr *Trace) DefinitionNote(step int) string {
	act, planned := tr.Acts[step], tr.Steps[step].Step.ViaRole
	if len(tr.Epochs) == 0 || act.Role == "" || act.Role == planned {
		return ""
	}
	return ", with the manifests of " + tr.History.Releases[act.Role].Version
}

// KeepsNewDefinition reports whether a definition stays that of the new release when a step is
// played, though the old one's servers run: nothing was rolled back.
func (tr *Trace) KeepsNewDefinition(tl *Timeline, step int) bool {
	r := &epochRoles{h: tr.History, all: tr.Epochs}
	return len(tr.Epochs) > 0 && r.role(term.Old, step, tl.Manifest.APIVersion, tl.Manifest.Kind) == term.New
}

// IsRefused reports whether a server did not take a manifest, also where it does not say why.
func IsRefused(one history.Installed) bool { return one.Message != "" || one.Code >= 400 }
