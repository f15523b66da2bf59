package skewtest

import (
	"slices"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
)

// Line is one line of a scenario: who does what to an object, through which release, and at
// which stages. Lists multiply: each combination acts on a copy of its own. Every method
// that is not called leaves the default of the YAML key of that name.
type Line struct {
	model scenarios.Line
	at    position // of the call that adds it
	then  Lines
	errs  []error // of its methods
}

// LineOption is an option of a line: a Client, a Via or an At.
type LineOption interface{ apply(l *scenarios.Line) }

// Client says whose types a request uses.
type Client string

// The clients.
const (
	OldTyped   Client = Client(term.OldTyped)   // the old release's types, which drop fields that they lack
	NewTyped   Client = Client(term.NewTyped)   // the new release's types
	OldApply   Client = Client(term.OldApply)   // applies the old release's apply configurations
	NewApply   Client = Client(term.NewApply)   // applies the new release's apply configurations
	OlderTyped Client = Client(term.OlderTyped) // the types of a release before both
	OlderApply Client = Client(term.OlderApply) // applies that release's apply configurations
	Dynamic    Client = Client(term.Dynamic)    // no types: it keeps every field that it read
)

func (c Client) apply(l *scenarios.Line) { l.Client = append(l.Client, term.Client(c)) }

// Via is the release, or the replica ("a", "b", ...), that requests go through.
type Via string

// The releases that requests go through.
const (
	ViaOld Via = Via(term.Old)
	ViaNew Via = Via(term.New)
)

func (v Via) apply(l *scenarios.Line) { l.Via = append(l.Via, scenarios.Target(v)) }

// Lines are the lines of a scenario, or those that follow a line on the same copies.
// Options have the same effect as the methods of Line with their names.
type Lines struct{ all []*Line }

func (ls *Lines) add(model scenarios.Line, options []LineOption) *Line {
	l := &Line{model: model, at: caller(1)}
	for _, o := range options {
		if o == nil {
			l.errs = append(l.errs, isNil(l.at, "an option of the line"))
			continue
		}
		o.apply(&l.model)
	}
	ls.all = append(ls.all, l)
	return l
}

// models returns the lines, each with those that follow it.
func (ls *Lines) models() []scenarios.Line {
	var all []scenarios.Line
	for _, l := range ls.all {
		model := l.model
		model.Then = slices.Concat(model.Then, l.then.models())
		all = append(all, model)
	}
	return all
}

// Create creates copies of an object. Without a stage they are created at the first stage
// where that is possible.
func (ls *Lines) Create(object string, options ...LineOption) *Line {
	return ls.add(scenarios.Line{Create: object}, options)
}

// Touch changes a field that is not under test: a label, unless Line.Changing names
// another.
func (ls *Lines) Touch(object string, options ...LineOption) *Line {
	return ls.add(scenarios.Line{Touch: object}, options)
}

// Set writes fields, by path; nil removes a field.
func (ls *Lines) Set(object string, fields map[string]any, options ...LineOption) *Line {
	return ls.add(scenarios.Line{Set: object, Fields: fields}, options)
}

// Patch sends a body: a map, or for VerbJSONPatch a list of operations. The verb is
// VerbJSONPatch, VerbMergePatch, VerbStrategicPatch or VerbPost.
func (ls *Lines) Patch(object string, verb Verb, body any, options ...LineOption) *Line {
	return ls.add(scenarios.Line{Patch: object, Type: term.PatchType(verb), Body: body}, options)
}

// Get reads an object.
func (ls *Lines) Get(object string, options ...LineOption) *Line {
	return ls.add(scenarios.Line{Get: object}, options)
}

// List lists an object's kind.
func (ls *Lines) List(object string, options ...LineOption) *Line {
	return ls.add(scenarios.Line{List: object}, options)
}

// Delete deletes an object.
func (ls *Lines) Delete(object string, options ...LineOption) *Line {
	return ls.add(scenarios.Line{Delete: object}, options)
}
