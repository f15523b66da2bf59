package term

import (
	"fmt"
	"slices"
	"strings"
	"sync"
)

// Outcome is what happened to a value, an object or a server. run, sweep, preflight and fuzz have
// one list.
type Outcome string

// The outcomes. Missing evidence has outcomes of its own, so that it never counts as a good
// result.
const (
	NotReady         Outcome = "not-ready"
	Undecodable      Outcome = "undecodable"
	Panicked         Outcome = "panicked"
	Unserved         Outcome = "not-served"
	Frozen           Outcome = "frozen"
	PartlyFrozen     Outcome = "partly-frozen"
	Lost             Outcome = "lost"
	Changed          Outcome = "changed"
	Varies           Outcome = "varies"
	MeansOther       Outcome = "means-something-else"
	OwnershipChanged Outcome = "ownership-changed"
	Restarted        Outcome = "restarted"
	Uncreatable      Outcome = "cannot-be-created"
	Dropped          Outcome = "dropped"
	Refused          Outcome = "refused"
	Failed           Outcome = "failed"
	Outage           Outcome = "outage"
	Accepted         Outcome = "accepted"
	Resurrected      Outcome = "resurrected"
	Indeterminate    Outcome = "indeterminate"
	Hidden           Outcome = "hidden"
	Withdrawn        Outcome = "withdrawn"
	Kept             Outcome = "kept"
	NotExercised     Outcome = "not-exercised"
)

// Outcomes lists every Outcome, worst first.
func Outcomes() List[Outcome] {
	return List[Outcome]{
		{NotReady, "a server does not become ready on what is stored"},
		{Undecodable, "a release cannot read what is stored"},
		{Panicked, "a server panicked as it answered the call, or ended"},
		{Unserved, "a release no longer serves the kind"},
		{Frozen, "the object is stored, and can no longer be written"},
		{PartlyFrozen, "the object is stored, and can be written only in part: labels can change, and what is beside the value cannot"},
		{Lost, "acknowledged, and no longer stored"},
		{Changed, "acknowledged, and now another value"},
		{Varies, "live replicas serve different values for one stored value, or the same call has different effects on them"},
		{Resurrected, "hidden by a rollback, and now served again"},
		{MeansOther, "stored and served as it was, and a release acts on it in another way"},
		{OwnershipChanged, "managedFields name another owner"},
		{Restarted, "the template as it is served differs from the one that pods were made from: they restart"},
		{Uncreatable, "the object is stored and served, and a release refuses it as a new one"},
		{Dropped, "sent or removed, and the answer to that call does not show it"},
		{Refused, "the server refused the call"},
		{Failed, "the server could not answer the call"},
		{Outage, "calls failed while no program ran beside the servers; what is stored is as it was"},
		{Accepted, "newly accepted by a server whose feature gate for the field is off"},
		{Indeterminate, "nothing shows what happened: it may be well or not"},
		{Hidden, "stored, and not served by this release"},
		{Withdrawn, "removed by an operation that names its path"},
		{Kept, "served as acknowledged"},
		{NotExercised, "no object reached it"},
	}
}

// RunOutcomes are those that a finding of a run can have, worst first.
func RunOutcomes() List[Outcome] {
	others := []Outcome{NotReady, Unserved, PartlyFrozen, MeansOther, OwnershipChanged, Restarted, Uncreatable, NotExercised}
	return slices.DeleteFunc(Outcomes(), func(e Entry[Outcome]) bool { return slices.Contains(others, e.Word) })
}

// olderOutcomes are words of earlier versions, with what they are now. Inputs may have them.
var olderOutcomes = map[string]Effect{
	"untold":               {Indeterminate, ""},
	"not-accepted":         {Dropped, ""},
	"server-crashed":       {Panicked, ""},
	"lost-by-old-server":   {Lost, OldServer},
	"lost-by-old-clients":  {Lost, OldClient},
	"lost-by-new-release":  {Lost, NewRelease},
	"accepted-and-dropped": {Dropped, ""},
	"dormant":              {Hidden, ""},
	"not-comparable":       {Indeterminate, ""},
	"cannot-be-changed":    {PartlyFrozen, ""},
	"pods-restart":         {Restarted, ""},
}

// UnmarshalText reads an outcome; words of earlier versions, which histories have, are read as what they are
// now. It returns no error: a later version may have words that this one does not know.
func (o *Outcome) UnmarshalText(text []byte) error {
	*o = Outcome(text)
	if now, is := olderOutcomes[string(text)]; is {
		*o = now.Outcome
	}
	return nil
}

// Actor is who made an outcome. Only losses have one.
type Actor string

// The actors.
const (
	OldServer  Actor = "old-server"
	OldProgram Actor = "old-program"
	OldClient  Actor = "old-client"
	NewProgram Actor = "new-program"
	NewRelease Actor = "new-release"
)

// Actors lists every Actor, the one whose losses cost most first.
func Actors() List[Actor] {
	return List[Actor]{
		{OldServer, "a server of the old release: everybody who writes through it loses the value"},
		{OldProgram, "the webhook of the old release's program: what it converts or admits loses the value, whichever definitions are installed"},
		{OldClient, "a client with the types of the old release: the value is lost while such clients live"},
		{NewProgram, "the webhook of the new release's program: what it converts or admits loses the value, whichever definitions are installed"},
		{NewRelease, "a server or a client of the new release"},
	}
}

// Effect is an outcome and who made it.
type Effect struct {
	Outcome Outcome `json:"outcome"`
	// Actor is who lost the value; "" for other outcomes, and where nothing shows it.
	Actor Actor `json:"actor,omitempty"`
}

// ParseEffect reads an outcome, or outcome:actor. Words of earlier versions are read as what they are now.
func ParseEffect(text string) (Effect, error) {
	if now, is := olderOutcomes[text]; is {
		return now, nil
	}
	outcome, actor, byActor := strings.Cut(text, ":")
	e := Effect{Outcome(outcome), Actor(actor)}
	switch {
	case !Outcomes().Has(e.Outcome):
		return Effect{}, fmt.Errorf("%q is not an outcome", outcome)
	case byActor && !Actors().Has(e.Actor):
		return Effect{}, fmt.Errorf("%q is not an actor: name one of %s", actor, strings.Join(Actors().Words(), ", "))
	case byActor && e.Outcome != Lost:
		return Effect{}, fmt.Errorf("only an outcome %s has an actor", Lost)
	}
	return e, nil
}

// String returns outcome:actor, or the outcome alone.
func (e Effect) String() string {
	if e.Actor == "" {
		return string(e.Outcome)
	}
	return string(e.Outcome) + ":" + string(e.Actor)
}

// Effect returns the outcome as an effect of nobody who is known.
func (o Outcome) Effect() Effect { return Effect{Outcome: o} }

// By returns the outcome as the effect of an actor.
func (o Outcome) By(a Actor) Effect { return Effect{o, a} }

// Effects lists the effects that outcomes can have, worst first: losses by each actor, and at last by
// nobody who is known.
var Effects = sync.OnceValue(listEffects)

func listEffects() (all []Effect) {
	for _, e := range Outcomes() {
		if e.Word == Lost {
			for _, a := range Actors() {
				all = append(all, Lost.By(a.Word))
			}
		}
		all = append(all, e.Word.Effect())
	}
	return all
}

// WorseThan reports whether an effect is worse than another. What was not exercised, or cannot be
// decided, is neither better nor worse.
func (e Effect) WorseThan(other Effect) bool {
	return e.isDecided() && other.isDecided() && e.Rank() < other.Rank()
}

// Reaches reports whether an effect is as bad as a level, or worse.
func (e Effect) Reaches(level Effect) bool { return e == level || e.WorseThan(level) }

// Rank returns the place of an effect in Effects; -1: it is none.
func (e Effect) Rank() int { return slices.Index(Effects(), e) }

func (e Effect) isDecided() bool {
	return e.Outcome != NotExercised && e.Outcome != Indeterminate && e.Rank() >= 0
}
