package act

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/run/observe"
)

// carryItems has the client's types decode the items of a LIST, and returns an error for
// the item that they cannot decode: such a client gets none of the items.
func (a *act) carryItems(ctx context.Context, answer client.Answer) (unread, err error) {
	var list struct{ Items []json.RawMessage }
	if !answer.Succeeded() || json.Unmarshal(answer.Body, &list) != nil {
		return nil, nil // not a list: its Listing says so
	}
	for _, raw := range list.Items {
		item, err := observe.DecodeObject(raw)
		if err != nil {
			return fmt.Errorf("an item is no object: %w", err), nil
		}
		if a.actor.Others(observe.Describe(item).Name) {
			continue
		}
		item["apiVersion"], item["kind"] = a.served.APIVersion, a.served.Kind // lists omit them
		body, err := json.Marshal(item)
		if err == nil {
			_, err = a.client.Types.Carry(ctx, body, term.JSON, term.JSON)
		}
		if _, unfit := a.skipped(err); unfit {
			return fmt.Errorf("item %s: %w", observe.Describe(item).Name, err), nil
		}
		if err != nil {
			return nil, err
		}
	}
	return nil, nil
}

// abridged returns a LIST's answer without its items, which the Listing beside it has one
// by one, unless the line declares what the answer shows.
func (a *act) abridged(answer client.Answer) client.Answer {
	var list map[string]json.RawMessage
	if a.step.Respond != nil && len(a.step.Respond.Fields) > 0 || !answer.Succeeded() || json.Unmarshal(answer.Body, &list) != nil {
		return answer
	}
	delete(list, "items")
	if head, err := json.Marshal(list); err == nil {
		answer.Body = head
	}
	return answer
}
