package preflight

import (
	"fmt"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
)

// ThresholdOf returns the write that a difference permits and that the older release cannot read
// or keep; false for differences that permit none at the default settings of the newer release.
func ThresholdOf(d diff.Difference) (Threshold, bool) {
	gate := ""
	for _, g := range d.Gates {
		if g.New == nil || !g.New.Default {
			return Threshold{}, false
		}
		gate = g.Name
	}
	t := Threshold{Kind: d.Kind, Path: d.Path, Gate: gate}
	switch d.Difference {
	case term.FieldAdded:
		t.What = fmt.Sprintf("someone sets %s of a %s", d.Path, d.Kind)
	case term.EnumValueAdded:
		t.What = fmt.Sprintf("someone sets %s of a %s to %s", d.Path, d.Kind, d.Name)
	case term.StorageChanged:
		t.What = fmt.Sprintf("a server writes a %s, which is stored as %s then", d.Kind, d.New)
	case term.GateChanged: // of a gate that no field names, nothing says that what it does is stored
		if len(d.Places) == 0 || len(d.Gates) != 1 || d.Gates[0].Old != nil && d.Gates[0].Old.Default {
			return Threshold{}, false
		}
		t.Kind, t.Path = d.Places[0].Kind, d.Places[0].Path
		t.What = fmt.Sprintf("someone sets %s of a %s", t.Path, t.Kind)
	default:
		return Threshold{}, false
	}
	return t, true
}
