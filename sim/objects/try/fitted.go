package try

import (
	"context"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/servers/fault"
)

// fitAll gives targets objects that both releases accept, where one of them refuses the target's own object
// for other fields than the rule's.
func fitAll(ctx context.Context, r *play, targets []RuleTarget) error {
	given := slices.Clone(targets)
	group, working := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for i, t := range given {
		if r.unfit(t) != "" || t.Subresource != "" {
			continue
		}
		group.Go(func() error {
			return fault.Guard(func() error { targets[i].Object = fitted(working, r, t, given); return nil })
		})
	}
	return group.Wait()
}

// maxFitted is how many changes of the fields that refusals name are tried, one after the other.
const maxFitted = 4

// fitted returns an object of a target that both releases accept: without the fields that refusals name
// and that are not the rule's, or, where a release requires one, with what another target would try there.
// It returns the target's own object where nothing of that helps.
func fitted(ctx context.Context, r *play, t RuleTarget, all []RuleTarget) map[string]any {
	own := t.Object
	for range maxFitted {
		pair := r.createBoth(ctx, t, t.Object)
		causes := t.foreign(slices.Concat(pair.answers[0].Causes, pair.answers[1].Causes))
		switch {
		case pair.answers[0].Accepted == pair.answers[1].Accepted:
			return t.Object
		case len(causes) == 0:
			return own
		}
		tries := fits(t, causes, all)
		i := slices.IndexFunc(tries, func(c change) bool { return isCloser(ctx, r, t, c, causes) })
		if i < 0 {
			return own
		}
		t.Object, _ = tries[i].apply(t.Object)
	}
	return own
}

// isCloser reports whether both releases accept a changed object, or refuse it for none of some fields.
func isCloser(ctx context.Context, r *play, t RuleTarget, c change, causes []fieldpath.Path) bool {
	edited, ok := c.apply(t.Object)
	if !ok {
		return false
	}
	pair := r.createBoth(ctx, t, edited)
	return !slices.ContainsFunc(pair.answers[:], func(a Answer) bool {
		return !a.Accepted && (len(a.Causes) == 0 || slices.ContainsFunc(causes, func(at fieldpath.Path) bool { return a.names(change{at: at}) }))
	})
}

// fits returns the changes of the first field of refusals: none of it, and what other targets try there.
func fits(t RuleTarget, causes []fieldpath.Path, all []RuleTarget) []change {
	some := []change{{at: causes[0], removed: true}}
	for _, other := range all {
		at, found := locate(t.Object, other.Path)
		if other.APIVersion != t.APIVersion || other.Kind != t.Kind || !found || path.String(at) != path.String(causes[0]) {
			continue
		}
		for _, c := range other.changes() {
			if !c.removed && path.String(c.at) == path.String(at) {
				some = append(some, change{at: at, value: c.value})
			}
		}
	}
	return some
}

// foreign returns the places of refusals that are not the rule's.
func (t RuleTarget) foreign(causes []string) (all []fieldpath.Path) {
	for _, cause := range causes {
		at, err := path.Parse("." + cause)
		if err == nil && len(at) > 1 && !t.concerns("."+cause) {
			all = append(all, at)
		}
	}
	return all
}

// concerns reports whether a field is the rule's: around the place of the rule, or within it and named by
// its text.
func (t RuleTarget) concerns(field string) bool {
	at, _ := locate(t.Object, t.where()) // with indices, as refusals spell elements
	of, own := tokens(field), tokens(path.String(at))
	if t.Whole {
		own = ""
	}
	if strings.HasPrefix(own+".", of+".") {
		return true
	}
	if !strings.HasPrefix(of+".", own+".") {
		return false
	}
	names := strings.Split(strings.TrimPrefix(of, own+"."), ".")
	if len(names) == 1 && strings.HasSuffix(t.Name, "Properties") { // it counts all members
		return true
	}
	return slices.ContainsFunc(names, func(name string) bool { return strings.Contains(t.Name+t.Old+t.New, name) })
}
