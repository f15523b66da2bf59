package try

import (
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/published"
	"github.com/skewsim/skewsim/sim/result"
)

// RuleTarget is a rule that two releases state differently, with an object to try it on.
type RuleTarget struct {
	// Specimen is a valid object that holds a value at the rule's path. Its ID is the caller's.
	Specimen
	// Name, Old and New are the rule, as diff.Difference has them.
	Name, Old, New string
	// Whole reports that the rule is of the whole object, and not of the field at the path.
	Whole bool
	// Values are further values to try.
	Values []any
	// Parts reports that what differs is who owns the parts of a list or map: a second manager applies
	// one of them.
	Parts bool
}

// RuleServer is a server of one release that rules are tried on.
type RuleServer struct {
	*Server
	Resources []published.Resource
	Namespace string // for kinds that have one
}

// Answer is what one release answered to a dry run.
type Answer struct {
	Code    int    `json:"code"`
	Message string `json:"message,omitempty"` // of a refusal
	// Causes are the fields that a refusal names.
	Causes []string `json:"causes,omitempty"`
	// StatusCauses are the errors that a refusal lists.
	StatusCauses []result.StatusCause `json:"statusCauses,omitempty"`
	Accepted     bool                 `json:"accepted"`
	Panicked     bool                 `json:"panicked,omitempty"` // the server
	// Replaced reports that the request is a success, and the answer has something else in place of
	// an explicit null, which is Default or nothing, or does not have all parts of a list or map.
	Replaced bool `json:"replaced,omitempty"`
	Default  any  `json:"default,omitempty"`

	dropped bool // it was accepted, and the value is gone
}

// HidesRules reports whether a server says, in a refusal, that it has not evaluated all rules in CEL: it
// evaluates none on what a schema refuses.
func (a Answer) HidesRules() bool {
	return slices.ContainsFunc(a.StatusCauses, result.StatusCause.LeavesRulesOut)
}

// Trial is a change of a valid object that one release accepts and the other refuses.
type Trial struct {
	Target string `json:"target"` // the ID of the Target
	// APIVersion, Kind and Path are the place of the change; Held is its path in the object.
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Path       string `json:"path"`
	Held       string `json:"held"`
	// Value is the new value; Removed says that the change removes the field.
	Value   any  `json:"value,omitempty"`
	Removed bool `json:"removed,omitempty"`
	// Subresource is where the change is written; "": in the object itself.
	Subresource string `json:"subresource,omitempty"`
	// Update says that creates are answered alike, and only the change of a stored object is
	// not.
	Update bool `json:"update,omitempty"`
	// Object is the object with the change, Before is the object without it, which both releases
	// accept; nil: a release refuses or changes that too.
	Object map[string]any    `json:"object"`
	Before map[string]any    `json:"before,omitempty"`
	Needs  []map[string]any  `json:"needs,omitempty"`
	Origin term.ObjectOrigin `json:"origin,omitempty"` // of Before
	Old    Answer            `json:"old"`
	New    Answer            `json:"new"`
}

// AcceptedBy returns the release that accepts the change.
func (t Trial) AcceptedBy() term.Role {
	if t.Old.Accepted {
		return term.Old
	}
	return term.New
}

// Refusal returns the answer of the release that does not accept the change.
func (t Trial) Refusal() Answer {
	if t.Old.Accepted {
		return t.New
	}
	return t.Old
}

// IsEmpty reports whether the value is one that clients may leave out, as those in Go do where a field has omitempty.
func (t Trial) IsEmpty() bool { return isZero(t.Value) }

// IsReplaced reports whether a release that answers with a success does not keep what the other one keeps.
func (t Trial) IsReplaced() bool { return t.Old.Replaced || t.New.Replaced }

// Specimen returns the object with the change, as a journey plays it: created through the release
// that accepts it. A change of a stored object is Object with Before as its bystander.
func (t Trial) Specimen() Specimen {
	return Specimen{
		Target: Target{ID: t.Target, APIVersion: t.APIVersion, Kind: t.Kind, Path: t.Path, Value: t.Value},
		Object: t.Object, Bystander: t.Before, Held: t.Held, Answered: t.Value, Origin: t.Origin, Subresource: t.Subresource, Needs: t.Needs,
	}
}

// Result is what the servers of both releases answered about one rule.
type Result struct {
	Target string `json:"target"`
	// Trials are the changes that the releases answer differently, none if they answer alike.
	Trials []Trial `json:"trials,omitempty"`
	// Sent counts the changes that were sent to both releases; BothAccept and BothRefuse those
	// that they answer alike; Dropped those that a release accepts without keeping the value.
	Sent       int `json:"sent"`
	BothAccept int `json:"bothAccept"`
	BothRefuse int `json:"bothRefuse"`
	Dropped    int `json:"dropped"`
	// Unanswered counts those that a release gave no answer to which says anything of the value.
	Unanswered int `json:"unanswered,omitempty"`
	// Reason is why the rule could not be tried; "" if it was.
	Reason string `json:"reason,omitempty"`
}

// Alike reports whether the rule was tried, and the releases answered every change alike.
func (r Result) Alike() bool {
	return r.Reason == "" && len(r.Trials) == 0 && r.Dropped == 0 && r.Unanswered == 0 && r.BothAccept+r.BothRefuse > 0
}

// resource returns the resource of a kind; false if the release does not serve it.
func (s RuleServer) resource(apiVersion, kind string) (published.Resource, bool) {
	i := slices.IndexFunc(s.Resources, func(r published.Resource) bool { return r.APIVersion == apiVersion && r.Kind == kind })
	if i < 0 {
		return published.Resource{}, false
	}
	return s.Resources[i], true
}

// at returns where objects of a resource are, on this server.
func (s RuleServer) at(r published.Resource) client.Resource {
	at := client.Resource{APIVersion: r.APIVersion, Plural: r.Plural}
	if r.Namespaced {
		at.Namespace = s.Namespace
	}
	return at
}
