package plan

import (
	"fmt"
	"strings"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
)

// TouchLabel is the label that touch writes and every copy is created with.
const TouchLabel = "skewsim.dev/touch"

// TouchCondition is the status condition that a status write touches.
const TouchCondition = "skewsim.dev/Touched"

// DefaultManager is the field manager of apply in lines without one: one for all clients, so
// that clients of both releases apply as the same manager.
const DefaultManager = "skewsim"

// Plan is everything a run will do, in order. It is plain data: it prints, compares and
// serialises, and the history's header contains it.
type Plan struct {
	Scenario  string                  `json:"scenario"`
	About     string                  `json:"about"`
	File      string                  `json:"file"` // base name of the scenario's file, for messages
	Component string                  `json:"component"`
	Releases  []Release               `json:"releases"`          // old, then new
	Clients   string                  `json:"clients,omitempty"` // the release of older-typed and older-apply clients; "": no such clients
	Seed      int64                   `json:"seed"`              // 0 keeps the order of the scenario
	Namespace string                  `json:"namespace"`
	Replicas  []string                `json:"replicas"` // a, b, ...
	Journey   []term.Rollout          `json:"journey"`
	Manifests map[string]Manifest     `json:"manifests"` // by file name
	Copies    []Copy                  `json:"copies"`
	Stages    []Stage                 `json:"stages"`
	Skipped   []Skip                  `json:"skipped,omitempty"` // combinations that no stage can play
	Expect    []scenarios.Expectation `json:"expect"`
	// NoExpect reports that the scenario's file has no key expect: impacts alone do not fail
	// it.
	NoExpect  bool        `json:"noExpect,omitempty"`
	Elsewhere []Elsewhere `json:"elsewhere,omitempty"` // the lines of Expect that are for other pairs
	Related   [][]string  `json:"related,omitempty"`   // groups of paths that servers keep in step
	Equal     [][]string  `json:"equal,omitempty"`     // those groups whose members are one value under several names
	// Confidential are the paths, by kind, of values that no report shows, in addition to those
	// of Secrets.
	Confidential map[string][]string `json:"confidential,omitempty"`
	Mutant       *Mutant             `json:"twin,omitempty"` // nil: the releases are correct
	// AA is the release that is both releases of an A/A run; "": the run is not one.
	AA  term.Role `json:"aa,omitempty"`
	Leg *Leg      `json:"leg,omitempty"` // nil: the plan is not part of a chain
}

// ScenarioName returns the scenario's own name, also for an A/A run, which has another name.
func ScenarioName(p Plan) string {
	if p.AA == "" {
		return p.Scenario
	}
	return strings.TrimSuffix(p.Scenario, scenarios.AASuffix(p.AA))
}

// Mutant is the mutant that is played: a mistake that the new release was given on purpose.
type Mutant struct {
	Name   string                `json:"name"`
	About  string                `json:"about"`
	Caught scenarios.Expectation `json:"caught"` // the finding that catches the mutant
}

// Elsewhere is a line of expect that is for other pairs of releases.
type Elsewhere struct {
	Place  int    `json:"place"` // in Expect, from 1
	Line   int    `json:"line"`
	Reason string `json:"reason"`
	// Open reports that this is not known yet: a build has yet to report its version.
	Open bool `json:"open,omitempty"`
}

// Release is one release of the pair: its build reference, and the options of its servers.
type Release struct {
	Role      term.Role         `json:"role"`
	Reference string            `json:"reference"`
	Options   scenarios.Options `json:"options"`
	// Given are those options that the user gave and the file does not; nil: none.
	Given *scenarios.Options `json:"given,omitempty"`
	// Program says which program runs beside the release's servers: the program file, or auto; "":
	// none that is named.
	Program string `json:"program,omitempty"`
	// NamesProgram reports that the scenario's file names Program, and not the user.
	NamesProgram bool `json:"namesProgram,omitempty"`
	// Executes is, in words, what Program says is executed; "": unknown.
	Executes string `json:"executes,omitempty"`
}

// ProgramText says, in words, which program runs beside the release's servers; "": none that is named.
func (r Release) ProgramText() string {
	switch {
	case r.Program == "":
		return ""
	case r.Executes == "":
		return "converted by the program of " + r.Program
	}
	return fmt.Sprintf("converted by the program of %s: %s", r.Program, r.Executes)
}

// Manifest is an object that copies are made from.
type Manifest struct {
	APIVersion string         `json:"apiVersion"`
	Kind       string         `json:"kind"`
	Body       map[string]any `json:"body"`
}

// Copy is one object, made for one combination. It is created once, meets at
// most one operation and the operations after it, or those of its order, and exists through the
// whole journey.
type Copy struct {
	Name     string        `json:"name"`   // metadata.name
	Object   string        `json:"object"` // its name in the scenario
	Role     term.CopyRole `json:"role"`
	Manifest string        `json:"manifest"` // key of Plan.Manifests
	// Leg is the earlier leg of a chain that created it; 0: this plan creates it.
	Leg int `json:"leg,omitempty"`
	// Order is the number of the order of operations that the copy goes through; 0: none.
	Order int `json:"order,omitempty"`
}

// Stage is a span of the journey in which the replicas' releases stay as they are.
type Stage struct {
	Name     string         `json:"name"`              // old, upgrading 1/2, new, rolling-back 1/2, ...
	Rollout  term.Rollout   `json:"rollout,omitempty"` // the roll-out the stage belongs to; "" for the first
	Replicas []ReplicaStage `json:"replicas"`
	Steps    []Step         `json:"steps"`
}

// ReplicaStage is the release that a replica runs during a stage.
type ReplicaStage struct {
	Replica string    `json:"replica"`
	Role    term.Role `json:"role"`
}

// Action is the kind of a step.
type Action string

// The actions of a plan.
const (
	Start   Action = "start"   // start a replica where none of that name serves
	Replace Action = "replace" // start a server of the other release in place of a replica's server, which then stops
	Program Action = "program" // have the program of a release run beside the servers, or none
	Prepare Action = "prepare" // create the namespace
	Rewrite Action = "rewrite" // write objects of earlier legs that this leg does not take over again, unchanged
	Watch   Action = "watch"   // open a WATCH of every kind through every replica without one
	Operate Action = "operate" // one client operation on one copy
	Observe Action = "observe" // LIST every kind, in each form, through every replica: at the edge of a stage
	Attempt Action = "attempt" // dry-run writes and deletes of every object through every replica
	Trial   Action = "trial"   // have each release read, on a scratch store, the stored versions that it has not been seen to read
	Stop    Action = "stop"    // stop a replica, or every one if it names none
)

// Step is one numbered step of a run.
type Step struct {
	Number int    `json:"number"` // 1, 2, 3, ... through the whole plan
	Action Action `json:"action"`

	// For start and replace, and a stop of one replica.
	Replica string `json:"replica,omitempty"`
	// Role is the release that the replica runs afterwards or, for program, the one whose program
	// runs; "": none does.
	Role term.Role `json:"role,omitempty"`

	// For operate.
	Line     int         `json:"line,omitempty"`    // of the scenario's file
	Follows  bool        `json:"follows,omitempty"` // its copy has already met another operation of the line: see scenarios.Line.Then
	Birth    bool        `json:"birth,omitempty"`   // the step creates its copy
	Verb     term.Verb   `json:"verb,omitempty"`
	Client   term.Client `json:"client,omitempty"`
	Read     string      `json:"read,omitempty"` // replica; empty where nothing is read first
	Via      string      `json:"via,omitempty"`  // replica
	ReadRole term.Role   `json:"readRole,omitempty"`
	ViaRole  term.Role   `json:"viaRole,omitempty"`
	Object   string      `json:"object,omitempty"`
	Copy     string      `json:"copy,omitempty"` // empty for list
	Change   *Change     `json:"mutation,omitempty"`
	// Subresource is the part that is written; "": the verb's part, or the whole object.
	Subresource string `json:"subresource,omitempty"`
	// Propagation is the propagation policy of a delete; "": the kind's own.
	Propagation term.Propagation   `json:"propagation,omitempty"`
	Respond     *scenarios.Respond `json:"respond,omitempty"`
	// Adopts are the paths of acknowledged values of a copy that an earlier leg created: see
	// Step.Adoption.
	Adopts []string `json:"adopts,omitempty"`

	// Encoding is protobuf, or "" for JSON.
	Encoding        term.Encoding        `json:"encoding,omitempty"`
	FieldValidation term.FieldValidation `json:"fieldValidation,omitempty"` // "": not sent
	APIVersion      string               `json:"apiVersion,omitempty"`      // "": that of the copy's manifest
	// Discovers is the release whose preferred version the step uses, if APIVersion is a
	// term.Discovery.
	Discovers     term.Role `json:"discovers,omitempty"`
	FieldSelector string    `json:"fieldSelector,omitempty"` // of list; "": no selector
	// For the verbs apply and extract-apply.
	Manager string `json:"manager,omitempty"` // the field manager
	Force   bool   `json:"force,omitempty"`
}

// ChangeKind is the kind of a change.
type ChangeKind string

// The kinds of changes.
const (
	Label     ChangeKind = "label"     // one unrelated label, unique to the step
	Condition ChangeKind = "condition" // one status condition, unique to the step
	Fields    ChangeKind = "fields"    // the fields that set or the object's changes name
	Body      ChangeKind = "body"      // the body that patch gives
	Scale     ChangeKind = "scale"     // the number of replicas, unique to the step
	Nothing   ChangeKind = "nothing"   // the object unchanged
)

// Change is what an operation declares that it changes. The operation withdraws only values
// below the paths it names.
type Change struct {
	Kind   ChangeKind     `json:"kind"`
	Of     term.Change    `json:"of,omitempty"`     // which of a touch's changes it is
	Fields map[string]any `json:"fields,omitempty"` // by path; nil removes
	Body   any            `json:"body,omitempty"`
	Names  []string       `json:"names,omitempty"` // the paths it names
}

// In the reasons of skips: no stage has the replicas, and a release that the object's key since
// excludes.
const (
	NoStage = "no stage can play it: "
	NotMade = "is not one of the releases that make it"
)

// Skip is a combination that is not played, and the reason.
type Skip struct {
	Line   int    `json:"line"`
	Stage  string `json:"stage,omitempty"`
	Cell   string `json:"cell"` // "touch scratch: put by old-typed, read old, via new"
	Reason string `json:"reason"`
}
