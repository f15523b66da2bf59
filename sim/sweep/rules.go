package sweep

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/objects/try"
	"github.com/skewsim/skewsim/sim/result"
)

// Unstated names the differences that only the answers to dry runs show.
const Unstated = "what servers accept"

// RuleTargets returns the valid objects on which a lap tries the rules that the releases state
// differently. Each holds a value at the path of its row's rule, which both releases accept. The lap with gates leaves out what
// is the same without them.
func RuleTargets(rows []Row, lap term.Lap) []Target {
	w := wanted{at: map[string]int{}}
	for _, row := range rows {
		if row.Playable && (row.Difference.Difference.IsRule() || row.isOfOwners()) && (lap != term.GatesLap || inLap(row, lap, Options{})) {
			for _, place := range Places(row.Difference) {
				aim := AimAtRule(row.Name+row.Old+row.New, place.Path)
				aim.Filled = aim.Filled || row.isOfOwners()
				if place.Path == "" {
					place.Path = MemberOf(row.Old + row.New)
				}
				w.add(row, aim, place)
			}
		}
	}
	for i := range w.all {
		w.all[i].Both = true
	}
	return w.all
}

// isOfOwners reports whether the parts of a list or map have one owner in one release, and owners of their
// own in the other one.
func (r Row) isOfOwners() bool {
	return r.Difference.Difference == term.ListChanged && (r.Old == "atomic") != (r.New == "atomic")
}

// losesParts reports whether the parts of a list or map have owners of their own, and one owner in the new
// release.
func (r Row) losesParts() bool {
	return r.Difference.Difference == term.ListChanged && r.Old != "atomic" && r.New == "atomic"
}

// maxPlays is how many changes of one rule are played at most: each costs a dozen copies.
const maxPlays = 6

// maxHidden is how many of them are played where no refusal has named the rule.
const maxHidden = 2

// playable returns the changes of a row's rule that are played, and how many are left out. One that each
// release accepts comes first, of each way to write it; then one with a value of each type, empty or not, since
// clients leave empty values out; then one at each place, and then one of each kind of refusal. Another value of
// the same would show nothing else.
func (r Row) playable(answers try.Result) (some []try.Trial, leftOut int) {
	all := r.shownBy(answers).Playable()
	if len(all) == 0 {
		hidden := r.hiddenIn(answers).Playable()
		return hidden[:min(len(hidden), maxHidden)], max(0, len(hidden)-maxHidden)
	}
	played := make([]bool, len(all))
	for _, key := range []func(try.Trial) string{
		func(t try.Trial) string { return fmt.Sprint(t.AcceptedBy(), t.Update, t.Removed, t.Subresource) },
		func(t try.Trial) string { return fmt.Sprintf("%s %T %v", t.AcceptedBy(), t.Value, t.IsEmpty()) },
		func(t try.Trial) string { return fmt.Sprint(t.AcceptedBy(), t.APIVersion, t.Kind, t.Held) },
		func(t try.Trial) string { return fmt.Sprint(t.AcceptedBy(), reasonsOf(t.Refusal())) },
	} {
		known := map[string]bool{}
		for i, t := range all {
			if played[i] {
				known[key(t)] = true
			}
		}
		for i, t := range all {
			if len(some) == maxPlays || played[i] || known[key(t)] {
				continue
			}
			played[i], some, known[key(t)] = true, append(some, t), true
		}
	}
	return some, len(all) - len(some)
}

// valueInMessage matches what a server's message says of a value and its place: quoted texts, indices and other numbers.
var valueInMessage = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|[0-9]+`)

// reasonsOf returns the code and the causes of a refusal, without the value that is refused. Two validators of one field
// differ in their messages alone: one may spare what is stored, and the other not.
func reasonsOf(refusal try.Answer) string {
	reasons := []string{fmt.Sprint(refusal.Code, refusal.Panicked, refusal.Replaced)}
	for _, c := range refusal.StatusCauses {
		reasons = append(reasons, c.Reason+" "+valueInMessage.ReplaceAllString(c.Message, ""))
	}
	slices.Sort(reasons)
	return strings.Join(slices.Compact(reasons), "\n")
}

// hiddenIn returns the changes of which a refusal names something else, and leaves open what the row's rule says:
// a server evaluates no rule in CEL where a schema refuses a create. On an update of what is stored it
// evaluates the rule, since it tolerates there what has not changed.
func (r Row) hiddenIn(answers try.Result) try.Result {
	answers.Trials = slices.DeleteFunc(slices.Clone(answers.Trials), func(t try.Trial) bool {
		return !r.inCEL() || r.mayUse(t) || t.Update || !t.Refusal().HidesRules()
	})
	return answers
}

// inCEL reports whether the row is of a rule in CEL.
func (r Row) inCEL() bool { return r.Difference.Difference.IsRule() && Names(r.Old+" "+r.New, "self") }

// RuleObjects returns an object for each change that the releases answer differently and that is played: the
// release that accepts the change stores it, and the other one meets it.
func RuleObjects(row Row, r try.Result) (all []Object) {
	trials, _ := row.playable(r)
	for i, trial := range append(trials, ofNames(row.shownBy(r))...) {
		t := Target{Rows: []string{row.ID}, Release: trial.AcceptedBy(), Form: term.Bystander, Gates: row.Gates, Beside: true}
		if t.Release == term.New {
			t.Form = term.Treated
		}
		t.APIVersion, t.Kind, t.Path, t.Value = trial.APIVersion, trial.Kind, trial.Path, trial.Value
		t.ID = ObjectName(t.Kind, LastField(t.Path), row.ID, fmt.Sprint(i), "rule")
		t.Ruled, t.Rule = Around(trial.Held, t.Path), row.Old+" "+row.New
		t.Unstated = row.Name == Unstated
		t.Stated = row.Difference.Difference.IsRule() && !t.Unstated
		t.Hidden = trial.Held != nameField && !row.mayUse(trial)
		if trial.Held == nameField {
			t.Ruled, t.Beside = nameField, false
		}
		s := trial.Specimen()
		s.Target = t.Target
		if trial.Update || trial.Subresource != "" && trial.Subresource != term.StatusPart {
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

// shownBy returns what servers answered, as far as the row's rule can be why: a new rule refuses nothing
// that only the new release accepts, and one that went nothing that only the old one accepts. Another row
// of the definition is then why. What is validated by hand may be stated nowhere else, so of a rule that
// tags state all answers count. Nor does a refusal count whose errors are all of something else.
func (r Row) shownBy(answers try.Result) try.Result {
	own := slices.DeleteFunc(slices.Clone(answers.Trials), func(t try.Trial) bool { return !r.mayUse(t) })
	if len(own) == 0 && len(answers.Trials) > 0 {
		t := answers.Trials[0]
		refused := t.Refusal()
		answers.Reason = foreign(t.AcceptedBy().Other(), fmt.Sprintf("%d %s", refused.Code, refused.Message))
	}
	answers.Trials = own
	by := map[term.DifferenceKind]term.Role{term.RuleTightened: term.Old, term.RuleRelaxed: term.New}[r.Difference.Difference]
	if by == "" || strings.Contains(r.Name, "k8s:") {
		return answers
	}
	answers.Trials = slices.DeleteFunc(slices.Clone(own), func(t try.Trial) bool { return t.AcceptedBy() != by })
	if len(own) > 0 && len(answers.Trials) == 0 && answers.BothAccept == 0 {
		answers.Reason = fmt.Sprintf("%s refuses every value that was tried, also the %d that %s accepts: what else differs there decides", releaseWords(by), len(own), releaseWords(by.Other()))
	}
	return answers
}

// mayUse reports whether the refusal of a change says something of the row.
func (r Row) mayUse(t try.Trial) bool {
	refused := t.Refusal()
	return len(refused.StatusCauses) == 0 || slices.ContainsFunc(refused.StatusCauses, func(c result.StatusCause) bool {
		fit, _ := bestFit(claimsOf([]Row{r}), c, true)
		return fit > NoFit
	})
}

// outcomeOfRule is what dry runs say of a rule that no journey played; false if the rule was not
// tried.
func outcomeOfRule(lap Lap, r Row) (LapResult, bool) {
	answers, known := lap.Rules[r.ID]
	if answers = r.shownBy(answers); !known || slices.ContainsFunc(answers.Playable(), func(t try.Trial) bool { return !t.IsReplaced() }) {
		return LapResult{}, false
	}
	v := VerdictOfRule(answers, lap.Settings.Releases.Of == scenarios.ManifestComponent)
	return LapResult{Lap: lap.Lap, WasPlayed: answers.Sent > 0, Effect: v.Effect, Class: v.Class, Rule: v.Rule, Cause: v.Cause, Reason: v.Reason}, true
}

// addParts adds to an outcome what a second manager shows that applied a part of a list or map.
func (b *book) addParts(r Row, o *LapResult) {
	v, shown := VerdictOfParts(b.of.Rules[r.ID])
	switch {
	case !r.isOfOwners():
	case slices.ContainsFunc(o.Cells, func(c Cell) bool { return c.Cause == term.ListReplaced }): // a journey shows it
	case shown && v.Outcome == term.Kept:
		o.Notes = append(o.Notes, v.Reason)
	case shown:
		o.Cells = append(o.Cells, Cell{
			Write: "apply of a part by a second manager, as a dry run", Path: b.of.Rules[r.ID].Trials[0].Held,
			Effect: v.Effect, Class: v.Class, Rule: v.Rule, Cause: v.Cause, Message: v.Reason,
		})
	}
}
