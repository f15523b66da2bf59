package sweep

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/result"
)

// A server refuses a write for whatever it finds in the object. A row uses only the errors of a refusal
// that are of its own field or in the words of its own rule: what is refused for another reason says
// nothing of the row.

// HandWritten names the differences that only hints know.
const HandWritten = "hand-written validation"

// claim is what a row is about at one place.
type claim struct {
	row     string
	place   diff.Place
	subject Subject
	// transition reports that the row's rule compares an object with what was stored.
	transition bool
}

// claimsOf returns what rows are about, at all their places.
func claimsOf(rows []Row) (all []claim) {
	for _, r := range rows {
		s := Subject{Kind: r.Difference.Difference, Unstated: r.Name == Unstated || r.Name == HandWritten}
		if s.Kind.IsRule() {
			s.Rule, s.Messages = r.Name, r.Messages
		}
		for _, p := range everyPlace(r.Difference) { // what is played at one of them is refused at the others too
			s.Field, s.field = p.Path, partsOf(p.Path)
			all = append(all, claim{row: r.ID, place: p, subject: s, transition: s.Kind.IsRule() && strings.Contains(r.Old+r.New, "oldSelf")})
		}
	}
	return all
}

// forRow returns what was played of an object as far as a row may use it.
func (p played) forRow(r Row, claims []claim) played {
	ids := append([]string{r.ID}, r.also...)
	for _, c := range claims {
		if c.place.APIVersion != p.object.Target.APIVersion || c.place.Kind != p.object.Target.Kind {
			continue
		}
		if !slices.Contains(ids, c.row) {
			p.otherClaims = append(p.otherClaims, c)
			continue
		}
		if held := p.indexed(p.object.ValuePath()); Within(FieldOf(held), c.subject.Field) {
			c.subject.Held, c.subject.held = held, partsOf(held)
		}
		p.claims = append(p.claims, c)
	}
	return p
}

// attributed are the errors of a refusal that a row may use.
type attributed struct {
	causes []result.StatusCause
	// transition and filled are as in Refusal.
	transition, filled bool
}

// attribute returns the errors of a refusal that are the row's; false if the server names others only.
// Sends reports whether the request sends values of its own.
func (p played) attribute(causes []result.StatusCause, message string, sends bool) (a attributed, isOwn bool) {
	if len(causes) == 0 {
		causes = CausesIn(message)
	}
	if len(p.claims) == 0 || len(causes) == 0 {
		return attributed{causes: causes}, true
	}
	for _, c := range causes {
		sendsOwn := sends && !p.lacksDefault()
		fit, by := bestFit(p.claims, c, sendsOwn)
		others, other := bestFit(p.otherClaims, c, sends)
		filled := fit == FitAround && other.transition || fit == FitExact && by.transition && !sends && p.fillsIn(c)
		// A member that goes, and the alternatives without it, are one change.
		isClaimed := others == FitExact && fit < FitExact && !(fit == FitAround && IsOfMembers(c))
		if fit > NoFit && !isClaimed || filled {
			a.causes = append(a.causes, c)
			a.transition = a.transition || by.transition
			a.filled = a.filled || filled || fit == FitAround && !sendsOwn && !LacksMembers(c) && by.subject.FillsIn()
		}
	}
	return a, len(a.causes) > 0
}

// lacksDefault reports whether the object lacks a field of the row for which the releases have other defaults: no
// request sends a value of it, and a release that has one there has filled it in.
func (p played) lacksDefault() bool {
	return p.object.Target.Without != "" && slices.ContainsFunc(p.claims, func(c claim) bool { return c.subject.Kind == term.DefaultChanged })
}

// bestFit returns how well an error fits the best of claims, and that claim.
func bestFit(all []claim, c result.StatusCause, sends bool) (best Fit, by claim) {
	at := path.Members(c.Field)
	for _, one := range all {
		if fit := one.subject.fits(c, at, sends); fit > best {
			best, by = fit, one
		}
	}
	return best, by
}

// fillsIn reports whether another row is of a field, within the place of an error, that a release fills in.
func (p played) fillsIn(c result.StatusCause) bool {
	return slices.ContainsFunc(p.otherClaims, func(other claim) bool {
		return other.subject.FillsIn() && other.subject.Fits(c, false) == FitAround
	})
}

// indexed returns a path of the object with the positions of list elements in place of their keys. Whether
// a list identifies its elements by keys may differ between the releases.
func (p played) indexed(at string) string {
	text, known := p.paths[at]
	if !known {
		text = at
		if parsed, err := path.Parse(at); err == nil && at != "" {
			text = path.String(atPositions(p.asObject(), parsed))
		}
		p.paths[at] = text
	}
	return text
}

// atPositions returns a path with the positions of list elements in place of their keys. A server may fill in a
// member that is a key: the object as it was made has the element without it.
func atPositions(object map[string]any, at fieldpath.Path) fieldpath.Path {
	at = path.Indexed(object, at)
	for i, e := range at {
		if e.Key == nil {
			continue
		}
		above, _ := path.Get(object, at[:i])
		list, _ := above.([]any)
		if position := slices.IndexFunc(list, func(element any) bool { return mayGetKeys(element, e) }); position >= 0 {
			at = slices.Clone(at)
			at[i] = fieldpath.PathElement{Index: &position}
			at = path.Indexed(object, at)
		}
	}
	return at
}

// mayGetKeys reports whether an element of a list has keys as soon as a server fills in those that it lacks.
func mayGetKeys(element any, keys fieldpath.PathElement) bool {
	has, isStruct := element.(map[string]any)
	if !isStruct {
		return false
	}
	filled := maps.Clone(has)
	for _, k := range *keys.Key {
		if filled[k.Name] == nil {
			filled[k.Name] = k.Value.Unstructured()
		}
	}
	return path.Position([]any{filled}, keys) == 0
}

// isProven reports whether the object's own release has accepted what a write sends: only then a refusal by
// the other one says something of the releases.
func (p played) isProven(w write) bool {
	if w.ViaRole == p.object.Target.Release || !w.Birth && !w.sendsValue() {
		return true
	}
	return slices.ContainsFunc(p.evidence.of(p.object.Target.ID), func(name string) bool {
		return slices.ContainsFunc(p.evidence.Copies[name].writes, func(own write) bool {
			return own.ViaRole == p.object.Target.Release && own.code/100 == 2 && own.sendsSame(w)
		})
	})
}

// sendsSame reports whether two writes send the same values to the same part of an object.
func (w write) sendsSame(other write) bool {
	if w.Birth || other.Birth {
		return w.Birth && other.Birth
	}
	return w.sendsValue() && other.sendsValue() && w.Verb == other.Verb && w.Part() == other.Part() && fmt.Sprint(w.Change.Fields) == fmt.Sprint(other.Change.Fields)
}

// mayUse reports whether a refusal of a write says something of the row.
func (p played) mayUse(w write) bool {
	_, isOwn := p.attribute(w.causes, w.message, w.Birth || w.sendsValue())
	return isOwn && p.isProven(w)
}

// foreign returns what a refusal says that is not of the row.
func foreign(via term.Role, message string) string {
	return fmt.Sprintf("%s refuses it for another reason: %s", releaseWords(via), message)
}

// foreigns returns the refusals of the object's writes that say nothing of the row, each once.
func (p played) foreigns() (all []string) {
	id := p.object.Target.ID
	for _, name := range slices.Concat(p.evidence.of(id), p.evidence.of(id+OfferedSuffix)) {
		for _, w := range p.evidence.Copies[name].writes {
			if w.refused() && !p.mayNotFit(w) && !p.mayUse(w) {
				all = append(all, foreign(w.ViaRole, refusalOf(w)))
			}
		}
	}
	slices.Sort(all)
	return slices.Compact(all)
}
