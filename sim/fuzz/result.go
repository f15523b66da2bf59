package fuzz

import (
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/fuzz/roundtrip"
)

// Result is what a run came to. It holds nothing that differs between two runs of
// the same seed on the same builds, unless one ended early.
type Result struct {
	// Old and New are what the releases call themselves.
	Old string `json:"old"`
	New string `json:"new"`
	// Server is the kube-apiserver that serves the definitions of both releases, or that both
	// lean on; "": they serve themselves.
	Server string `json:"server,omitempty"`
	// Seed and Count say which objects there were; Only, if not nil, the one.
	Seed  int64 `json:"seed"`
	Count int   `json:"count"`
	Only  *int  `json:"only,omitempty"`
	// Kinds are those of the objects, with their groups.
	Kinds []string `json:"kinds"`
	// Features are the gates that were off in one lap and on in the other.
	Features []string  `json:"features,omitempty"`
	Laps     []Lap     `json:"laps"`
	Findings []Finding `json:"findings"`
	// Unshared are the versions of the kinds that one release serves and the other does not.
	Unshared []Unshared `json:"unshared,omitempty"`
	// Fresh is how many fields of the kinds the new release alone publishes, and Unsent are
	// those that no accepted object had.
	Fresh  int      `json:"fresh"`
	Unsent []Unsent `json:"unsent,omitempty"`
	// Verdict is pass when nothing is broken, and at least half of the objects of
	// each lap and kind were accepted.
	Verdict term.VerdictWord `json:"verdict"`
	Reason  string           `json:"reason"`
	// Ended says why the run ended before all objects had travelled; "" if it did not.
	Ended string `json:"ended,omitempty"`
	// Replay is the command that makes the same objects, less what picks one.
	Replay string `json:"replay"`

	named bool // kinds were asked for by name
}

// Object is one object of a run: the seed, its kind and its number decide all of it.
type Object struct {
	Kind   string `json:"kind"`
	Number int    `json:"number"` // among those of its kind, from 0
}

// Again is the command that plays one object again.
func (r Result) Again(o Object) string {
	kind := o.Kind
	if slices.ContainsFunc(r.Kinds, func(other string) bool { return strings.HasPrefix(other, kind+".") }) {
		kind += "." // of the core group alone
	}
	if r.named || len(r.Kinds) > 1 {
		return fmt.Sprintf("%s --kind %s --only %d", r.Replay, kind, o.Number)
	}
	return fmt.Sprintf("%s --only %d", r.Replay, o.Number)
}

// Lap is one state of the features.
type Lap struct {
	// Features says which: "off", "on", or "as they are" of a pair that has none.
	Features string `json:"features"`
	// Followed are the gates that were switched as well, since a server did not start
	// without: they depend on the features.
	Followed []string  `json:"followed,omitempty"`
	Kinds    []KindLap `json:"kinds"`
	// Once are the violations that did not show again, when their object travelled with no
	// other: something else was their cause, and they are no findings.
	Once []string `json:"once,omitempty"`
	// Underway are the objects that were travelling when the run ended early.
	Underway []Object `json:"underway,omitempty"`
	// Object is the one object of a run of one, as it was sent at last.
	Object map[string]any `json:"object,omitempty"`
}

// KindLap is what became of one kind's objects in a lap.
type KindLap struct {
	Kind string `json:"kind"`
	// Places are where objects were made, read and written: v1 through v1.36.3.
	Places []string `json:"places"`
	// Objects counts those that came to the end of their journey, or were given up;
	// Unfinished the others, of a run that ended early.
	Objects    int `json:"objects"`
	Unfinished int `json:"unfinished,omitempty"`
	Accepted   int `json:"accepted"`
	// Mended are those of them that a server refused as they were made.
	Mended int `json:"mended"`
	// Requests counts what was sent for them, but for what shrinking took.
	Requests int `json:"requests"`
	// Broken are the journeys that ended at a request which got no answer, though the
	// servers lived, or at the create of another copy of what the release had taken.
	Broken []string `json:"broken,omitempty"`
	// Refusals are the last words to objects that were given up, the commonest first.
	Refusals []string `json:"refusals,omitempty"`
}

// Finding is something that is wrong with some of the objects, or an impact on them.
type Finding struct {
	Check term.CheckName `json:"check"`
	Class term.Class     `json:"class"`
	Rule  term.Rule      `json:"rule"`
	State term.State     `json:"state"`
	Kind  string         `json:"kind"`
	// Path has [] for elements: what is wrong with one is wrong with all. "" of a
	// whole object.
	Path string `json:"path,omitempty"`
	// Through is the place at which it shows.
	Through string `json:"through"`
	// Laps are the states of the features in which it shows.
	Laps []string `json:"laps"`
	// Objects is how many objects show it, in all laps.
	Objects int `json:"objects"`
	// First is the lowest number of them, among those of the kind, in the first lap.
	First   int    `json:"first"`
	Message string `json:"message"`
	// Panic is where the server panicked, of the state panicked alone.
	Panic *client.Panic `json:"panic,omitempty"`
	// Object is the first, of a violation without all that it fails without.
	Object map[string]any `json:"object,omitempty"`
	// Larger says why a violation's Object may have more than it takes; "": it has not.
	Larger string `json:"larger,omitempty"`
	// File holds Object, below the run directory.
	File string `json:"file,omitempty"`

	origin roundtrip.Place // where the first object was made
}

// Violations are the findings that break a rule.
func (r Result) Violations() []Finding { return r.of(term.Violation) }

// of are the findings of a class.
func (r Result) of(class term.Class) []Finding {
	return slices.DeleteFunc(slices.Clone(r.Findings), func(f Finding) bool { return f.Class != class })
}
