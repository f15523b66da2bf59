package result

import (
	"cmp"
	"slices"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
)

// SchemaVersion is the version of result.json's format.
const SchemaVersion = "skewsim.dev/result/v2"

// Result is the content of result.json.
type Result struct {
	SchemaVersion string           `json:"schemaVersion"`
	Tool          string           `json:"tool,omitempty"` // the version of skewsim that executed the run
	Scenario      string           `json:"scenario"`
	About         string           `json:"about"`
	Releases      []string         `json:"releases"` // old, then new: the versions that the servers reported, with the options that distinguish them
	Journey       []term.Rollout   `json:"journey"`
	Seed          int64            `json:"seed"`
	Verdict       term.VerdictWord `json:"verdict"`
	// Reason says in a sentence why the run has this verdict.
	Reason string `json:"reason"`
	// Answer summarizes the run in one plain sentence: which fields changed in which way, which
	// server or client caused it, and whether a rule was broken. Absent in results of earlier
	// versions.
	Answer string `json:"answer,omitempty"`
	// Mutant is the mutant that was played; absent if the releases were correct.
	Mutant *Mutant `json:"twin,omitempty"`
	// Findings are in the order of steps, then copies, then paths.
	Findings []Finding `json:"findings"`
	// Missing are the expectations that no finding, or too few or too many, matched.
	Missing []Missing `json:"missing"`
	// Expired are the expectations whose last day is before the day, in UTC, on which the run
	// began: any of them fails the run. Absent if empty.
	Expired []Expired `json:"expired,omitempty"`
	// Elsewhere are the expectations for other pairs of releases: no finding needs to match
	// them. Absent if empty.
	Elsewhere []Elsewhere `json:"elsewhere,omitempty"`
	Checks    []Check     `json:"checks"`
	// Notes explain the limits of the result: which clients are approximated, and what is not
	// judged.
	Notes   []string `json:"notes"`
	Skipped []Skip   `json:"skipped"`
	Builds  []Build  `json:"builds"`
	// Store is the etcd that the servers shared; absent in histories of earlier versions.
	Store  *term.Store `json:"store,omitempty"`
	Timing Timing      `json:"timing"`
	Counts Counts      `json:"counts"`
}

// FullName returns the scenario's name with that of the mutant that was played.
func (r Result) FullName() string {
	if r.Mutant == nil {
		return r.Scenario
	}
	return r.Scenario + "+" + r.Mutant.Name
}

// Mutant is a mutant: a mistake that the new release was given on purpose, and whether the run
// found it where the scenario expects it. The verdict does not depend on it.
type Mutant struct {
	Name  string `json:"name"`
	About string `json:"about"` // the mistake
	// Expectation describes the finding that catches it; Seen is how many findings match.
	Expectation scenarios.Expectation `json:"expectation"`
	Seen        int                   `json:"seen"`
	Caught      bool                  `json:"caught"`
	Message     string                `json:"message"` // the result in a sentence
}

// Finding is one fact that needs a matching expectation.
type Finding struct {
	Check  term.CheckName `json:"check"`
	Rule   term.Rule      `json:"rule"`
	Class  term.Class     `json:"class"`
	Object string         `json:"object"` // its name in the scenario
	Kind   string         `json:"kind"`
	// Defines is the kind, with its group, whose definition a server refused; absent for findings
	// about anything else.
	Defines  string        `json:"defines,omitempty"`
	Copy     string        `json:"copy"` // metadata.name; "" for a whole LIST
	CopyRole term.CopyRole `json:"copyRole,omitempty"`
	Path     string        `json:"path"` // "" for the whole object
	Outcome  term.Outcome  `json:"outcome"`
	Actor    term.Actor    `json:"actor,omitempty"` // who lost the value; "" of other outcomes
	Cause    term.Cause    `json:"cause"`
	Step     int           `json:"step"`
	Stage    string        `json:"stage"`
	Client   term.Client   `json:"client,omitempty"`
	Verb     term.Verb     `json:"verb,omitempty"`
	// Encoding is protobuf if the step's bodies were, FieldValidation the parameter that the
	// step sent; "" if none.
	Encoding        term.Encoding        `json:"encoding,omitempty"`
	FieldValidation term.FieldValidation `json:"fieldValidation,omitempty"`

	Read    term.Role `json:"read,omitempty"`
	Via     term.Role `json:"via,omitempty"`
	Replica string    `json:"replica,omitempty"` // the replica that was written or read through
	Release string    `json:"release,omitempty"` // the version that the replica reported
	// Program is the release whose program, such as a conversion webhook, ran beside the servers in the step's stage;
	// absent if none ran.
	Program term.Role `json:"program,omitempty"`
	Before  any       `json:"before,omitempty"` // the acknowledged value
	After   any       `json:"after,omitempty"`  // what is there now; absent if nothing is
	// Generation is unmoved if a value of the spec changed or disappeared and
	// metadata.generation stayed the same; absent if the generation changed, or if the object
	// has none.
	Generation term.Generation `json:"generation,omitempty"`
	// ClaimedBy are the managers that managedFields names as owners of a value that is gone,
	// sorted; absent if there are no such managers.
	ClaimedBy []string `json:"claimedBy,omitempty"`
	// Gates are the path's feature gates that are off in the release, if they are the cause.
	Gates []Gate `json:"gates,omitempty"`
	// AcknowledgedStep is the step whose answer showed the value. 0: none.
	AcknowledgedStep int `json:"acknowledgedStep,omitempty"`
	// Panic is where the server panicked, for the state panicked only.
	Panic   *Panic `json:"panic,omitempty"`
	Message string `json:"message"`
	// StatusCauses are the errors that the server's refusals list, for the states refused and frozen.
	StatusCauses []StatusCause `json:"statusCauses,omitempty"`
	// Order is the number of the copy's order of operations; 0: none.
	Order int `json:"order,omitempty"`
	// Expected reports whether exactly one line of expect matches and has not expired; for a
	// copy with an order, whether the finding is an impact or any line matches.
	Expected bool `json:"expected"`
	// Expectation is the place of that line in expect, from 1, also if it has expired; 0 for
	// none.
	Expectation int `json:"expectation,omitempty"`
}

// Gate is a feature gate that a field is behind.
type Gate struct {
	Name   string          `json:"name"`
	Source term.GateSource `json:"source"` // the evidence that the field is behind the gate
}

// Panic is a panic of a server: its message, and the function and line, if its log contains
// them.
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

// Expired is an expectation after its last day.
type Expired struct {
	Expectation scenarios.Expectation `json:"expectation"` // with its owner, and its last day
	Place       int                   `json:"place"`       // in expect, from 1
	Seen        int                   `json:"seen"`        // how many findings still match it
	Message     string                `json:"message"`
}

// Elsewhere is an expectation that is for other pairs of releases.
type Elsewhere struct {
	Expectation scenarios.Expectation `json:"expectation"`
	Place       int                   `json:"place"` // in expect, from 1
	Reason      string                `json:"reason"`
}

// Check is one promise with its verdict.
type Check struct {
	Name      term.CheckName   `json:"name"`
	Guarantee string           `json:"guarantee"`
	Verdict   term.VerdictWord `json:"verdict"`
	// Judged is how many facts the check looked at. A check without any is unknown, or not
	// applicable if there was nothing to judge; the check of a rule passes or fails by the
	// violations of the rule that other checks report.
	Judged int `json:"judged"`
	// Indeterminate is how many facts are indeterminate, for lack of evidence.
	Indeterminate int `json:"indeterminate"`
	// Findings is how many findings it reported, including expected ones.
	Findings int `json:"findings"`
	// Reason says why it is unknown, not applicable, or failed; of one that passed, which violations of its rule other
	// checks report, as the scenario expects.
	Reason string `json:"reason,omitempty"`
}

// BrokenElsewhere returns how many unexpected violations of a rule are findings of other checks than that of the
// rule, and the first of these checks: each fact is reported once.
func (r Result) BrokenElsewhere(rule term.CheckName) (n int, by term.CheckName) {
	return r.brokenElsewhere(rule, false)
}

// BrokenElsewhereAsExpected is BrokenElsewhere for violations that the scenario expects.
func (r Result) BrokenElsewhereAsExpected(rule term.CheckName) (n int, by term.CheckName) {
	return r.brokenElsewhere(rule, true)
}

func (r Result) brokenElsewhere(rule term.CheckName, expected bool) (n int, by term.CheckName) {
	for _, f := range r.Findings {
		if string(f.Rule) == string(rule) && f.Check != rule && f.Class == term.Violation && f.Expected == expected {
			n, by = n+1, cmp.Or(by, f.Check)
		}
	}
	return n, by
}

// Differs reports whether a check has findings that are not expected, or expectations that are not met.
func (r Result) Differs(name term.CheckName) bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Check == name && !f.Expected }) ||
		slices.ContainsFunc(r.Missing, func(m Missing) bool { return m.Expectation.Check == name }) ||
		slices.ContainsFunc(r.Expired, func(e Expired) bool { return e.Expectation.Check == name })
}

// Skip is a combination that was not played, and the reason.
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
	Component string    `json:"component,omitempty"` // its component; absent in histories of earlier versions
	// Asked is the reference that was requested, if it is not available and another patch of
	// its minor release was played; absent if the requested reference was played.
	Asked string `json:"asked,omitempty"`
	// Substituted are the modules of which the binary has another version than its release,
	// because the module proxy withheld that version: each as "PATH VERSION -> VERSION".
	// Absent: the binary is built like its release.
	Substituted []string `json:"substituted,omitempty"`
	// From is the address or the file that the binary was taken from, instead of being built from
	// the release's source; absent if it was built, or the reference names it.
	From string `json:"from,omitempty"`
	// Adapter is how the server of a module was started; absent for other servers.
	Adapter *term.Adapter `json:"adapter,omitempty"`
	// Server is the kube-apiserver that a release of custom resource definitions is installed
	// on; absent if the build is itself a server.
	Server string          `json:"server,omitempty"`
	Gates  map[string]bool `json:"gates,omitempty"` // as the server reports them
	// Options are the options that its servers were started with; absent if empty.
	Options *scenarios.Options `json:"options,omitempty"`
}

// Timing is how long the parts of a run took, in seconds, according to the history. Parts
// overlap, so they do not add up to Total.
type Timing struct {
	Total      float64 `json:"total"`
	Starts     float64 `json:"starts"`     // sum over servers, exec to ready
	Stops      float64 `json:"stops"`      // sum over servers, request to exit
	Operations float64 `json:"operations"` // sum over requests of steps
	Looks      float64 `json:"looks"`      // sum over observing GETs and LISTs
}

// Counts is the size of a run.
type Counts struct {
	Copies     int `json:"copies"`
	Steps      int `json:"steps"`
	Orders     int `json:"orders,omitempty"`     // copies that go through an order of operations
	OrderSteps int `json:"orderSteps,omitempty"` // operations of all orders
	Operations int `json:"operations"`           // requests of steps
	Looks      int `json:"looks"`                // observing GETs and LISTs
	Changes    int `json:"changes"`              // changes of the store
}
