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
	// DefaultReplicas is the smallest number of replicas that can disagree with each other.
	DefaultReplicas = 2
	// MaxReplicas bounds the API servers that share the store.
	MaxReplicas = 5
	// MaxOrders bounds the number of orders. More would run longer than anyone waits; another
	// seed draws other orders.
	MaxOrders = 10_000
	// MaxRollouts bounds a journey. A longer journey has no new kind of stage.
	MaxRollouts = 12
	// MaxLines bounds play and expect. A person can read a file of that size in a minute.
	MaxLines = 1000
)

// DefaultJourney upgrades, rolls back and upgrades again: the second upgrade brings back values
// that the rollback only hid.
func DefaultJourney() []term.Rollout {
	return []term.Rollout{term.Upgrade, term.Rollback, term.Upgrade}
}

// ProgramJourney is the default where releases have programs: what users of an operator really go
// through. After the upgrade its program goes back alone, then the definitions too; then the program
// is new on old definitions, until those follow.
func ProgramJourney() []term.Rollout {
	return []term.Rollout{term.Upgrade, term.ProgramRollback, term.Rollback, term.Forgotten, term.Upgrade}
}

// ApplyDefaults fills in what the file leaves out, except at and read: only the plan knows at
// which stages a line can be played.
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
		if s.Releases.Programs != "" {
			s.Journey = ProgramJourney()
		}
	}
	for i := range s.Play {
		applyLineDefaults(&s.Play[i])
	}
	for i := range s.Expect {
		s.Expect[i].Line = s.Lines[strict.Element("expect", i)]
	}
	for name, mutant := range s.Mutants {
		mutant.Caught.Line = s.Lines[caughtBy(name)]
		mutant.Of = cmp.Or(mutant.Of, term.New)
		s.Mutants[name] = mutant
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
	if len(l.Change) == 0 && l.Touch != "" {
		l.Change = []term.Change{term.LabelChange}
	}
	if len(l.Names) == 0 && !NeedsNames(l) && !l.Type.PostsPart() { // whose body is of another kind
		l.Names = leaves(l.Body)
	}
}

// defaultVerbs returns the verbs of a line that names none. Clients that only apply use apply;
// all others create with POST, change with PUT and delete with DELETE.
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

// NeedsNames reports whether the names of a patch are required, because the body alone does not
// say what it changes: that depends on the object if a list is merged, replaced or addressed by
// index.
func NeedsNames(l *Line) bool {
	return !l.Type.PostsPart() && (l.Type.Form() == term.JSONForm || holdsList(l.Body) || ReplacesRoot(l.Body))
}

// ReplacesRoot reports whether the body is a directive for the whole object.
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
