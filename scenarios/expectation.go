package scenarios

import (
	"encoding/json"
	"reflect"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
)

// Expectation describes findings. A finding matches when it agrees with every
// key that is given; a list means any of its words.
type Expectation struct {
	Check  term.CheckName    `json:"check" jsonschema:"required" jsonschema_description:"The check that gives the finding."`
	Class  OneOf[term.Class] `json:"class,omitempty" jsonschema_description:"violation or impact."`
	Rule   OneOf[term.Rule]  `json:"rule,omitempty" jsonschema_description:"The rule the finding is held against."`
	State  OneOf[term.State] `json:"state,omitempty" jsonschema_description:"What has become of the value."`
	Cause  OneOf[term.Cause] `json:"cause,omitempty" jsonschema_description:"Why."`
	Object OneOf[string]     `json:"object,omitempty" jsonschema_description:"The object, by its name in objects."`
	Copy   []term.CopyRole   `json:"copy,omitempty" jsonschema_description:"What the copy is for."`
	Path   OneOf[string]     `json:"path,omitempty" jsonschema_description:"The field, such as .spec.volumes[name=\"v\"].emptyDir.mode."`
	Stage  []string          `json:"stage,omitempty" jsonschema_description:"The stage of the step that did it."`
	Client []term.Client     `json:"client,omitempty" jsonschema_description:"The client whose step did it."`
	Verb   []term.Verb       `json:"verb,omitempty" jsonschema_description:"The verb of the step that did it."`
	Read   []term.Role       `json:"read,omitempty" jsonschema_description:"The release that the step read through."`
	Via    []term.Role       `json:"via,omitempty" jsonschema_description:"The release that the step wrote through."`
	// Encoding and FieldValidation are those of the step that did it; json
	// means any that is not protobuf.
	Encoding        []term.Encoding        `json:"encoding,omitempty" jsonschema_description:"The encoding of the step that did it."`
	FieldValidation []term.FieldValidation `json:"fieldValidation,omitempty" jsonschema_description:"The fieldValidation of the step that did it."`
	// Generation and ClaimedBy are what the object's own books say of the value.
	Generation term.Generation `json:"generation,omitempty" jsonschema_description:"unmoved: the spec is served with another value, and metadata.generation is what it was."`
	ClaimedBy  []string        `json:"claimedBy,omitempty" jsonschema_description:"A manager that managedFields name as an owner of the value, which is gone."`
	// Count is how many findings match. Default: any number but none.
	Count int `json:"count,omitempty" jsonschema:"minimum=1" jsonschema_description:"How many findings match; default any number but none."`
	// When are the pairs of releases that the line is for: for others it is as if it
	// were not there. Default nil: it is for all.
	When *When `json:"when,omitempty" jsonschema_description:"The pairs of releases that the line is for; for others it is as if it were not there. Default all."`
	// Owner is who has what is found mended, Until the last day, in UTC, on which a run
	// may begin that still finds it: YYYY-MM-DD. Why is the reason. Default none; a line
	// with a last day has an owner.
	Owner string `json:"owner,omitempty" jsonschema_description:"Who has what is found mended; needed where until is given."`
	Until string `json:"until,omitempty" jsonschema:"format=date" jsonschema_description:"The last day, in UTC, on which a run may begin that finds it; later the line has expired, and fails the run."`
	Why   string `json:"why,omitempty" jsonschema_description:"Why that is expected, for reports."`
	// Line is where the expectation stands in the scenario's file.
	Line int `json:"line,omitempty" jsonschema:"-"`
}

// OneOf is a list of words of which any one fits; empty, every word does. In JSON one
// word stands for a list of one, as in documents of the versions that knew no lists.
type OneOf[W ~string] []W

// MarshalJSON writes one word as itself.
func (o OneOf[W]) MarshalJSON() ([]byte, error) {
	if len(o) == 1 {
		return json.Marshal(o[0])
	}
	return json.Marshal([]W(o))
}

// UnmarshalJSON reads a list, or one word.
func (o *OneOf[W]) UnmarshalJSON(raw []byte) error {
	if !strings.HasPrefix(string(raw), `"`) {
		return json.Unmarshal(raw, (*[]W)(o))
	}
	*o = make(OneOf[W], 1)
	return json.Unmarshal(raw, &(*o)[0])
}

// Text is the words for a sentence: old|new.
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
