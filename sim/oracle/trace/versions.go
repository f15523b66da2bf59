package trace

import (
	"iter"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/schema"
)

// StoredVersion is one stored value of a copy, with its writer and what each release served of
// it.
type StoredVersion struct {
	Change history.Change
	// Unrecorded reports that the version is known only from answers: the record of the store
	// does not hold its revision.
	Unrecorded bool
	Step       int // the step that wrote it; 0: the servers themselves
	// PossibleWriters are the writes that may have made the version, where no answer shows which.
	PossibleWriters []int
	// Views are the answers that showed the version, by release; of equal answers the first.
	Views map[term.Role][]*Observation
}

// placeAsides gives each aside the step of the version's write: a watch event follows from that
// write.
func (v *StoredVersion) placeAsides() {
	for _, views := range v.Views {
		for _, obs := range views {
			if obs.Step == 0 {
				obs.Step = v.Step
			}
		}
	}
}

// Key returns the key that changed at the revisions which answers about the copy carry, so no
// table of key layouts is needed. It returns the key on which most answers agree: one revision
// alone might be another object's.
func (tl *Timeline) Key(changes map[int64]history.Change) string {
	votes, best := map[string]int{}, ""
	for _, obs := range tl.Observations {
		c, ok := changes[obs.Revision]
		if !ok || !obs.HasRevision() {
			continue
		}
		votes[c.Key]++
		if votes[c.Key] > votes[best] {
			best = c.Key
		}
	}
	return best
}

// everyObservation yields the answers with a place among the steps, then the others.
func (tl *Timeline) everyObservation() iter.Seq[*Observation] {
	return func(yield func(*Observation) bool) {
		for _, all := range [][]Observation{tl.Observations, tl.Asides} {
			for i := range all {
				if !yield(&all[i]) {
					return
				}
			}
		}
	}
}

// views are the answers that showed the copy at one revision, by release: answers to writes, and
// answers to reads.
type views struct{ answers, reads map[term.Role][]*Observation }

// views returns the answers that showed the copy, by revision. Most answers of a long history are
// equal, LIST after LIST; the first of equal answers is kept.
func (tl *Timeline) views() map[int64]views {
	all := map[int64]views{}
	for obs := range tl.everyObservation() {
		if !obs.ShowsObject() {
			continue
		}
		at, known := all[obs.Revision]
		if !known {
			at = views{map[term.Role][]*Observation{}, map[term.Role][]*Observation{}}
			all[obs.Revision] = at
		}
		to := at.reads
		if obs.wrote {
			to = at.answers
		}
		if !slices.ContainsFunc(to[obs.Role], obs.alike) {
			to[obs.Role] = append(to[obs.Role], obs)
		}
	}
	return all
}

// alike reports whether two answers of a release show the same, and whether both or neither
// served a client.
func (obs *Observation) alike(o *Observation) bool {
	return obs.Answer == o.Answer && obs.Types == o.Types && (obs.Replica == "") == (o.Replica == "")
}

// shown returns the answers that show what was stored. The answer to a write counts only if no
// read showed the object: a server can answer with something that it does not store.
func (v views) shown() map[term.Role][]*Observation {
	for role, answers := range v.answers {
		if len(v.reads[role]) == 0 {
			v.reads[role] = answers
		}
	}
	return v.reads
}

// MayHaveWritten reports whether a step may have made one of the copy's stored versions.
func (tl *Timeline) MayHaveWritten(step int) bool {
	return slices.ContainsFunc(tl.Versions, func(v StoredVersion) bool { return v.Step == step || slices.Contains(v.PossibleWriters, step) })
}

// StoredAfter returns the version that a step left behind: its own, or the one that it met if it
// changed nothing. It returns nil if none is known.
func (tl *Timeline) StoredAfter(step int) *StoredVersion {
	for i := range tl.Versions {
		if tl.Versions[i].Step == step {
			return &tl.Versions[i]
		}
	}
	for _, obs := range tl.Observations {
		if obs.Step == step && obs.Purpose == history.Look && obs.ShowsObject() {
			return tl.Version(obs.Revision)
		}
	}
	return nil
}

// Between returns the steps between which a version was written that no step wrote: the last that
// showed an older version, and the first that showed this version or a newer one; 0 if there is
// none.
func (tl *Timeline) Between(v *StoredVersion) (after, before int) {
	for _, obs := range tl.Observations {
		switch {
		case !obs.HasRevision():
		case obs.Revision < v.Change.Revision:
			after = max(after, obs.Step)
		case before == 0 || obs.Step < before:
			before = obs.Step
		}
	}
	return after, before
}

// Previous returns the stored value that a version replaced, nil if none existed or it was
// deleted.
func (tl *Timeline) Previous(v *StoredVersion) *StoredVersion {
	i := slices.IndexFunc(tl.Versions, func(o StoredVersion) bool { return o.Change.Revision == v.Change.Revision })
	if i <= 0 || tl.Versions[i-1].Change.Deleted {
		return nil
	}
	return &tl.Versions[i-1]
}

// Version returns the stored value at a revision, nil when none exists.
func (tl *Timeline) Version(revision int64) *StoredVersion {
	for i := range tl.Versions {
		if tl.Versions[i].Change.Revision == revision {
			return &tl.Versions[i]
		}
	}
	return nil
}

const (
	Indeterminate Presence = iota // seen only by releases that do not publish the field
	Present                       // some release served it
	Absent                        // a release that publishes the field did not serve it
	Altered                       // a release served another value
)

// PresenceOf returns what is known of an acknowledged value in a stored version.
func (tr *Trace) PresenceOf(tl *Timeline, v *StoredVersion, acked *AckedValue) (Presence, schema.Leaf) {
	found, other := Indeterminate, schema.Leaf{}
	for _, role := range NewestFirst() {
		for _, obs := range v.Views[role] {
			leaf, shown := acked.FoundIn(tr.LeavesOf(tl, obs.Answer))
			switch {
			case shown && leaf.Semantic == acked.Leaf.Semantic:
				return Present, leaf
			case shown && found != Altered:
				found, other = Altered, leaf
			case !shown && found == Indeterminate && tr.WouldShow(tl, *obs, acked.Leaf.Path):
				found = Absent
			}
		}
	}
	if found == Indeterminate {
		return tr.inStored(tl, v, acked)
	}
	return found, other
}

// NewestFirst returns the order in which releases are queried, so that results do not depend on
// map iteration.
func NewestFirst() []term.Role { return []term.Role{term.New, term.Old} }
