package act

import (
	"context"
	"errors"
	"maps"
	"net/http"
	"slices"

	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// probe finds out, after a 5xx to a write of a copy that uses the change, whether the same
// release answers any unknown field so: it sends the same request as a dry run, with an
// invented field instead of the change.
func (a *act) probe(ctx context.Context, answer client.Answer) error {
	if answer.Code < http.StatusInternalServerError || len(a.sent.body.Bytes) == 0 || !a.usesChange() || a.step.Verb.PostsPart() {
		return nil
	}
	base, err := a.plainBase()
	if err != nil {
		return err
	}
	body, err := a.client.MadeUp(ctx, a.step, a.sent.body.ContentType, base, a.declares)
	if _, unfit := a.skipped(err); unfit {
		return nil // then the invented field was not sent, and the 5xx counts
	}
	if err != nil {
		return err
	}
	c := a.sent
	c.purpose, c.body, c.query = history.Probe, body, maps.Clone(c.query)
	c.query["dryRun"] = "All"
	_, err = a.send(ctx, c)
	return errors.Join(err, context.Cause(ctx))
}

// usesChange reports whether the copy is of the treated form, not of the file of its
// object's bystanders, or whether the step names a field that the release it goes through
// does not know.
func (a *act) usesChange() bool {
	return a.copy.Manifest != a.bystander().Manifest || a.step.Change != nil &&
		slices.ContainsFunc(a.step.Change.Names, func(name string) bool {
			p, err := path.Parse(name)
			return err == nil && !a.declares(p)
		})
}

// bystander returns a copy of the same object that does not use the change; the zero value
// if the object has no such form.
func (a *act) bystander() plan.Copy {
	all := a.actor.Known.Plan.Copies
	i := slices.IndexFunc(all, func(c plan.Copy) bool {
		return c.Object == a.copy.Object && (c.Role == term.Bystander || c.Role == term.Control)
	})
	if i < 0 {
		return plan.Copy{}
	}
	return all[i]
}

// plainBase returns the object that the invented field is added to: the copy in the
// bystander form, at the revision that was to be replaced. If the object has no such form,
// it returns the copy's own without the fields that the release does not know.
func (a *act) plainBase() (map[string]any, error) {
	var sent map[string]any
	if a.step.Part() == term.ScalePart {
		err := utiljson.Unmarshal(a.sent.body.JSON, &sent)
		return sent, err
	}
	form := a.copy
	if plain := a.bystander(); plain.Manifest != "" {
		form.Manifest = plain.Manifest
	}
	base := a.specimen(form)
	if kind, ok := a.actor.Known.ByRole[a.via.Role].Schema.Kind(a.apiVersion(), a.manifest.Kind); ok {
		base, _ = kind.Prune(base)
	}
	if a.sent.method != http.MethodPut {
		return base, nil
	}
	if err := utiljson.Unmarshal(a.sent.body.JSON, &sent); err != nil {
		return nil, err
	}
	was, _ := sent["metadata"].(map[string]any)
	if meta, ok := base["metadata"].(map[string]any); ok && was["resourceVersion"] != nil {
		meta["resourceVersion"] = was["resourceVersion"]
	}
	return base, nil
}
