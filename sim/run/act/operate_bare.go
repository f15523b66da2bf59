package act

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"net/http"
	"slices"
	"strings"

	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// createBare finds out, after a success that still shows a value that the step removed,
// whether the server sets the value as a default: it creates the copy without the value, as
// a dry run. A default appears in that answer, and so the server did not restore the value
// from the object.
func (a *act) createBare(ctx context.Context, answer client.Answer) error {
	left := a.notRemoved(answer)
	if len(left) == 0 {
		return nil
	}
	object := a.specimen(a.copy)
	for _, p := range left {
		path.Remove(object, p)
		removeNamesakes(object, p)
	}
	if meta, ok := object["metadata"].(map[string]any); ok && meta["name"] != nil {
		delete(meta, "name")
		meta["generateName"] = "bare-"
	}
	raw, err := json.Marshal(object)
	if err != nil {
		return err
	}
	_, err = a.send(ctx, call{
		to: a.via, purpose: history.Bare, method: http.MethodPost, path: a.resource.Collection(), query: map[string]string{"dryRun": "All"},
		body: client.Body{ContentType: client.JSONContent, Bytes: raw, JSON: raw},
	})
	return errors.Join(err, context.Cause(ctx))
}

// notRemoved returns the paths that the step removes from the object, and that its answer
// still shows. A status has no defaults, and a scale is not the object.
func (a *act) notRemoved(answer client.Answer) (left []fieldpath.Path) {
	var object map[string]any
	apart := slices.Contains([]string{term.StatusPart, term.ScalePart}, a.step.Part())
	changes := a.step.Change != nil && a.step.Verb.Modifies() && !apart && a.apiVersion() == a.manifest.APIVersion
	if !changes || a.step.Birth || a.step.Verb.SendsOtherKind() || !answer.Succeeded() || utiljson.Unmarshal(answer.Body, &object) != nil {
		return nil
	}
	for _, p := range removes(*a.step.Change) {
		if _, shown := path.Get(object, p); shown {
			left = append(left, p)
		}
	}
	return left
}

// removeNamesakes removes the members beside a path whose name is a prefix of the path's
// last name, or has it as a prefix: a server derives a singular field and its plural from
// each other.
func removeNamesakes(object map[string]any, p fieldpath.Path) {
	last := p[len(p)-1].FieldName
	var parent any = object
	if len(p) > 1 {
		parent, _ = path.Get(object, p[:len(p)-1])
	}
	fields, ok := parent.(map[string]any)
	if last == nil || !ok {
		return
	}
	maps.DeleteFunc(fields, func(name string, _ any) bool {
		return strings.HasPrefix(name, *last) || strings.HasPrefix(*last, name)
	})
}

// removes returns the paths that a change names without a value.
func removes(m plan.Change) (all []fieldpath.Path) {
	for _, name := range m.Names {
		p, err := path.Parse(name)
		if err != nil || len(p) == 0 {
			continue
		}
		body, isObject := m.Body.(map[string]any)
		value := m.Fields[name]
		if isObject {
			value, _ = path.Get(body, p)
		}
		if _, isPatch := m.Body.([]any); value == nil && (isObject || isPatch || m.Kind == plan.Fields) {
			all = append(all, p)
		}
	}
	return all
}
