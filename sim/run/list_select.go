package run

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
)

// listSelected LISTs by what fields say. Before that it LISTs all in the same
// version, and asks for the very revision of that answer, so that what must be
// selected can be told whatever else goes on.
func (w *walker) listSelected(ctx context.Context, a *act) (client.Answer, error) {
	l := lister{w: w, step: a.step.Number, r: a.via, served: a.served, beside: true}
	all, _, err := l.list(ctx, term.ConsistentList, 0)
	if err != nil {
		return all, err
	}
	var head listHead
	if all.Succeeded() && json.Unmarshal(all.Body, &head) == nil {
		l.at = revision(head.Metadata.ResourceVersion)
	}
	l.selector = a.step.FieldSelector
	answer, _, err := l.list(ctx, term.ConsistentList, 0)
	return answer, err
}

// selecting adds to a LIST's query what it selects by.
func (l lister) selecting(query map[string]string) map[string]string {
	if l.selector != "" {
		query["fieldSelector"] = l.selector
	}
	if l.at > 0 {
		query["resourceVersion"], query["resourceVersionMatch"] = strconv.FormatInt(l.at, 10), "Exact"
	}
	return query
}

// read reads an answer. Those of LISTs by fields are few, and not kept.
func (l lister) read(body []byte) (page, error) {
	if !l.beside {
		return l.w.page(body, l.r.role, l.served)
	}
	var answer struct {
		listHead
		Items json.RawMessage
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return page{}, err
	}
	items, all, err := l.w.items(answer.Items, l.served, l.w.anyVersion)
	return page{items: items, all: all}.under(answer.listHead), err
}

// anyVersion tells whether an object is a copy of the run's, in whatever version
// it is shown.
func (w *walker) anyVersion(name string, as history.Resource) bool {
	c, known := w.copies[name]
	return known && w.config.Plan.Manifests[c.Manifest].Kind == as.Kind
}
