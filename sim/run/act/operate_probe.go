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

// probe asks, after a 5xx to a write of a copy that uses the change, whether the
// same release answers so to any unknown field: the same request as a dry run,
// with a made-up field in place of the change.
func (a *act) probe(ctx context.Context, answer client.Answer) error {
	if answer.Code < http.StatusInternalServerError || len(a.sent.body.Bytes) == 0 || !a.usesChange() || a.step.Verb == term.Post {
		return nil
	}
	base, err := a.plainBase()
	if err != nil {
		return err
	}
	body, err := a.client.MadeUp(ctx, a.step, a.sent.body.ContentType, base, a.declares)
	if _, unfit := a.skipped(err); unfit {
		return nil // then nothing is said of made-up fields, and the 5xx counts
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

// usesChange reports whether the copy is of the form that uses the change, not of
// the file that its object's bystanders are of; or whether the step names what
// the release that it goes through does not know.
func (a *act) usesChange() bool {
	return a.copy.Manifest != a.bystander().Manifest || a.step.Mutation != nil &&
		slices.ContainsFunc(a.step.Mutation.Names, func(name string) bool {
			p, err := path.Parse(name)
			return err == nil && !a.declares(p)
		})
}

// bystander is a copy of the same object that does not use the change; the zero
// value, when it has no such form.
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

// plainBase is what the made-up field is added to: the copy in the form that
// does not use the change, at the revision that was to be replaced. Where the
// object has no such form, it is what the release knows of the copy's own.
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
