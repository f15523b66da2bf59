package scenarios

import (
	"cmp"
	"slices"

	"github.com/skewsim/skewsim/scenarios/strict"
	"github.com/skewsim/skewsim/scenarios/term"
)

const (
	// DefaultComponent is the component of a scenario that names none.
	DefaultComponent = "kube-apiserver"
	// ManifestComponent is the component whose releases are manifests.
	ManifestComponent = "crd"
	// DefaultReplicas is the least that can disagree with one another.
	DefaultReplicas = 2
	// MaxReplicas bounds the API servers that share the store.
	MaxReplicas = 5
	// MaxOrders bounds how many orders are played: more take a machine longer than
	// anyone waits, and another seed draws others.
	MaxOrders = 10_000
	// MaxRollouts bounds a journey; a longer one visits no new kind of stage.
	MaxRollouts = 12
	// MaxLines bounds play and expect; a person reads the largest in a minute.
	MaxLines = 1000
)

// DefaultJourney goes there and back, then forth again, where what the
// rollback only hid comes alive.
func DefaultJourney() []term.Rollout {
	return []term.Rollout{term.Upgrade, term.Rollback, term.Upgrade}
}

// ApplyDefaults fills in what the file leaves out, except at and read: which
// stages a line can be played at, only the plan knows.
func ApplyDefaults(s *Scenario) {
	if s.Releases.Of == "" {
		s.Releases.Of = DefaultComponent
	}
	if _, given := s.Lines["replicas"]; !given {
		s.Replicas = DefaultReplicas
		if s.Releases.Of == ManifestComponent {
			s.Replicas = 1
		}
	}
	if len(s.Journey) == 0 {
		s.Journey = DefaultJourney()
	}
	for i := range s.Play {
		applyLineDefaults(&s.Play[i])
	}
	for i := range s.Expect {
		s.Expect[i].Line = s.Lines[strict.Element("expect", i)]
	}
	for name, twin := range s.Twins {
		twin.Caught.Line = s.Lines[caughtBy(name)]
		twin.Of = cmp.Or(twin.Of, term.New)
		s.Twins[name] = twin
	}
}

func applyLineDefaults(l *Line) {
	if len(l.Client) == 0 {
		l.Client = []term.Client{term.Dynamic}
	}
	if len(l.Via) == 0 {
		l.Via = []Target{Target(term.Old), Target(term.New)}
	}
	for i := range l.Then {
		applyLineDefaults(&l.Then[i])
	}
	l.Verb = defaultVerbs(l)
	if len(l.Mutation) == 0 && l.Touch != "" {
		l.Mutation = []term.Mutation{term.LabelMutation}
	}
	if len(l.Names) == 0 && !NeedsNames(l) && l.Type != term.Post { // whose body is of another kind
		l.Names = leaves(l.Body)
	}
}

// defaultVerbs are how a line without verbs writes: clients that only apply
// apply, all others create with POST, change with PUT and delete with DELETE.
func defaultVerbs(l *Line) []term.Verb {
	plain := map[string]term.Verb{"create": term.Create, "touch": term.Put, "set": term.Put, "delete": term.Delete}
	key, _ := l.VerbKey()
	if len(l.Verb) > 0 || plain[key] == "" {
		return l.Verb
	}
	var verbs []term.Verb
	for _, c := range l.Client {
		verb := plain[key]
		if verb.Unfit(c) != "" {
			verb = term.Apply
		}
		if !slices.Contains(verbs, verb) {
			verbs = append(verbs, verb)
		}
	}
	return verbs
}

// NeedsNames tells whether what a patch's body changes cannot be told from the
// body alone: it depends on the object where a list is merged, replaced or
// addressed by number.
func NeedsNames(l *Line) bool {
	return l.Type != term.Post && (l.Type == term.JSONPatch || holdsList(l.Body) || ReplacesRoot(l.Body))
}

// ReplacesRoot tells whether the body is a directive about the whole object.
func ReplacesRoot(body any) bool {
	fields, _ := body.(map[string]any)
	return hasDirective(fields)
}

func holdsList(body any) bool {
	switch b := body.(type) {
	case []any:
		return true
	case map[string]any:
		for _, v := range b {
			if holdsList(v) {
				return true
			}
		}
	}
	return false
}
