package plan

import utiljson "k8s.io/apimachinery/pkg/util/json"

// UnmarshalJSON reads a plan without rounding: integers in manifests, fields and bodies keep
// all their digits, which encoding/json's floats would lose.
func (p *Plan) UnmarshalJSON(raw []byte) error {
	type plain Plan // a type without this method
	return utiljson.Unmarshal(raw, (*plain)(p))
}
