package session

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/sim/preflight"
	"github.com/skewsim/skewsim/sim/preflight/reading"
)

// ranges finds that the flags of the user's servers name another range of Services than the object by which
// releases that serve ServiceCIDRs assign addresses. What the first release shows already is the baseline.
func (h *hop) ranges(t taken) error {
	flag := h.request.Options.ServiceIPRange
	if flag == "" {
		return nil
	}
	return reading.Each(t.file, func(r *reading.Record) error {
		if r.Kind != "ServiceCIDR" || r.Name != "kubernetes" || !r.Decodes() || agrees(r, flag) {
			return nil
		}
		seen := h.seen(t, r)
		if t.phase == preflight.PhaseBaseline {
			h.judged.AddBaseline(preflight.OtherRange(seen, h.direction()))
		} else if f := preflight.OtherRange(seen, preflight.Up); !h.judged.Already(f) {
			h.judged.Add(f)
		}
		return nil
	})
}

// agrees reports whether a ServiceCIDR has the first range of a flag, to which servers add the second one.
func agrees(r *reading.Record, flag string) bool {
	var object struct{ Spec struct{ CIDRs []string } }
	if json.Unmarshal(r.Object, &object) != nil || len(object.Spec.CIDRs) == 0 {
		return true
	}
	ranges := strings.Split(flag, ",")
	for i := range ranges {
		ranges[i] = strings.TrimSpace(ranges[i])
	}
	return slices.Equal(object.Spec.CIDRs, ranges) || len(object.Spec.CIDRs) == 1 && object.Spec.CIDRs[0] == ranges[0]
}
