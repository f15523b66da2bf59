package plan

import (
	"strings"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
)

// TouchLabel is the label that touch writes and every copy is born with.
const TouchLabel = "skewsim.dev/touch"

// TouchCondition is the status condition that a status write touches.
const TouchCondition = "skewsim.dev/Touched"

// DefaultManager is the field manager of apply where a line names none: one for
// every client, so that clients of both releases apply as the same manager.
const DefaultManager = "skewsim"

// Plan is everything a run will do, in order. It is plain data: it prints,
// compares and serialises, and the history's header carries it whole.
type Plan struct {
	Scenario  string                  `json:"scenario"`
	About     string                  `json:"about"`
	File      string                  `json:"file"` // base name of the scenario's file, for messages
	Component string                  `json:"component"`
	Releases  []Release               `json:"releases"`          // old, then new
	Clients   string                  `json:"clients,omitempty"` // the release of older-typed and older-apply clients; "": there are none
	Seed      int64                   `json:"seed"`              // 0 keeps the order of the scenario
	Namespace string                  `json:"namespace"`
	Replicas  []string                `json:"replicas"` // a, b, ...
	Journey   []term.Rollout          `json:"journey"`
	Manifests map[string]Manifest     `json:"manifests"` // by file name
	Copies    []Copy                  `json:"copies"`
	Stages    []Stage                 `json:"stages"`
	Skipped   []Skip                  `json:"skipped,omitempty"` // what no stage can play
	Expect    []scenarios.Expectation `json:"expect"`
	// NoExpect tells that the scenario's file has no key expect: impacts alone do not fail it.
	NoExpect  bool        `json:"noExpect,omitempty"`
	Elsewhere []Elsewhere `json:"elsewhere,omitempty"` // of Expect, the lines that are for other pairs
	Related   [][]string  `json:"related,omitempty"`   // groups of paths that servers keep in step
	Equal     [][]string  `json:"equal,omitempty"`     // those of them whose members are one value under several names
	// Confidential are the paths, by kind, of what no report shows, beside what Secrets hold.
	Confidential map[string][]string `json:"confidential,omitempty"`
	Twin         *Twin               `json:"twin,omitempty"` // nil: the releases are right
	// AA is the release that is both releases of an A/A run; "": the run is not one.
	AA  term.Role `json:"placeboOf,omitempty"`
	Leg *Leg      `json:"leg,omitempty"` // nil: the plan is no part of a chain
}

// ScenarioName returns the scenario's own name, also where an A/A run has another.
func ScenarioName(p Plan) string {
	if p.AA == "" {
		return p.Scenario
	}
	return strings.TrimSuffix(p.Scenario, scenarios.AASuffix(p.AA))
}

// Twin is a mistake that the new release was made with on purpose.
type Twin struct {
	Name   string                `json:"name"`
	About  string                `json:"about"`
	Caught scenarios.Expectation `json:"caught"` // the finding that catches it
}

// Elsewhere is a line of expect that is for other pairs of releases than this one.
type Elsewhere struct {
	Place  int    `json:"place"` // in Expect, from 1
	Line   int    `json:"line"`
	Reason string `json:"reason"`
	// Open tells that nobody knows yet whether it is: a build has yet to say its version.
	Open bool `json:"open,omitempty"`
}

// Release is one end of the pair: its build reference, and what its servers
// are started with.
type Release struct {
	Role      term.Role         `json:"role"`
	Reference string            `json:"reference"`
	Options   scenarios.Options `json:"options"`
	// Given are those of the options that whoever played the scenario gave, and that its
	// file does not say; nil: none.
	Given *scenarios.Options `json:"given,omitempty"`
}

// Manifest is an object that copies are made from.
type Manifest struct {
	APIVersion string         `json:"apiVersion"`
	Kind       string         `json:"kind"`
	Body       map[string]any `json:"body"`
}

// Copy is one specimen of an object, made for one combination. It is created
// once, meets at most one operation and those that follow it, or those of its
// order, and travels through the whole journey.
type Copy struct {
	Name     string        `json:"name"`   // metadata.name
	Object   string        `json:"object"` // its name in the scenario
	Role     term.CopyRole `json:"role"`
	Manifest string        `json:"manifest"` // key of Plan.Manifests
	// Leg is the earlier leg of a chain that made it; 0: this plan makes it.
	Leg int `json:"leg,omitempty"`
	// Order is the number of the order of operations that the copy goes through;
	// 0: none.
	Order int `json:"order,omitempty"`
}

// Stage is a span of the journey in which the replicas' releases stay as they are.
type Stage struct {
	Name     string         `json:"name"`              // old, upgrading 1/2, new, rolling-back 1/2, ...
	Rollout  term.Rollout   `json:"rollout,omitempty"` // the roll-out the stage belongs to; "" for the first
	Replicas []ReplicaStage `json:"replicas"`
	Steps    []Step         `json:"steps"`
}

// ReplicaStage says which release a replica runs during a stage.
type ReplicaStage struct {
	Replica string    `json:"replica"`
	Role    term.Role `json:"role"`
}

// Action says what kind of step a step is.
type Action string

// The actions of a plan.
const (
	Start   Action = "start"   // start a replica on a store that has none of that name
	Replace Action = "replace" // start a server of the other release in the place of a replica's, which then stops
	Prepare Action = "prepare" // create the namespace
	Rewrite Action = "rewrite" // write what earlier legs left, and this one does not take over, again as it is
	Watch   Action = "watch"   // open a WATCH of every kind through every replica that has none yet
	Operate Action = "operate" // one client operation on one copy
	Observe Action = "observe" // LIST every kind, in each form, through every replica: a stage's edge
	Attempt Action = "attempt" // dry-run writes and deletes of every object through every replica
	Trial   Action = "trial"   // have each release read, on a scratch store, what it has not been seen to read
	Stop    Action = "stop"    // stop every replica
)

// Step is one numbered thing that a run does.
type Step struct {
	Number int    `json:"number"` // 1, 2, 3, ... through the whole plan
	Action Action `json:"action"`

	// For start and replace.
	Replica string    `json:"replica,omitempty"`
	Role    term.Role `json:"role,omitempty"` // the release it then runs

	// For operate.
	Line     int         `json:"line,omitempty"`    // of the scenario's file
	Follows  bool        `json:"follows,omitempty"` // its copy has met another operation of the line before: see scenarios.Line.Then
	Birth    bool        `json:"birth,omitempty"`   // it brings its copy into being
	Verb     term.Verb   `json:"verb,omitempty"`
	Client   term.Client `json:"client,omitempty"`
	Read     string      `json:"read,omitempty"` // replica; empty where nothing is read first
	Via      string      `json:"via,omitempty"`  // replica
	ReadRole term.Role   `json:"readRole,omitempty"`
	ViaRole  term.Role   `json:"viaRole,omitempty"`
	Object   string      `json:"object,omitempty"`
	Copy     string      `json:"copy,omitempty"` // empty for list
	Mutation *Mutation   `json:"mutation,omitempty"`
	// Subresource is the part that is written; "": the one that the verb names, or the
	// whole object.
	Subresource string `json:"subresource,omitempty"`
	// Propagation is what a delete asks for; "": the kind's own.
	Propagation term.Propagation   `json:"propagation,omitempty"`
	Respond     *scenarios.Respond `json:"respond,omitempty"`
	// Adopts are the paths of what clients hold acknowledged of a copy that an
	// earlier leg made: see Step.Adoption.
	Adopts []string `json:"adopts,omitempty"`

	// Encoding is protobuf, or "" for JSON.
	Encoding        term.Encoding        `json:"encoding,omitempty"`
	FieldValidation term.FieldValidation `json:"fieldValidation,omitempty"` // "": not sent
	APIVersion      string               `json:"apiVersion,omitempty"`      // "": that of the copy's manifest
	// Discovers is the release whose preferred version the step goes through,
	// where APIVersion is a term.Discovery.
	Discovers     term.Role `json:"discovers,omitempty"`
	FieldSelector string    `json:"fieldSelector,omitempty"` // of list; "": nothing is selected by
	// For the verbs apply and extract-apply.
	Manager string `json:"manager,omitempty"` // the field manager
	Force   bool   `json:"force,omitempty"`
}

// MutationKind says what a mutation changes.
type MutationKind string

// The mutations.
const (
	Label     MutationKind = "label"     // one unrelated label, unique to the step
	Condition MutationKind = "condition" // one status condition, unique to the step
	Fields    MutationKind = "fields"    // the fields that set, or the object's mutations, name
	Body      MutationKind = "body"      // the body that patch gives
	Scale     MutationKind = "scale"     // the number of replicas, unique to the step
	Nothing   MutationKind = "nothing"   // the object as it is
)

// Mutation is what an operation declares that it changes. Only values below
// the paths it names are withdrawn by it.
type Mutation struct {
	Kind   MutationKind   `json:"kind"`
	Of     term.Mutation  `json:"of,omitempty"`     // which of a touch's mutations it is
	Fields map[string]any `json:"fields,omitempty"` // by path; nil removes
	Body   any            `json:"body,omitempty"`
	Names  []string       `json:"names,omitempty"` // the paths it names
}

// Skip is a combination that is not played, and why.
type Skip struct {
	Line   int    `json:"line"`
	Stage  string `json:"stage,omitempty"`
	Cell   string `json:"cell"` // "touch scratch: put by old-typed, read old, via new"
	Reason string `json:"reason"`
}
