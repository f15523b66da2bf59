package play

import (
	"context"
	"fmt"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/objects/try"
	"github.com/skewsim/skewsim/sim/sweep"
)

const (
	// maxFields is how many fields of a kind are tried where a server has many kinds: those
	// beside fields that differ.
	maxFields = 6
	// maxWords is how many words of a description are tried as values, maxWordsOfMany where a
	// server has many kinds.
	maxWords, maxWordsOfMany = 12, 4
)

// tryFields tries on the servers of a lap the fields that both releases publish alike. It makes a row,
// and an object, for each that the releases treat differently.
func (s lapRun) tryFields(ctx context.Context, objects []sweep.Object, m *preparation) error {
	var targets []try.RuleTarget
	published := newDocuments(s.at)
	for _, o := range objects {
		if s.lap == term.DefaultLap && len(s.scope.Paths)+len(s.scope.Gates) == 0 && o.Target.Baseline() && o.Played() && o.Specimen.Subresource == "" {
			targets = append(targets, s.fieldsOf(o, published)...)
		}
	}
	if len(targets) == 0 {
		return nil
	}
	results, err := try.TryFields(ctx, ruleServer(s.at[term.Old]), ruleServer(s.at[term.New]), targets)
	if err != nil {
		return err
	}
	for i, r := range results {
		if len(r.Playable()) == 0 {
			continue
		}
		row := rowOf(targets[i], r.Playable()[0])
		if !hasShown(s.session, row) {
			continue
		}
		m.rows = append(m.rows, row)
		r.Trials = typical(r.Playable())
		m.differing = append(m.differing, sweep.RuleObjects(row, r)...)
	}
	s.say("%s: %d fields tried, %s differently answered", s.lap, len(targets), term.Numbered(len(m.rows), "field"))
	return nil
}

// hasShown reports whether the part that is played has a row of what servers accept: that with the published
// difference which is why has it, and else that of its kind.
func hasShown(s *session, row sweep.Row) bool {
	if i := sweep.DeclaredBy(s.parts, row); i >= 0 {
		return s.scope.HasID(s.parts[i].ID)
	}
	return s.scope.HasUnexplained(sweep.GroupVersion(row.Group, row.Version), row.Kind)
}

// typical returns one trial of each direction: others of the same field say the same.
func typical(all []try.Trial) (some []try.Trial) {
	seen := map[string]bool{}
	for _, t := range all {
		if key := fmt.Sprint(t.AcceptedBy(), t.Update, t.Removed); !seen[key] {
			seen[key] = true
			some = append(some, t)
		}
	}
	return some
}

// rowOf is the row of a field that the releases treat differently.
func rowOf(t try.RuleTarget, first try.Trial) sweep.Row {
	d := diff.Difference{Difference: term.RuleChanged, Version: t.APIVersion, Kind: t.Kind, Path: t.Path, Name: sweep.Unstated, Playable: true}
	if group, version, grouped := strings.Cut(t.APIVersion, "/"); grouped {
		d.Group, d.Version = group, version
	}
	d.Old, d.New = answerText(first, first.Old), answerText(first, first.New)
	d.Places = []diff.Place{{APIVersion: t.APIVersion, Kind: t.Kind, Path: t.Path}}
	return sweep.Row{ID: sweep.RowID(d), Difference: d, Reachable: true}
}

// answerText says what a release answered to a value.
func answerText(t try.Trial, a try.Answer) string {
	what := fmt.Sprint(t.Value)
	if t.Removed {
		what = "no value"
	}
	switch {
	case a.Accepted:
		return "accepts " + what
	case a.Code < 300:
		return "replaces " + what
	}
	return "refuses " + what
}

// fieldsOf returns the fields of a valid object that are tried: all that have one value, or,
// where a server has many kinds, those beside fields that differ.
func (s lapRun) fieldsOf(o sweep.Object, published documents) (all []try.RuleTarget) {
	beside, ruled := s.differingStructs(o.Target.APIVersion, o.Target.Kind), s.ruledFields(o.Target.APIVersion, o.Target.Kind)
	few, words := storedKinds(s.session) != nil, maxWords
	if !few {
		words = maxWordsOfMany
	}
	for _, l := range valuesOf(o.Specimen.Object) {
		field := sweep.FieldOf(l.held)
		if !few && (!beside[field[:max(0, strings.LastIndexByte(field, '.'))]] || len(all) >= maxFields) {
			continue
		}
		if ruled[field] {
			continue // what servers answer there is the published rule's row
		}
		t := try.RuleTarget{Specimen: o.Specimen}
		t.Target = try.Target{ID: o.Target.ID + l.held, APIVersion: o.Target.APIVersion, Kind: o.Target.Kind, Path: field}
		t.Held = l.held
		if _, is := l.value.(string); is {
			t.Values = published.wordsAt(o, l.at)
			t.Values = t.Values[:min(len(t.Values), words)]
		}
		all = append(all, t)
	}
	return all
}

// differingStructs are the structs of a kind that have a field which differs.
func (s lapRun) differingStructs(apiVersion, kind string) map[string]bool {
	all := map[string]bool{}
	for _, r := range s.parts {
		for _, p := range r.Places {
			if p.APIVersion == apiVersion && p.Kind == kind {
				all[p.Path[:max(0, strings.LastIndexByte(p.Path, '.'))]] = true
			}
		}
	}
	return all
}

// ruledFields are the fields of a kind for which the releases publish different rules.
func (s lapRun) ruledFields(apiVersion, kind string) map[string]bool {
	all := map[string]bool{}
	for _, r := range s.parts {
		switch r.Difference.Difference {
		case term.RuleTightened, term.RuleRelaxed, term.RuleChanged:
			for _, p := range r.Places {
				if p.APIVersion == apiVersion && p.Kind == kind {
					all[p.Path] = true
				}
			}
		}
	}
	return all
}
