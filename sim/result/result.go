package result

import (
	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
)

// SchemaVersion names the form of result.json.
const SchemaVersion = "skewsim.dev/result/v1"

// Result is the content of result.json.
type Result struct {
	SchemaVersion string           `json:"schemaVersion"`
	Scenario      string           `json:"scenario"`
	About         string           `json:"about"`
	Releases      []string         `json:"releases"` // old, then new: the versions the servers told, with what of their options tells them apart
	Journey       []term.Rollout   `json:"journey"`
	Seed          int64            `json:"seed"`
	Verdict       term.VerdictWord `json:"verdict"`
	// Reason says in a sentence why the verdict is what it is.
	Reason string `json:"reason"`
	// Answer is what the run shows in one plain sentence: what became of which fields, by
	// whom, and whether a rule was broken. Absent where the result is of an earlier version.
	Answer string `json:"answer,omitempty"`
	// Twin is absent when the releases were right.
	Twin *Twin `json:"twin,omitempty"`
	// Findings are in the order of steps, then copies, then paths.
	Findings []Finding `json:"findings"`
	// Missing are the expectations that no finding, or too few or too many, matched.
	Missing []Missing `json:"missing"`
	// Expired are the expectations whose last day is before the day, in UTC, on which
	// the run began: any one fails it. Absent where there is none.
	Expired []Expired `json:"expired,omitempty"`
	// Elsewhere are those that are for other pairs of releases: no finding matches them,
	// and none need. Absent where there is none.
	Elsewhere []Elsewhere `json:"elsewhere,omitempty"`
	Checks    []Check     `json:"checks"`
	// Notes say what a reader must know to read the rest right: which clients
	// are approximated, and what is not judged.
	Notes   []string `json:"notes"`
	Skipped []Skip   `json:"skipped"`
	Builds  []Build  `json:"builds"`
	// Store is the etcd that the servers shared; absent where the history is of an
	// earlier version, which does not say.
	Store  *term.Store `json:"store,omitempty"`
	Timing Timing      `json:"timing"`
	Counts Counts      `json:"counts"`
}

// FullName is the scenario's name with that of the twin that was played.
func (r Result) FullName() string {
	if r.Twin == nil {
		return r.Scenario
	}
	return r.Scenario + "+" + r.Twin.Name
}

// Twin is a mistake that the new release was made with on purpose, and whether
// the run found it where the scenario says. The verdict does not depend on it.
type Twin struct {
	Name  string `json:"name"`
	About string `json:"about"` // the mistake
	// Expectation describes the finding that catches it, Seen is how many
	// findings agree.
	Expectation scenarios.Expectation `json:"expectation"`
	Seen        int                   `json:"seen"`
	Caught      bool                  `json:"caught"`
	Message     string                `json:"message"` // what came of it, in a sentence
}

// Finding is one fact that the scenario must have expected.
type Finding struct {
	Check    term.CheckName `json:"check"`
	Rule     term.Rule      `json:"rule"`
	Class    term.Class     `json:"class"`
	Object   string         `json:"object"` // its name in the scenario
	Kind     string         `json:"kind"`
	Copy     string         `json:"copy"` // metadata.name; "" when a whole LIST is meant
	CopyRole term.CopyRole  `json:"copyRole,omitempty"`
	Path     string         `json:"path"` // "" when the whole object is meant
	State    term.State     `json:"state"`
	Cause    term.Cause     `json:"cause"`
	Step     int            `json:"step"`
	Stage    string         `json:"stage"`
	Client   term.Client    `json:"client,omitempty"`
	Verb     term.Verb      `json:"verb,omitempty"`
	// Encoding is protobuf where the step's bodies were, FieldValidation what
	// the step asked for; "" where nothing was said.
	Encoding        term.Encoding        `json:"encoding,omitempty"`
	FieldValidation term.FieldValidation `json:"fieldValidation,omitempty"`

	Read    term.Role `json:"read,omitempty"`
	Via     term.Role `json:"via,omitempty"`
	Replica string    `json:"replica,omitempty"` // the replica written (or looked) through
	Release string    `json:"release,omitempty"` // the version that replica told
	Before  any       `json:"before,omitempty"`  // the acknowledged value
	After   any       `json:"after,omitempty"`   // what is there now; absent when nothing is
	// Generation is unmoved where a value of the spec became another, or went, and
	// metadata.generation did not move; absent where it did, or there is none.
	Generation term.Generation `json:"generation,omitempty"`
	// ClaimedBy are the managers that managedFields name as owners of a value
	// which is gone, in the order of their names; absent where there are none.
	ClaimedBy []string `json:"claimedBy,omitempty"`
	// Gates are the feature gates that are off in the release and that the path is
	// behind, where that is the cause.
	Gates []Gate `json:"gates,omitempty"`
	// AcknowledgedStep is the step whose answer showed the value. 0: none.
	AcknowledgedStep int `json:"acknowledgedStep,omitempty"`
	// Panic is where the server panicked, of the state panicked alone.
	Panic   *Panic `json:"panic,omitempty"`
	Message string `json:"message"`
	// Order is the number of the copy's order of operations; 0: it has none.
	Order int `json:"order,omitempty"`
	// Expected tells whether exactly one line of expect matches, which has not expired;
	// of a copy with an order, whether it is an impact, or any line does.
	Expected bool `json:"expected"`
	// Expectation is that line's place in expect, from 1, also where it has expired; 0
	// for none.
	Expectation int `json:"expectation,omitempty"`
}

// Gate is a feature gate that a field is behind.
type Gate struct {
	Name   string          `json:"name"`
	Source term.GateSource `json:"source"` // who says that the field is behind it
}

// Panic is a panic of a server: what it panicked with, and the function and the line that
// did, where its log says them.
type Panic struct {
	Value    string `json:"value"`
	Function string `json:"function,omitempty"`
	Line     string `json:"line,omitempty"`
}

// Missing is an expectation that was not met.
type Missing struct {
	Expectation scenarios.Expectation `json:"expectation"`
	Place       int                   `json:"place"` // in expect, from 1
	Seen        int                   `json:"seen"`  // how many findings matched
	Message     string                `json:"message"`
}

// Expired is an expectation whose time is over.
type Expired struct {
	Expectation scenarios.Expectation `json:"expectation"` // with its owner, and its last day
	Place       int                   `json:"place"`       // in expect, from 1
	Seen        int                   `json:"seen"`        // how many findings match it still
	Message     string                `json:"message"`
}

// Elsewhere is an expectation that is for other pairs of releases.
type Elsewhere struct {
	Expectation scenarios.Expectation `json:"expectation"`
	Place       int                   `json:"place"` // in expect, from 1
	Reason      string                `json:"reason"`
}

// Check is one promise with what it came to.
type Check struct {
	Name      term.CheckName   `json:"name"`
	Guarantee string           `json:"guarantee"`
	Verdict   term.VerdictWord `json:"verdict"`
	// Judged is how many facts the check looked at. A check that judged none
	// is unknown or, where none was due, not applicable.
	Judged int `json:"judged"`
	// Untold is how many facts are indeterminate, for lack of evidence.
	Untold int `json:"untold"`
	// Findings is how many findings it gave, expected ones too.
	Findings int    `json:"findings"`
	Reason   string `json:"reason,omitempty"` // why it is unknown, not applicable, or failed
}

// Skip is something that was not played, and why.
type Skip struct {
	Step   int    `json:"step,omitempty"`
	Line   int    `json:"line,omitempty"`
	Stage  string `json:"stage,omitempty"`
	Cell   string `json:"cell,omitempty"`
	Reason string `json:"reason"`
}

// Build is a build that was played.
type Build struct {
	Role      term.Role `json:"role"`
	Reference string    `json:"reference"`
	Version   string    `json:"version"`
	Digest    string    `json:"digest"`
	Component string    `json:"component,omitempty"` // what it is of; absent where the history is of an earlier version, which does not say
	// Asked is the reference that was asked for, where that could not be had and another
	// patch of its minor was played; absent where it is the reference itself.
	Asked string `json:"asked,omitempty"`
	// Substituted are the modules of which the binary has another version than its
	// release, since the module proxy withheld that: each as "PATH VERSION -> VERSION".
	// Absent: it is built as its release is.
	Substituted []string `json:"substituted,omitempty"`
	// Adapter is how the server of a module was started; absent where it is no module's.
	Adapter *term.Adapter `json:"adapter,omitempty"`
	// Server is the kube-apiserver that a release of custom resource definitions is
	// installed on; absent where the build is itself a server.
	Server string          `json:"server,omitempty"`
	Gates  map[string]bool `json:"gates,omitempty"` // as the server reports them
	// Options are what its servers were started with; absent where that is nothing.
	Options *scenarios.Options `json:"options,omitempty"`
}

// Timing says where the run's time went, in seconds, as the history tells it.
// Parts overlap, so they do not add up to Total.
type Timing struct {
	Total      float64 `json:"total"`
	Starts     float64 `json:"starts"`     // sum over servers, exec to ready
	Stops      float64 `json:"stops"`      // sum over servers, request to exit
	Operations float64 `json:"operations"` // sum over requests of steps
	Looks      float64 `json:"looks"`      // sum over observing GETs and LISTs
}

// Counts says how much a run held.
type Counts struct {
	Copies     int `json:"copies"`
	Steps      int `json:"steps"`
	Orders     int `json:"orders,omitempty"`     // copies that go through an order of operations
	OrderSteps int `json:"orderSteps,omitempty"` // operations of all orders
	Operations int `json:"operations"`           // requests of steps
	Looks      int `json:"looks"`                // observing GETs and LISTs
	Changes    int `json:"changes"`              // changes of the store
}
