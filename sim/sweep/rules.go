package sweep

import (
	"fmt"
	"maps"
	"slices"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/exercise/rules"
	"github.com/skewsim/skewsim/sim/sweep/aims"
	"github.com/skewsim/skewsim/sim/sweep/identity"
)

// Unstated names the differences that only the answers to dry runs show.
const Unstated = "what servers accept"

// RuleTargets returns the valid objects on which a lap tries the rules that the releases state
// differently. Each holds a value at the path of its row's rule. The lap with gates leaves out what
// is the same without them.
func RuleTargets(rows []Row, lap term.Lap) []Target {
	w := wanted{at: map[string]int{}}
	for _, row := range rows {
		if row.Playable && isRule(row.Difference.Difference) && (lap != term.GatesLap || inLap(row, lap, Options{})) {
			for _, place := range placesOf(row.Difference) {
				aim := aims.OfRule(row.Name+row.Old+row.New, place.Path)
				if place.Path == "" {
					place.Path = aims.MemberOf(row.Old + row.New)
				}
				w.add(row, aim, place)
			}
		}
	}
	return w.all
}

func isRule(k term.DifferenceKind) bool {
	return k == term.RuleTightened || k == term.RuleRelaxed || k == term.RuleChanged
}

// RuleObjects returns an object for each change that the releases answer differently: the
// release that accepts the change stores it, and the other one meets it.
func RuleObjects(row Row, r rules.Result) (all []Object) {
	for i, trial := range r.Playable() {
		t := Target{Rows: []string{row.ID}, Release: trial.AcceptedBy(), Form: term.Bystander, Gates: row.Gates, Beside: true}
		if t.Release == term.New {
			t.Form = term.Treated
		}
		t.APIVersion, t.Kind, t.Path, t.Value = trial.APIVersion, trial.Kind, trial.Path, trial.Value
		t.ID = identity.ObjectName(t.Kind, identity.LastField(t.Path), row.ID, fmt.Sprint(i), "rule")
		s := trial.Specimen()
		s.Target = t.Target
		if trial.Update || trial.Subresource != "" {
			s.Object, s.Subresource = trial.Before, ""
			t.Change, t.Part = map[string]any{trial.Held: trial.Value}, trial.Subresource
			if trial.Removed {
				t.Change = map[string]any{trial.Held: nil}
			}
		}
		all = append(all, Object{Target: t, Specimen: s})
	}
	return all
}

// changed sends a change of a stored object through each release.
func (w writing) changed(fields map[string]any, part string) []scenarios.Line {
	change := scenarios.Line{Set: w.id, Verb: []term.Verb{term.Put, term.MergePatch}, Fields: fields, Subresource: part}
	if slices.Contains(slices.Collect(maps.Values(fields)), nil) {
		change.Verb = []term.Verb{term.MergePatch} // a PUT without a field may be that of a client that does not know it
	}
	own, other := change, change
	own.Via, other.Via = w.own, w.other
	return []scenarios.Line{w.line(own, w.at.typed), w.line(other, w.at.mixed)}
}

// ofNull gives an outcome the verdict of an explicit null that one release keeps, and the other one
// does not: servers treat what they read from the store as they treat what they are sent.
func ofNull(o *Outcome, t rules.Trial) {
	other := t.New
	o.Class, o.Rule = term.Violation, term.Rule2 // what clients have stored reads differently
	if t.AcceptedBy() == term.New {
		other, o.Class, o.Rule = t.Old, term.Impact, term.Rule6
	}
	o.Verdict, o.Cause = term.FateDropped, term.Pruned
	if other.Default != nil {
		o.Verdict, o.Cause = term.FateMeansOther, term.Defaulted
	}
	o.Reason = fmt.Sprintf("only the %s release keeps an explicit null at %s, as a dry run: of the other one's answer, %s", t.AcceptedBy(), t.Held, other.Message)
}

// outcomeOfRule is what dry runs say of a rule that no journey played; false if the rule was not
// tried.
func outcomeOfRule(lap Lap, r Row) (Outcome, bool) {
	tried, known := lap.Rules[r.ID]
	if !known || len(tried.Playable()) > 0 {
		return Outcome{}, false
	}
	o := Outcome{Lap: lap.Lap, WasPlayed: tried.Sent > 0, Verdict: term.FateNotExercised, Reason: tried.Reason}
	switch {
	case len(tried.Trials) > 0 && (tried.Trials[0].Old.Replaced || tried.Trials[0].New.Replaced):
		ofNull(&o, tried.Trials[0])
	case len(tried.Trials) > 0:
		t := tried.Trials[0]
		o.Verdict = term.FateRefused
		o.Reason = fmt.Sprintf("only the %s release accepts a value on the far side of the rule, as a dry run: %s", t.AcceptedBy(), t.Old.Message+t.New.Message)
	case tried.Unanswered > 0 && o.Reason == "":
		o.Reason = fmt.Sprintf("%d of %d values got no answer that says anything of the value", tried.Unanswered, tried.Sent)
	case tried.Alike() && lap.Settings.Releases.Of == scenarios.ManifestComponent:
		o.Reason = fmt.Sprintf("no value was found that one definition refuses alone: both accept %d and refuse %d of %d values, as dry runs", tried.BothAccept, tried.BothRefuse, tried.Sent)
	case tried.Alike():
		o.Verdict = term.FateKept
		o.Reason = fmt.Sprintf("both releases accept %d and refuse %d of %d values, as dry runs", tried.BothAccept, tried.BothRefuse, tried.Sent)
	case o.Reason == "":
		o.Reason = fmt.Sprintf("none of %d values was answered so that the releases can be compared", tried.Sent)
	}
	return o, true
}
