package play

import (
	"context"
	"encoding/json"
	"slices"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/preflight"
)

// thresholds finds the writes that there is no clean way back from, in what the releases publish.
func (h *hop) thresholds(ctx context.Context) error {
	usedIn := func(string) []string { return nil } // without a source
	for role, b := range h.builds {
		facts, missing, err := h.Facts.Of(ctx, b)
		if err != nil {
			return err
		}
		r := h.published[role]
		if r.Missing = append(r.Missing, missing...); facts != nil {
			if r.Facts, err = json.Marshal(facts); err != nil {
				return err
			}
		}
		if h.published[role] = r; role == term.New && facts != nil {
			usedIn = func(gate string) []string { return facts.Gates[gate].UsedIn }
		}
	}
	compared, err := diff.Compare(h.published[term.Old], h.published[term.New])
	if err != nil {
		return err
	}
	kinds := map[string]bool{} // that are stored
	for _, r := range h.published[term.New].Resources {
		kinds[r.Kind] = kinds[r.Kind] || slices.Contains(r.Verbs, "list") && slices.Contains(r.Verbs, "create")
	}
	for _, d := range compared.Differences {
		for _, t := range preflight.ThresholdsOf(d) {
			if kinds[t.Kind] {
				h.standing.writes = preflight.Join(h.standing.writes, t)
			}
		}
	}
	h.result.Gates = preflight.UnnamedGates(compared.Differences, h.standing.writes, usedIn)
	return nil
}
