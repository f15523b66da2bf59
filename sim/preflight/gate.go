package preflight

import (
	"slices"

	"golang.org/x/mod/semver"

	"github.com/skewsim/skewsim/scenarios/term"
)

// Since is the comparison with an earlier preflight.json.
type Since struct {
	File string `json:"file"` // as the user named it
	// New is how many findings appeared or got worse, Gone how many are no longer there.
	New  int `json:"new"`
	Gone int `json:"gone"`
}

// Fails reports whether a finding fails a preflight: it blocks the direction, nobody accepted it, and an earlier
// preflight does not have it.
func (f Finding) Fails() bool { return f.grade() == Blocked && f.counts() && !f.Earlier }

// counts reports whether a finding decides the grade of its direction.
func (f Finding) counts() bool { return f.Accepted == "" && !f.OfServers }

// Failing returns the findings of a direction that fail the preflight.
func (r Result) Failing(d Direction) (all []Finding) {
	for _, h := range r.Hops {
		for _, f := range h.Findings {
			if f.Direction == d && f.Fails() {
				all = append(all, f)
			}
		}
	}
	return all
}

// Unplayed reports whether a direction was not played to its end, or with less than half of the objects,
// in any hop.
func (r Result) Unplayed(d Direction) bool {
	return r.Ended != "" || len(r.Hops) == 0 || slices.ContainsFunc(r.Hops, func(h Hop) bool { return !h.Played(d) || h.unseen(r.Source) })
}

// Said reports whether the result says anything about an upgrade. Of one that ended before it played
// anything, the error says it all.
func (r Result) Said() bool {
	return r.SchemaVersion != "" && r.Ended == "" || slices.ContainsFunc(r.Hops, func(h Hop) bool { return len(h.Phases)+len(h.Findings)+len(h.Baseline) > 0 })
}

// Compare marks the findings that an earlier preflight has too, in the same class or a worse one, and
// counts what is new and gone. Objects are the same if their root owners are: the names of Pods and
// of revisions change with every roll-out.
func (r *Result) Compare(file string, before Result) {
	s := &Since{File: file}
	was := map[subject][]term.Outcome{}
	for _, h := range before.Hops {
		for _, f := range h.Findings {
			was[h.subject(f)] = append(was[h.subject(f)], f.Outcome)
		}
	}
	now := map[subject][]term.Outcome{}
	for i := range r.Hops {
		h := &r.Hops[i]
		for k, f := range h.Findings {
			at := h.subject(f)
			now[at] = append(now[at], f.Outcome)
			h.Findings[k].Earlier = slices.ContainsFunc(was[at], func(c term.Outcome) bool { return rank(c) <= rank(f.Outcome) })
			if !h.Findings[k].Earlier {
				s.New++
			}
		}
	}
	for at, classes := range was {
		if len(now[at]) == 0 && r.Ended == "" { // what was not played is not gone
			s.Gone += len(classes)
		}
	}
	r.Since = s
}

func rank(c term.Outcome) int { return slices.Index(Outcomes(), c) }

// subject is what a finding is about, in preflights of different days and patch releases.
type subject struct {
	from, to                     string
	rollback                     bool
	direction                    Direction
	group, kind, namespace, root string
	path                         string
}

func (h Hop) subject(f Finding) subject {
	root := f.Owner
	if root == "" {
		root = f.Kind + " " + f.Name
	}
	return subject{minor(h.From), minor(h.To), h.Rollback, f.Direction, f.Group, f.Kind, f.Namespace, root, f.Path}
}

// minor is the minor release of a build; of one that is no release, the whole reference.
func minor(b Build) string {
	if m := semver.MajorMinor(b.Version); m != "" {
		return m
	}
	return b.Reference
}
