package observe

import (
	"context"
	"encoding/json"
	"strconv"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/run/fleet"
)

// ListSelected LISTs by field selectors. Before that it LISTs all objects in the same
// version, and then asks for the same revision, so that the expected selection is known
// whatever else changes.
func (ls *Lists) ListSelected(ctx context.Context, step plan.Step, via *fleet.Replica, served history.Resource) (client.Answer, error) {
	l := ls.Through(step.Number, via, served)
	l.beside = true
	all, _, err := l.list(ctx, term.ConsistentList, 0)
	if err != nil {
		return all, err
	}
	var head listHead
	if all.Succeeded() && json.Unmarshal(all.Body, &head) == nil {
		l.at = Revision(head.Metadata.ResourceVersion)
	}
	l.selector = step.FieldSelector
	answer, _, err := l.list(ctx, term.ConsistentList, 0)
	return answer, err
}

// selecting adds the selectors to a LIST's query.
func (l Lister) selecting(query map[string]string) map[string]string {
	if l.selector != "" {
		query["fieldSelector"] = l.selector
	}
	if l.at > 0 {
		query["resourceVersion"], query["resourceVersionMatch"] = strconv.FormatInt(l.at, 10), "Exact"
	}
	return query
}

// read reads an answer. Answers of LISTs by fields are few, and not cached.
func (l Lister) read(body []byte) (page, error) {
	if !l.beside {
		return l.all.page(body, l.r.Role, l.served)
	}
	var answer struct {
		listHead
		Items []json.RawMessage
	}
	if err := json.Unmarshal(body, &answer); err != nil {
		return page{}, err
	}
	items, err := l.all.items(answer.Items, l.served, l.all.known.AnyVersion)
	return page{Items: items, all: len(answer.Items)}.under(answer.listHead), err
}
