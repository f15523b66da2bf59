package plan

import utiljson "k8s.io/apimachinery/pkg/util/json"

// UnmarshalJSON reads a plan as it was written: integers inside manifests,
// fields and bodies stay integers of all their digits, which encoding/json's
// floats would round.
func (p *Plan) UnmarshalJSON(raw []byte) error {
	type plain Plan // without this method
	return utiljson.Unmarshal(raw, (*plain)(p))
}
