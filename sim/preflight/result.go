package preflight

import (
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
)

// SchemaVersion is the version of preflight.json's format.
const SchemaVersion = "skewsim.dev/preflight/v2"

// Result is the content of preflight.json.
type Result struct {
	SchemaVersion string `json:"schemaVersion"`
	Tool          string `json:"tool,omitempty"` // the version of skewsim
	Date          string `json:"date"`           // in UTC: 2026-11-23
	Command       string `json:"command,omitempty"`
	Source        Source `json:"source"`
	Hops          []Hop  `json:"hops"`
	// Ended is why the preflight ended early; "": it did not.
	Ended string `json:"ended,omitempty"`
	// Since compares the findings with those of an earlier preflight; nil: with none.
	Since *Since `json:"since,omitempty"`
	// Notes are about the files that the findings are held against.
	Notes []string `json:"notes,omitempty"`
	// Withheld reports that names are fingerprints under a key that was thrown away.
	Withheld bool `json:"withheld,omitempty"`
}

// SourceKind is a kind of source.
type SourceKind string

// The kinds of sources.
const (
	Snapshot  SourceKind = "snapshot"  // an etcd snapshot: all that is stored
	Cluster   SourceKind = "cluster"   // what a cluster serves, or a file that such objects were saved in
	Manifests SourceKind = "manifests" // what is declared, and no server has stored
)

// SourceKinds are all kinds of sources.
func SourceKinds() []SourceKind { return []SourceKind{Snapshot, Cluster, Manifests} }

// InWords is the kind as a sentence names it: a snapshot, or manifests.
func (k SourceKind) InWords() string {
	switch k {
	case "":
		return "a source"
	case Manifests:
		return string(k)
	}
	return "a " + string(k)
}

// Source is where the objects came from.
type Source struct {
	Kind   SourceKind `json:"kind"`
	Digest string     `json:"digest,omitempty"` // sha256 of a snapshot's bytes
	// Objects is how many were taken, Release the release that they came from, Stated who says so.
	Objects int    `json:"objects"`
	Release string `json:"release,omitempty"`
	Stated  string `json:"stated,omitempty"`
	// NotTaken is how many objects are of kinds that the release does not serve, and so not in the copy.
	NotTaken int `json:"notTaken,omitempty"`
	// NotRead is what has objects, or may have, that were not read or not taken: nothing is known of them.
	NotRead []string `json:"notRead,omitempty"`
	// FlagsTaken are the flags of the user's servers that servers of the copy get, FlagsLeft those that
	// they do not get, each with the reason.
	FlagsTaken []string `json:"flagsTaken,omitempty"`
	FlagsLeft  []string `json:"flagsLeft,omitempty"`
	// CannotSee are what the source never shows: an object may have it all the same.
	CannotSee []string `json:"cannotSee"`
	// Removed are objects that were left out of the copy so that its servers reach nothing, Skipped
	// what was not taken, each with the reason.
	Removed []string `json:"removed"`
	// Converted are the definitions whose webhook is a program that the user named.
	Converted []string `json:"converted,omitempty"`
	Skipped   []string `json:"skipped"`
}

// Build is a release that was played.
type Build struct {
	Reference string `json:"reference"`
	Version   string `json:"version"`
	Digest    string `json:"digest,omitempty"`
}

// Hop is one upgrade by a minor release, and back.
type Hop struct {
	From Build `json:"from"` // the older release
	To   Build `json:"to"`   // the newer release
	// Rollback reports that the objects come from the newer release: Up was not played.
	Rollback bool `json:"rollback,omitempty"`
	// Ended reports that the preflight ended before the hop was played to its end.
	Ended bool  `json:"ended,omitempty"`
	Up    Grade `json:"up,omitempty"`
	Back  Grade `json:"back"`
	// Answers say the grades in one sentence for each direction.
	Answers []string `json:"answers"`
	// PointOfNoReturn are the first writes after which the older release cannot read or keep what is
	// stored.
	PointOfNoReturn []Threshold `json:"pointOfNoReturn"`
	// Gates are the gates that no such write names.
	Gates []Gate `json:"gates"`
	// Set is how many of today's objects have already what one of these writes sets.
	Set      int       `json:"set,omitempty"`
	Kinds    []Kind    `json:"kinds"`
	Findings []Finding `json:"findings"`
	// Baseline are findings of the release that the objects come from, alone: they are no effect of
	// the upgrade.
	Baseline []Finding `json:"baseline"`
	// Defaulted are the fields that the newer release shows in objects that nobody wrote, and the
	// older one does not.
	Defaulted []Default `json:"defaulted"`
	// Written are the kinds of objects that servers wrote by themselves when they started, with how
	// many: they are no effect of the upgrade either.
	Written map[string]int `json:"written"`
	// Deleted are the objects of the source that servers deleted by themselves when they started.
	Deleted []Deleted `json:"deleted,omitempty"`
	Phases  []Phase   `json:"phases"`
}

// Deleted is an object that a server deleted by itself.
type Deleted struct {
	Group     string `json:"group,omitempty"`
	Kind      string `json:"kind"`
	Namespace string `json:"namespace,omitempty"`
	Name      string `json:"name"`
	Phase     string `json:"phase"`
	// By is the controller that deletes such objects; "" if it is not known.
	By string `json:"by,omitempty"`
}

// Default is a field that a release fills in when it shows an object.
type Default struct {
	Group   string `json:"group,omitempty"`
	Kind    string `json:"kind"`
	Path    string `json:"path"`
	Objects int    `json:"objects"`
}

// Threshold is a write that there is no clean way back from.
type Threshold struct {
	Group string `json:"group,omitempty"`
	Kind  string `json:"kind,omitempty"`
	Path  string `json:"path,omitempty"`
	What  string `json:"what"`
	// Gate permits the write; "" for none. Of several, it has all: A, B.
	Gate string `json:"gate,omitempty"`
	// Objects is how many of today's objects have the value already. The newer release does not fill it
	// in by itself, and the older one does not know it, or takes it in no new object.
	Objects int `json:"objects,omitempty"`
	// Writable is how many of today's objects have a place for a field of the status: controllers or kubelets of
	// the newer release may write it there. The copy has none of these.
	Writable int `json:"writable,omitempty"`

	places []diff.Place
	value  string // of an enum
	known  bool   // the older release has the field, and decides by a gate what it takes
}

// Kind counts the objects of a kind by what happens to them in either direction.
type Kind struct {
	Group    string               `json:"group,omitempty"`
	Kind     string               `json:"kind"`
	Objects  int                  `json:"objects"`
	Outcomes map[term.Outcome]int `json:"outcomes,omitempty"`
}

// Phase is one part of a hop, with what it took.
type Phase struct {
	Name    string  `json:"name"`
	Seconds float64 `json:"seconds"`
	Objects int     `json:"objects,omitempty"` // that were read or written
	Tried   int     `json:"tried,omitempty"`   // dry runs
	Shared  int     `json:"shared,omitempty"`  // dry runs that another object of the same shape, or an earlier phase, stood for
	Again   int     `json:"again,omitempty"`   // how often all was read once more, since what an earlier phase read did not stand, or a GET contradicted a LIST
}

// Finding is what happens to one object. It holds no value of the object.
type Finding struct {
	Outcome term.Outcome `json:"outcome"`
	// Cause, Class and Rule are as in a run, for a value that is lost or hidden or that a write changed, and for an
	// object that is frozen or undecodable; "" for other findings.
	Cause     term.Cause `json:"cause,omitempty"`
	Class     term.Class `json:"class,omitempty"`
	Rule      term.Rule  `json:"rule,omitempty"`
	Direction Direction  `json:"direction"`
	Group     string     `json:"group,omitempty"`
	Kind      string     `json:"kind,omitempty"`
	Namespace string     `json:"namespace,omitempty"`
	Name      string     `json:"name,omitempty"`
	Path      string     `json:"path,omitempty"` // keys of maps and lists left out
	Release   string     `json:"release"`        // whose server did it
	Phase     string     `json:"phase"`          // in which it was seen
	Write     string     `json:"write,omitempty"`
	Message   string     `json:"message"`
	// Serves reports that the server that is not ready serves all the same, Unread the kinds that keep it from being
	// ready, since it cannot read an object of theirs: ResourceClaim.resource.k8s.io.
	Serves bool     `json:"serves,omitempty"`
	Unread []string `json:"unread,omitempty"`
	// Owner is the root owner of the object, Manager what manages it, such as Helm; "" if nothing says so.
	Owner   string `json:"owner,omitempty"`
	Manager string `json:"manager,omitempty"`
	// Ephemeral reports that the object expires, or is made anew, so that it needs no fix.
	Ephemeral bool `json:"ephemeral,omitempty"`
	// OfServers reports that API servers made the object by themselves, and nobody else has written it: the finding
	// decides no grade. A server that does not become ready because of it is a finding of its own.
	OfServers bool `json:"ofServers,omitempty"`
	// Unserved reports that the other release does not serve the kind either: nobody has read the object.
	Unserved bool `json:"unserved,omitempty"`
	// Blocks reports that the finding blocks, although its class alone does not: an object of manifests that cannot be
	// created, for their owner creates it.
	Blocks bool `json:"blocks,omitempty"`
	// Accepted is the owner who accepts the finding, until the last day Until, Known the public issue
	// that reports it.
	Accepted string `json:"accepted,omitempty"`
	Until    string `json:"until,omitempty"`
	Known    string `json:"known,omitempty"`
	// Earlier reports that the earlier preflight has the finding too.
	Earlier bool `json:"earlier,omitempty"`
	// Fix is what made the finding go away on the copy; "": no fix is known.
	Fix string `json:"fix,omitempty"`
}
