package try

import (
	"context"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/runtime"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
)

// maxOfMember is how many values of one member that the releases answer differently show what a rule
// does.
const maxOfMember = 2

// compared returns, for each member of the object that the target's rule in CEL names, the edits to what
// the rule compares it with.
func (t RuleTarget) compared() (all [][]change) {
	base := t.where()
	if t.Whole {
		base = ""
	}
	group := map[string]int{} // by the member: both releases' rules name it
	add := func(member string, own []change) {
		i, known := group[member]
		if !known {
			i, all = len(all), append(all, nil)
			group[member] = i
		}
		all[i] = distinct(append(all[i], own...))
	}
	old, new := readLiterals(t.Old), readLiterals(t.New)
	for _, l := range append(old, new...) {
		if own := t.ofMapKeys(base, l); len(own) > 0 {
			add(l.path+entryKey, own)
		}
		where, found := locate(t.Object, base+l.path)
		if !found || len(where) == 0 || strings.HasSuffix(l.path, entryKey) {
			continue
		}
		var own []change
		is, has := path.Get(t.Object, where)
		valid, _ := is.(string)
		values := append(apart(patternsOf(old, l.path), patternsOf(new, l.path), valid), l.valuesFor(is)...)
		for _, v := range values {
			if !has || !isEqual(is, v) {
				own = append(own, change{at: where, value: v})
			}
		}
		if has && l.removed {
			own = append(own, change{at: where, removed: true})
		}
		add(l.path, own)
	}
	return all
}

// patternsOf returns the patterns that rules match a member with.
func patternsOf(all []*literals, member string) []string {
	for _, l := range all {
		if l.path == member {
			return l.patterns
		}
	}
	return nil
}

// ofMapKeys returns the edits that add an entry to the map whose keys a rule says something of: under keys
// that the rule names, and under those that common formats tell apart.
func (t RuleTarget) ofMapKeys(base string, l *literals) (all []change) {
	of, is := mapOf(l.path)
	where, found := locate(t.Object, base+of)
	v, _ := path.Get(t.Object, where)
	entries, isMap := v.(map[string]any)
	if !is || !found || !isMap {
		return nil
	}
	var keys []string
	for _, v := range l.values {
		if key, is := v.(string); is {
			keys = append(keys, key)
		}
	}
	for _, more := range withKeys(entries, keys...) {
		all = append(all, change{at: where, value: more})
	}
	return all
}

// tryDisputed tries values of further fields that one release accepts and the other one refuses. A refusal that
// names the field itself is another rule's.
func tryDisputed(ctx context.Context, r *play, t RuleTarget, result *Result) {
	for _, d := range t.Disputed {
		at, found := locate(t.Object, d.Path)
		if !found || !t.concerns(path.String(at)) {
			continue
		}
		more := Result{}
		r.tryEach(ctx, t, []change{{at: at, value: d.Value}}, t.Object, &more)
		if len(more.Trials) > 0 && isOf(more.Trials[0], at) {
			continue
		}
		result.Sent += more.Sent
		result.Trials = append(result.Trials, more.Trials...)
	}
}

// isOf reports whether the release that refuses a trial names its place, or one within it.
func isOf(t Trial, at fieldpath.Path) bool {
	own := tokens(path.String(at))
	return slices.ContainsFunc(slices.Concat(t.Old.Causes, t.New.Causes), func(cause string) bool {
		return strings.HasPrefix(tokens("."+cause)+".", own+".")
	})
}

// tryCompared tries what a rule in CEL compares members of its object with: each by itself, and, if the
// releases answer all of them alike, combinations of two.
func tryCompared(ctx context.Context, r *play, t RuleTarget, members [][]change, result *Result) {
	for _, own := range members {
		before := len(result.Trials)
		for _, c := range own {
			if r.tryEach(ctx, t, []change{c}, t.Object, result); len(result.Trials) >= before+maxOfMember {
				break
			}
		}
	}
	tried := 0
	for i, first := range members {
		for j, second := range members {
			if i == j || len(result.Trials) > 0 {
				continue
			}
			for n := 0; n < len(first)*len(second) && tried < maxPairs && len(result.Trials) == 0; n++ {
				tried++
				tryPair(ctx, r, t, first[n/len(second)], second[n%len(second)], result)
			}
		}
	}
}

// maxHidden is how many changes are tried further of which a release refuses something else than the rule.
const maxHidden = 2

// tryHidden tries changes that a release refuses for something else, and so does not evaluate the rule on, together
// with changes that the rule refuses by themselves: where the other release accepts both, the rule depends on the
// first one. They come before the others.
func tryHidden(ctx context.Context, r *play, t RuleTarget, members [][]change, result *Result) {
	hidden := slices.DeleteFunc(slices.Clone(result.Trials), func(trial Trial) bool { return !trial.Refusal().HidesRules() })
	found := Result{}
	for _, trial := range hidden[:min(len(hidden), maxHidden)] {
		held, err := path.Parse(trial.Held)
		if err != nil {
			continue
		}
		refuses := 0 // the old release
		if trial.AcceptedBy() == term.Old {
			refuses = 1
		}
		for _, c := range slices.Concat(members...) {
			alone, canAlone := c.apply(t.Object)
			edited, can := c.apply(trial.Object)
			if len(found.Trials) > 0 {
				break
			}
			if !canAlone || !can || path.String(c.at) == trial.Held {
				continue
			}
			if is := r.createBoth(ctx, t, alone).answers[refuses]; is.Accepted || is.HidesRules() || !is.isRefusal() {
				continue
			}
			pair := r.createBoth(ctx, t, edited)
			r.compare(t, change{at: held, value: trial.Value}, trial.Before, edited, pair.answers, pair.bodies, &found)
		}
	}
	result.Sent += found.Sent
	result.Trials = append(found.Trials, result.Trials...)
}

// tryPair tries a change of an object that has another change already, which both releases accept.
func tryPair(ctx context.Context, r *play, t RuleTarget, first, second change, result *Result) {
	edited, ok := first.apply(t.Object)
	if !ok {
		return
	}
	if pair := r.createBoth(ctx, t, edited); pair.answers[0].Accepted && pair.answers[1].Accepted {
		t.Object = runtime.DeepCopyJSON(edited)
		r.tryEach(ctx, t, []change{second}, t.Object, result)
	}
}
