package plan

import (
	"crypto/sha256"
	"encoding/hex"
)

// maxName is the longest name that every kind allows.
const maxName = 63

// ObjectName is what a copy's object is called: by the copy's name in the plan's
// namespace. Where its kind has no namespace the scenario's name comes before it, or
// a sum of that where both would be too long, so that objects of two scenarios never
// meet. It ends in the copy's name.
func (p *Plan) ObjectName(name string, namespaced bool) string {
	if namespaced {
		return name
	}
	if whole := p.Scenario + "-" + name; len(whole) <= maxName {
		return whole
	}
	sum := sha256.Sum256([]byte(p.Scenario))
	return "s" + hex.EncodeToString(sum[:4]) + "-" + name
}
