package play

import (
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/published"
	"github.com/skewsim/skewsim/sim/sweep"
)

// maxConverted is the same where programs convert: what they do to a kind in each of its versions is in no
// published difference.
const maxConverted = 150

// storedKinds returns the kinds that both releases serve and store; none if there are many.
func storedKinds(s *session) (all []sweep.Kind) {
	served := servedKinds(s.plain)
	for _, k := range served[term.Old] {
		if s.scope.HasKind(k.APIVersion, k.Kind) && slices.Contains(served[term.New], k) {
			all = append(all, k)
		}
	}
	if len(all) > sweep.MaxKinds && (s.request.Webhooks == "" || len(all) > maxConverted) {
		return nil
	}
	return all
}

// servedKinds returns the kinds that each release serves and stores at default settings.
func servedKinds(plain map[term.Role]published.Release) map[term.Role][]sweep.Kind {
	all := map[term.Role][]sweep.Kind{}
	for role, release := range plain {
		for _, r := range release.Resources {
			if r.IsCreatable() {
				all[role] = append(all[role], sweep.Kind{APIVersion: r.APIVersion, Kind: r.Kind})
			}
		}
	}
	return all
}

// pairs returns the pairs of versions that the new release's webhook converts.
func (s *session) pairs() []sweep.Pair {
	return slices.DeleteFunc(sweep.PairsOf(s.plain[term.New], servedKinds(s.plain)), func(p sweep.Pair) bool {
		return !s.scope.HasKind(p.APIVersion, p.Kind.Kind)
	})
}

// removed returns the fields of a kind that the new release lacks: objects that have them are
// the rows' own.
func removed(all []diff.Difference, t sweep.Target) (fields []string) {
	for _, r := range all {
		for _, p := range r.Places {
			if r.Difference == term.FieldRemoved && p.APIVersion == t.APIVersion && p.Kind == t.Kind {
				fields = append(fields, p.Path)
			}
		}
	}
	return fields
}
