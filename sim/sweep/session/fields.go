package session

import (
	"context"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/exercise"
	"github.com/skewsim/skewsim/sim/exercise/rules"
	"github.com/skewsim/skewsim/sim/generate"
	"github.com/skewsim/skewsim/sim/sweep"
	"github.com/skewsim/skewsim/sim/sweep/fate"
	"github.com/skewsim/skewsim/sim/sweep/identity"
)

const (
	// mostFields is how many fields of a kind are tried where a server has many kinds: those
	// beside fields that differ.
	mostFields = 12
	// mostWords is how many words of a description are tried as values.
	mostWords = 12
)

// tryFields tries on the servers of a lap the fields that both releases publish alike, and adds a
// row for each that the releases treat differently. It returns an object for each difference.
func (s ride) tryFields(ctx context.Context, objects []sweep.Object) (differing []sweep.Object, _ error) {
	var targets []rules.Target
	for _, o := range objects {
		if o.Target.Baseline() && o.Played() && o.Specimen.Subresource == "" {
			targets = append(targets, s.fieldsOf(o)...)
		}
	}
	if s.lap != term.DefaultLap || len(targets) == 0 {
		return nil, nil
	}
	results, err := rules.TryFields(ctx, ruleServer(s.at[term.Old]), ruleServer(s.at[term.New]), targets)
	if err != nil {
		return nil, err
	}
	for i, r := range results {
		if len(r.Playable()) == 0 {
			continue
		}
		row := rowOf(targets[i], r.Playable()[0])
		s.rows = append(s.rows, row)
		r.Trials = typical(r.Playable())
		differing = append(differing, sweep.RuleObjects(row, r)...)
	}
	s.say("%s: %d fields tried, %d changes answered differently", s.lap, len(targets), len(differing))
	return differing, nil
}

// typical returns one trial of each direction: others of the same field say the same.
func typical(all []rules.Trial) (some []rules.Trial) {
	seen := map[string]bool{}
	for _, t := range all {
		if key := fmt.Sprint(t.AcceptedBy(), t.Update, t.Removed); !seen[key] {
			seen[key] = true
			some = append(some, t)
		}
	}
	return some
}

// unstated names the differences that only the answers to dry runs show.
const unstated = "what servers accept"

// rowOf is the row of a field that the releases treat differently.
func rowOf(t rules.Target, first rules.Trial) sweep.Row {
	d := diff.Difference{Difference: term.RuleChanged, Version: t.APIVersion, Kind: t.Kind, Path: t.Path, Name: unstated, Played: true}
	if group, version, grouped := strings.Cut(t.APIVersion, "/"); grouped {
		d.Group, d.Version = group, version
	}
	d.Old, d.New = answerText(first, first.Old), answerText(first, first.New)
	d.Places = []diff.Place{{APIVersion: t.APIVersion, Kind: t.Kind, Path: t.Path}}
	return sweep.Row{ID: identity.RowID(d), Difference: d, Reachable: true}
}

// answerText says what a release answered to a value.
func answerText(t rules.Trial, a rules.Answer) string {
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
func (s ride) fieldsOf(o sweep.Object) (all []rules.Target) {
	beside := s.differingStructs(o.Target.APIVersion, o.Target.Kind)
	few := storedKinds(s.session) != nil
	for _, l := range valuesOf(o.Specimen.Object) {
		field := fate.FieldOf(l.held)
		if !few && (!beside[field[:max(0, strings.LastIndexByte(field, '.'))]] || len(all) >= mostFields) {
			continue
		}
		t := rules.Target{Specimen: o.Specimen}
		t.Target = exercise.Target{ID: o.Target.ID + l.held, APIVersion: o.Target.APIVersion, Kind: o.Target.Kind, Path: field}
		t.Held = l.held
		if _, is := l.value.(string); is {
			t.Values = s.wordsAt(o, l.at)
		}
		all = append(all, t)
	}
	return all
}

// differingStructs are the structs of a kind that have a field which differs.
func (s ride) differingStructs(apiVersion, kind string) map[string]bool {
	all := map[string]bool{}
	for _, r := range s.rows {
		for _, p := range r.Places {
			if p.APIVersion == apiVersion && p.Kind == kind {
				all[p.Path[:max(0, strings.LastIndexByte(p.Path, '.'))]] = true
			}
		}
	}
	return all
}

// leaf is one value of an object.
type leaf struct {
	held  string // its path, by the names of list elements
	at    generate.Location
	value any
}

// valuesOf returns the values of an object that a client sets: neither of its metadata nor of its
// status.
func valuesOf(object map[string]any) (all []leaf) {
	for _, name := range slices.Sorted(maps.Keys(object)) {
		if !slices.Contains([]string{"apiVersion", "kind", "metadata", term.StatusPart}, name) {
			all = append(all, leavesOf(leaf{"." + name, generate.Location{name}, object[name]})...)
		}
	}
	return all
}

func leavesOf(l leaf) (all []leaf) {
	switch v := l.value.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			if plainName.MatchString(name) {
				all = append(all, leavesOf(leaf{l.held + "." + name, l.at.With(name), v[name]})...)
			}
		}
	case []any:
		for i, element := range v {
			of, _ := element.(map[string]any)
			if name, named := of["name"].(string); named && i == 0 {
				all = append(all, leavesOf(leaf{fmt.Sprintf("%s[name=%q]", l.held, name), l.at.With("0"), element})...)
			}
		}
	case string, int64, float64, bool:
		return []leaf{l}
	}
	return all
}

var (
	plainName = regexp.MustCompile(`^[A-Za-z]\w*$`)
	// valueWord finds words that may be values: the API conventions write them in CamelCase.
	valueWord = regexp.MustCompile(`\b[A-Z][a-z]+[A-Za-z]*\b`)
)

// wordsAt returns the values that either release publishes for a field, or that its description
// names: validation of many enums is hand-written.
func (s ride) wordsAt(o sweep.Object, at generate.Location) (all []any) {
	for _, r := range term.Roles() {
		role := r.Word
		definitions, err := generate.ReadDefinitions(s.at[role].Documents[o.Target.APIVersion])
		if err != nil {
			continue
		}
		kind, has := definitions.Kind(o.Target.APIVersion, o.Target.Kind, nil)
		if !has {
			continue
		}
		field, _ := kind.SchemaAt(o.Specimen.Object, at)
		if field == nil {
			continue
		}
		text := field.Description
		if of, _ := definitions.Resolve(field); of != nil {
			all = append(all, of.Enum...)
		}
		for _, word := range valueWord.FindAllString(text, -1) {
			if !slices.Contains(all, any(word)) {
				all = append(all, word)
			}
		}
	}
	return all[:min(len(all), mostWords)]
}
