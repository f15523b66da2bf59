package chain

import (
	"fmt"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/schema"
)

// observations records what each release served of the untouched copies, leg by leg, while every
// replica ran that release.
type observations struct {
	salt string
	// first is what a release served of a copy when it first did, known what any
	// release served of it last, by path; told are the values told of already.
	first    map[string]observation
	last     map[string]map[string]lastSeen
	told     map[string]bool
	compared int
}

// observation is what a release served of a copy in one leg.
type observation struct {
	leg    int
	digest string
	leaves schema.Leaves
}

// lastSeen is the last leg that saw a value.
type lastSeen struct {
	leg      int
	semantic string
}

func newObservations(salt string) observations {
	return observations{salt: salt, first: map[string]observation{}, last: map[string]map[string]lastSeen{}, told: map[string]bool{}}
}

// forget has nothing that comes held against what was seen.
func (s *observations) forget() {
	clear(s.first)
	clear(s.last)
}

// add adds what a leg's first and last stage showed, and reports what a release serves
// differently than before.
func (s *observations) add(leg Leg) []Finding {
	var found []Finding
	p := leg.History.Header.Plan
	for _, end := range []struct {
		stage, release int
		role           term.Role
	}{{0, leg.First, firstRole(leg.Back)}, {len(p.Stages) - 1, leg.Last, lastRole(leg.Back)}} {
		shown, listed := shownAt(leg, end.stage, end.role)
		for _, c := range p.Copies {
			answer, is := shown[c.Name]
			if c.Role != term.Untouched || !listed[kindOf(p, c)] {
				continue
			}
			at := lookup{leg: leg, copy: c, release: end.release, role: end.role}
			if !is {
				found = append(found, s.missing(at)...)
				continue
			}
			found = append(found, s.see(at, answer)...)
		}
	}
	return found
}

// lookup is where a copy was looked for.
type lookup struct {
	leg     Leg
	copy    plan.Copy
	release int
	role    term.Role
}

func (at lookup) key() string { return fmt.Sprint(at.release, " ", at.copy.Name) }

// shownAt are the answers that a stage's last LIST of each kind held, by copy,
// and the kinds that could be listed.
func shownAt(leg Leg, stage int, role term.Role) (answers map[string]string, listed map[string]bool) {
	answers, listed = map[string]string{}, map[string]bool{}
	steps := stepsOf(leg.History.Header.Plan)
	for _, l := range leg.History.Listings {
		at := steps[l.Step]
		if at.stage != stage || at.step.Action != plan.Observe || l.Role != role || l.Form != term.ConsistentList || !l.Exchange.Succeeded() {
			continue
		}
		listed[l.APIVersion+" "+l.Kind] = true
		for _, item := range l.Items {
			answers[item.Copy] = item.Answer
		}
	}
	return answers, listed
}

func kindOf(p plan.Plan, c plan.Copy) string {
	m := p.Manifests[c.Manifest]
	return m.APIVersion + " " + m.Kind
}

// see takes in what a release shows of a copy.
func (s *observations) see(at lookup, answer string) []Finding {
	before, met := s.first[at.key()]
	if met && before.digest == answer {
		s.compared++
		s.remember(at, before.leaves)
		return nil
	}
	leaves := at.leg.leaves(at.role, at.copy, answer, s.salt)
	if leaves == nil {
		return nil
	}
	if !met {
		s.first[at.key()] = observation{at.leg.Number, answer, leaves}
		s.remember(at, leaves)
		return nil
	}
	s.compared++
	found := s.differences(at, before, leaves)
	s.remember(at, leaves)
	return found
}

// differences are the values that the release serves otherwise than before.
func (s *observations) differences(at lookup, before observation, now schema.Leaves) []Finding {
	var found []Finding
	names := map[string]bool{}
	for name := range before.leaves {
		names[name] = true
	}
	for name := range now {
		names[name] = true
	}
	for _, name := range sortedKeys(names) {
		was, had := before.leaves[name]
		is, has := now[name]
		if had == has && was.Semantic == is.Semantic || aside(was, is) {
			continue
		}
		found = append(found, s.tell(at, name, before, shownValue(was, had), shownValue(is, has))...)
	}
	return found
}

// aside reports whether a value does not belong to the object's content: field managers, and
// the revision, which a rewrite changes.
func aside(leaves ...schema.Leaf) bool {
	for _, leaf := range leaves {
		for _, own := range ownedPaths() {
			if leaf.Path != nil && path.Contains(own, leaf.Path) {
				return true
			}
		}
	}
	return false
}

func shownValue(leaf schema.Leaf, there bool) string {
	if !there {
		return "nothing"
	}
	return schema.Text(leaf.Value)
}

// tell makes a finding of a value that a release serves otherwise than before,
// once for each copy and path.
func (s *observations) tell(at lookup, name string, before observation, was, is string) []Finding {
	key := at.copy.Name + " " + name
	if s.told[key] {
		return nil
	}
	s.told[key] = true
	from := before.leg
	if seen, ok := s.last[at.copy.Name][name]; ok && seen.semantic == before.leaves[name].Semantic {
		from = max(from, seen.leg)
	}
	f := Finding{
		Copy: at.copy.Name, Object: at.copy.Object, Path: name, Release: at.release,
		Served: before.leg, LastSeen: from, Leg: at.leg.Number, Before: was, After: is,
	}
	f.Message = fmt.Sprintf("%s: %s: leg %d served %s at %s; leg %d serves %s there; it was last as it had been in leg %d",
		f.Copy, at.leg.version(at.role), f.Served, was, name, f.Leg, is, from)
	return []Finding{f}
}

// missing tells that a release no longer shows a copy that it has shown.
func (s *observations) missing(at lookup) []Finding {
	before, met := s.first[at.key()]
	key := at.copy.Name + " "
	if !met || s.told[key] {
		return nil
	}
	s.told[key] = true
	f := Finding{
		Copy: at.copy.Name, Object: at.copy.Object, Release: at.release, Served: before.leg, LastSeen: before.leg, Leg: at.leg.Number,
		Before: "the object", After: "nothing",
	}
	f.Message = fmt.Sprintf("%s: %s served it in leg %d, and shows nothing of it in leg %d, where nobody deleted it",
		f.Copy, at.leg.version(at.role), f.Served, f.Leg)
	return []Finding{f}
}

func (s *observations) remember(at lookup, leaves schema.Leaves) {
	last := s.last[at.copy.Name]
	if last == nil {
		last = map[string]lastSeen{}
		s.last[at.copy.Name] = last
	}
	for name, leaf := range leaves {
		last[name] = lastSeen{at.leg.Number, leaf.Semantic}
	}
}

// version is how a release calls itself; old or new where it did not come so far.
func (l Leg) version(role term.Role) string {
	if r, ok := l.History.Releases[role]; ok {
		return l.History.Header.Plan.Title(role, r.Version)
	}
	return string(role)
}
