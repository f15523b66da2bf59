package scenarios

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
)

// Expectation describes findings. A finding matches when it agrees with every given key; a list
// of words matches any of them.
type Expectation struct {
	Check   term.CheckName      `json:"check" jsonschema:"required" jsonschema_description:"The check that gives the finding."`
	Class   OneOf[term.Class]   `json:"class,omitempty" jsonschema_description:"violation or impact."`
	Rule    OneOf[term.Rule]    `json:"rule,omitempty" jsonschema_description:"The rule the finding is held against."`
	Outcome OneOf[term.Outcome] `json:"outcome,omitempty" alias:"state" jsonschema_description:"What happened to the value or the object."`
	Cause   OneOf[term.Cause]   `json:"cause,omitempty" jsonschema_description:"Why."`
	Object  OneOf[string]       `json:"object,omitempty" jsonschema_description:"The object, by its name in objects."`
	Copy    []term.CopyRole     `json:"copy,omitempty" jsonschema_description:"What the copy is for."`
	Path    OneOf[string]       `json:"path,omitempty" jsonschema_description:"The field, such as .spec.volumes[name=\"v\"].emptyDir.mode."`
	Stage   []string            `json:"stage,omitempty" jsonschema_description:"The stage of the step that did it."`
	Client  []term.Client       `json:"client,omitempty" jsonschema_description:"The client whose step did it."`
	Verb    []term.Verb         `json:"verb,omitempty" jsonschema_description:"The verb of the step that did it."`
	Read    []term.Role         `json:"read,omitempty" jsonschema_description:"The release that the step read through."`
	Via     []term.Role         `json:"via,omitempty" jsonschema_description:"The release that the step wrote through."`
	// Encoding and FieldValidation belong to the step that caused the finding; json means any
	// encoding except protobuf.
	Encoding        []term.Encoding        `json:"encoding,omitempty" jsonschema_description:"The encoding of the step that did it."`
	FieldValidation []term.FieldValidation `json:"fieldValidation,omitempty" jsonschema_description:"The fieldValidation of the step that did it."`
	// Generation and ClaimedBy describe the object's own metadata about the value.
	Generation term.Generation `json:"generation,omitempty" jsonschema_description:"unmoved: the spec is served with another value, and metadata.generation is what it was."`
	ClaimedBy  []string        `json:"claimedBy,omitempty" jsonschema_description:"A manager that managedFields name as an owner of the value, which is gone."`
	// Count is how many findings match. Default: one or more.
	Count int `json:"count,omitempty" jsonschema:"minimum=1" jsonschema_description:"How many findings match; default one or more."`
	// When names the pairs of releases that the line applies to; other pairs ignore the line.
	// Default nil: all pairs.
	When *When `json:"when,omitempty" jsonschema_description:"The pairs of releases that the line is for; for others it is as if it were not there. Default all."`
	// Owner is who fixes what the line expects. Until is the last day, in UTC, on which a run
	// may start and still find it: YYYY-MM-DD. Why is the reason. Default: none; a line with
	// Until has an owner.
	Owner string `json:"owner,omitempty" jsonschema_description:"Who fixes what is found; required with until."`
	Until string `json:"until,omitempty" jsonschema:"format=date" jsonschema_description:"The last day, in UTC, on which a run may begin that finds it; later the line has expired, and fails the run."`
	Why   string `json:"why,omitempty" jsonschema_description:"Why that is expected, for reports."`
	// Line is the line of the expectation in the scenario's file.
	Line int `json:"line,omitempty" jsonschema:"-"`
}

// UnmarshalJSON reads an expectation of a history, which may be of a version that had state for outcome.
func (e *Expectation) UnmarshalJSON(data []byte) error {
	type plain Expectation
	read := struct {
		*plain
		State OneOf[term.Outcome] `json:"state"`
	}{plain: (*plain)(e)}
	if err := json.Unmarshal(data, &read); err != nil {
		return err
	}
	if len(e.Outcome) == 0 {
		e.Outcome = read.State
	}
	return nil
}

// OneOf is a list of words, any of which matches; an empty list matches every word. In JSON a
// single word replaces a list of one, as in documents of versions without lists.
type OneOf[W ~string] []W

// MarshalJSON writes a single word as a string.
func (o OneOf[W]) MarshalJSON() ([]byte, error) {
	if len(o) == 1 {
		return json.Marshal(o[0])
	}
	return json.Marshal([]W(o))
}

// UnmarshalJSON reads a list or a single word.
func (o *OneOf[W]) UnmarshalJSON(raw []byte) error {
	if !strings.HasPrefix(string(raw), `"`) {
		return json.Unmarshal(raw, (*[]W)(o))
	}
	*o = make(OneOf[W], 1)
	return json.Unmarshal(raw, &(*o)[0])
}

// Text returns the words for a sentence: old|new.
func (o OneOf[W]) Text() string {
	texts := make([]string, len(o))
	for i, w := range o {
		texts[i] = string(w)
	}
	return strings.Join(texts, "|")
}

// WordOf returns the type of the words of a OneOf, and false for any other type.
func WordOf(t reflect.Type) (reflect.Type, bool) {
	if t.Kind() != reflect.Slice || !strings.HasPrefix(t.Name(), "OneOf[") {
		return nil, false
	}
	return t.Elem(), true
}
