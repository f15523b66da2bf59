package client

import (
	"fmt"
	"slices"

	"k8s.io/apimachinery/pkg/types"

	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/schema"
	"github.com/skewsim/skewsim/sim/term"
)

// Types is whose types a client has: those a release publishes of a kind. The
// zero value, dynamic, has none and carries everything.
//
// They stand in for the real Go types and are labelled approximate wherever
// they are named: OpenAPI does not tell which empty values a type omits.
type Types struct {
	Kind  schema.Kind
	Typed bool
}

// Carry is the object as the client holds it between decoding and encoding:
// without what its types have no place for.
func (t Types) Carry(object map[string]any) map[string]any {
	if !t.Typed {
		return object
	}
	kept, _ := t.Kind.Prune(object)
	return kept
}

// expressible leaves out what the client's types have no place for: no program
// written against them can assign it.
func (t Types) expressible(all []plan.Assignment) []plan.Assignment {
	if !t.Typed {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(a plan.Assignment) bool { return !t.Kind.Declares(a.Path) })
}

// JSONContent is the content type of whole objects.
const JSONContent = "application/json"

// Replace is the body of the PUT in a GET-PUT: what was read, as the client
// carries it, mutated.
func Replace(step plan.Step, read map[string]any, with Types) ([]byte, error) {
	all, err := step.Assignments()
	if err != nil {
		return nil, err
	}
	changed, err := Apply(with.Carry(read), all)
	if err != nil {
		return nil, err
	}
	return encode(with.Carry(changed))
}

// New is the body of a POST.
func New(object map[string]any, with Types) ([]byte, error) {
	return encode(with.Carry(object))
}

// Patch is the body of a patch and its content type. Base is the manifest that
// the copy was created from, as the client carries it: a patch is sent without
// reading first. A body that the scenario gives is sent as it stands.
func Patch(step plan.Step, base map[string]any, with Types) (string, []byte, error) {
	content, err := patchContent(step.Verb)
	if err != nil {
		return "", nil, err
	}
	body, err := patchBody(step, with.Carry(base), with)
	if err != nil {
		return "", nil, err
	}
	raw, err := encode(body)
	return content, raw, err
}

func patchContent(verb term.Verb) (string, error) {
	switch verb {
	case term.JSONPatch:
		return string(types.JSONPatchType), nil
	case term.MergePatch, term.StatusPatch:
		return string(types.MergePatchType), nil
	case term.StrategicPatch:
		return string(types.StrategicMergePatchType), nil
	}
	return "", fmt.Errorf("%s is no patch", verb)
}

func patchBody(step plan.Step, base map[string]any, with Types) (any, error) {
	if step.Mutation.Kind == plan.Body {
		return step.Mutation.Body, nil
	}
	all, err := step.Assignments()
	if err != nil {
		return nil, err
	}
	all = with.expressible(all)
	switch step.Verb {
	case term.JSONPatch:
		return JSONPatch(base, all)
	case term.StrategicPatch:
		return StrategicPatch(all)
	}
	return MergePatch(base, all)
}
