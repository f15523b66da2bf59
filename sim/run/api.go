package run

import (
	"github.com/skewsim/skewsim/sim/run/act"
	"github.com/skewsim/skewsim/sim/run/fleet"
	"github.com/skewsim/skewsim/sim/run/precheck"
	"github.com/skewsim/skewsim/sim/run/stores"
)

// The inputs of a run, and the errors that it returns, as the packages below define them.
type (
	// Store is an etcd that servers share.
	Store = stores.Store
	// StoreChange is one change of one key.
	StoreChange = stores.Change
	// Follower follows a store.
	Follower = stores.Follower
	// StoreError reports that a store under servers has ended by itself.
	StoreError = stores.Error
	// OptionsError reports that a release's servers do not start with their options.
	OptionsError = fleet.OptionsError
	// KindError reports that no release serves an object's kind, or not so that it can be used.
	KindError = precheck.KindError
	// FieldError reports that the scenario names a field that neither release has.
	FieldError = precheck.FieldError
	// LineError reports a line of which no call can be executed.
	LineError = precheck.LineError
	// DefaultError reports that a treated value equals its field's default.
	DefaultError = precheck.DefaultError
	// ObjectError reports that no server accepts an object.
	ObjectError = precheck.ObjectError
	// Complaint is what servers have against a part of an object.
	Complaint = precheck.Complaint
	// RefusedError reports that a server refused to create an object.
	RefusedError = act.RefusedError
)
