package fuzz

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
)

// Result is the outcome of a run. Two complete runs of the same seed on the same builds
// have equal results.
type Result struct {
	// Old and New are the versions of the releases.
	Old string `json:"old"`
	New string `json:"new"`
	// Server is the kube-apiserver that serves the definitions of both releases, or that
	// both need; "" if they need none.
	Server string `json:"server,omitempty"`
	// Seed and Count select the objects; Only, if not nil, selects a single one.
	Seed  int64 `json:"seed"`
	Count int   `json:"count"`
	Only  *int  `json:"only,omitempty"`
	// Kinds are the kinds of the objects, with their groups.
	Kinds []string `json:"kinds"`
	// Features are the gates that were off in one lap and on in the other.
	Features []string  `json:"features,omitempty"`
	Laps     []Lap     `json:"laps"`
	Findings []Finding `json:"findings"`
	// Unshared are the versions of the kinds that one release serves and the other does not.
	Unshared []Unshared `json:"unshared,omitempty"`
	// Fresh is how many fields of the kinds only the new release publishes, and Unsent are
	// those that no accepted object had.
	Fresh  int      `json:"fresh"`
	Unsent []Unsent `json:"unsent,omitempty"`
	// Verdict is pass if nothing is broken, and at least half of the objects of each lap
	// and kind were accepted.
	Verdict term.VerdictWord `json:"verdict"`
	Reason  string           `json:"reason"`
	// Ended says why the run ended before all objects had travelled; "" if it did not.
	Ended string `json:"ended,omitempty"`
	// Replay is the command that generates the same objects, without flags that select one.
	Replay string `json:"replay"`

	named bool // the user named the kinds
}

// Object is one object of a run. The seed, its kind and its number determine it.
type Object struct {
	Kind   string `json:"kind"`
	Number int    `json:"number"` // among the objects of its kind, from 0
}

// Again returns the command that runs a single object again.
func (r Result) Again(o Object) string {
	kind := o.Kind
	if slices.ContainsFunc(r.Kinds, func(other string) bool { return strings.HasPrefix(other, kind+".") }) {
		kind += "." // a kind of the core group
	}
	if r.named || len(r.Kinds) > 1 {
		return fmt.Sprintf("%s --kind %s --only %d", r.Replay, kind, o.Number)
	}
	return fmt.Sprintf("%s --only %d", r.Replay, o.Number)
}

// Lap is one state of the features.
type Lap struct {
	// Features is the state: "off", "on", or "as they are" for a pair without features.
	Features string `json:"features"`
	// Followed are further gates that were switched because a server did not start without
	// them: they depend on the features.
	Followed []string  `json:"followed,omitempty"`
	Kinds    []KindLap `json:"kinds"`
	// Once are the violations that did not show again when their object travelled alone:
	// they have another cause, and are not findings.
	Once []string `json:"once,omitempty"`
	// Underway are the objects that were travelling when the run ended early.
	Underway []Object `json:"underway,omitempty"`
	// Object is the single object of a run with Only, as it was last sent.
	Object map[string]any `json:"object,omitempty"`
}

// KindLap is the outcome of one kind's objects in a lap.
type KindLap struct {
	Kind string `json:"kind"`
	// Places are where objects were created, read and written: v1 through v1.36.3.
	Places []string `json:"places"`
	// Objects counts the objects with a complete trip and those that were given up;
	// Unfinished counts the others, of a run that ended early.
	Objects    int `json:"objects"`
	Unfinished int `json:"unfinished,omitempty"`
	Accepted   int `json:"accepted"`
	// Fixed are those of the accepted objects that a server first refused.
	Fixed int `json:"mended"`
	// Requests counts the requests for these objects, without those of shrinking.
	Requests int `json:"requests"`
	// Broken are the journeys that ended at a request without an answer though the servers
	// lived, or at a refused create of another copy of an accepted object.
	Broken []string `json:"broken,omitempty"`
	// Refusals are the last refusals of objects that were given up, the most common first.
	Refusals []string `json:"refusals,omitempty"`
}

// Finding is something that is wrong with some of the objects, or an impact on them.
type Finding struct {
	Check   term.CheckName `json:"check"`
	Class   term.Class     `json:"class"`
	Rule    term.Rule      `json:"rule"`
	Outcome term.Outcome   `json:"outcome"`
	Cause   term.Cause     `json:"cause,omitempty"`
	Kind    string         `json:"kind"`
	// Path has [] for elements, so that it matches all of them. It is "" for a whole
	// object.
	Path string `json:"path,omitempty"`
	// Through is the place at which the finding shows.
	Through string `json:"through"`
	// Laps are the states of the features in which the finding shows.
	Laps []string `json:"laps"`
	// Objects is how many objects show the finding, in all laps.
	Objects int `json:"objects"`
	// First is the lowest number of those objects, among those of the kind, in the first
	// lap.
	First   int    `json:"first"`
	Message string `json:"message"`
	// Panic is where the server panicked, for the state panicked only.
	Panic *client.Panic `json:"panic,omitempty"`
	// Object is the first such object, for a violation without the parts that do not
	// matter.
	Object map[string]any `json:"object,omitempty"`
	// Larger says why a violation's Object may have more than is needed; "" if it does not.
	Larger string `json:"larger,omitempty"`
	// File holds Object, below the run directory.
	File string `json:"file,omitempty"`

	origin Place // where the first object was created
}

// Violations returns the findings that break a rule.
func (r Result) Violations() []Finding { return r.of(term.Violation) }

// of returns the findings of a class.
func (r Result) of(class term.Class) []Finding {
	return slices.DeleteFunc(slices.Clone(r.Findings), func(f Finding) bool { return f.Class != class })
}
