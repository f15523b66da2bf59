package recorded

import (
	"path"
	"slices"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// Trim returns the part of a history that is about the given copies: of the plan, their steps and
// the steps without a copy; their records; and the bodies that these refer to. The given history
// is not modified.
func Trim(h *history.History, copies []string) *history.History {
	kept := map[string]bool{"": true} // what has no copy stays
	for _, name := range copies {
		kept[name] = true
	}
	t := *h
	p := &t.Header.Plan
	p.Copies = only(p.Copies, func(c plan.Copy) bool { return kept[c.Name] })
	p.Stages = slices.Clone(p.Stages)
	steps := map[int]bool{}
	for i := range p.Stages {
		p.Stages[i].Steps = only(p.Stages[i].Steps, func(s plan.Step) bool { return kept[s.Copy] })
		for _, s := range p.Stages[i].Steps {
			steps[s.Number] = true
		}
	}
	t.Stages = nil // no check uses them: the plan has the stages
	t.Skips = only(h.Skips, func(s history.Skip) bool { return steps[s.Step] })
	t.Intents = only(h.Intents, func(i history.Intent) bool { return kept[i.Copy] && i.Purpose != history.Prepare })
	t.Operations = operations(h.Operations, kept)
	t.Listings = listings(h.Listings, kept)
	t.Watches = only(h.Watches, func(w history.Watch) bool { return kept[w.Copy] })
	t.Trials = trials(h.Trials, kept)
	t.Changes = changes(h.Changes, p)
	t.Blobs = blobs(&t, h)
	return &t
}

// only returns a new slice with the elements to keep.
func only[E any](all []E, keep func(E) bool) []E {
	var some []E
	for _, e := range all {
		if keep(e) {
			some = append(some, e)
		}
	}
	return some
}

func names(all []string, kept map[string]bool) []string {
	return only(all, func(name string) bool { return kept[name] })
}

// operations leaves out the preparations, which no check reads.
func operations(all []history.Operation, kept map[string]bool) []history.Operation {
	some := only(all, func(op history.Operation) bool { return kept[op.Copy] && op.Purpose != history.Prepare })
	for i := range some {
		some[i].For = names(some[i].For, kept)
	}
	return some
}

func listings(all []history.Listing, kept map[string]bool) []history.Listing {
	some := slices.Clone(all)
	for i := range some {
		some[i].Items = only(some[i].Items, func(item history.Item) bool { return kept[item.Copy] })
	}
	return some
}

func trials(all []history.Trial, kept map[string]bool) []history.Trial {
	some := only(all, func(t history.Trial) bool { return kept[t.Copy] })
	for i := range some {
		some[i].Missing = names(some[i].Missing, kept)
	}
	return some
}

// changes keeps the changes whose keys end in the name of a copy's object.
func changes(all []history.Change, p *plan.Plan) []history.Change {
	inside, outside := p.Names(true), p.Names(false)
	return only(all, func(c history.Change) bool {
		_, in := plan.Named(inside, path.Base(c.Key))
		_, out := plan.Named(outside, path.Base(c.Key))
		return in || out
	})
}

// blobs returns the bodies that records refer to.
func blobs(trimmed, h *history.History) map[string]history.Blob {
	some := map[string]history.Blob{}
	for _, digest := range references(trimmed) {
		if h.Holds(digest) {
			some[digest] = h.Body(digest)
		}
	}
	return some
}

// references lists the digests that records refer to, in the order of the records.
func references(h *history.History) (all []string) {
	seen := map[string]bool{"": true}
	add := func(digests ...string) {
		for _, digest := range digests {
			if !seen[digest] {
				seen[digest] = true
				all = append(all, digest)
			}
		}
	}
	for _, op := range h.Operations {
		add(op.Exchange.Sent, op.Exchange.SentBytes, op.Exchange.Answer, op.Exchange.AnswerBytes)
	}
	for _, l := range h.Listings {
		add(l.Exchange.Answer)
		for _, item := range l.Items {
			add(item.Answer)
		}
	}
	for _, w := range h.Watches {
		add(w.Answer)
	}
	for _, t := range h.Trials {
		add(t.Value, t.Answer)
	}
	for _, c := range h.Changes {
		add(c.Value)
	}
	return all
}
