package train

import (
	"encoding/json"
	"fmt"

	"github.com/skewsim/skewsim/servers/frobber/release"
)

func policyMutants() mutants { return mutants{"closed": policyClosed} }

// ClosedPolicy is an enum as generators of clients make it from a list of values:
// what is not on the list cannot even be read.
type ClosedPolicy string

// UnmarshalJSON refuses what the type does not know.
func (p *ClosedPolicy) UnmarshalJSON(text []byte) error {
	var value string
	if err := json.Unmarshal(text, &value); err != nil {
		return err
	}
	switch value {
	case "", Always, Never, Sometimes:
		*p = ClosedPolicy(value)
		return nil
	}
	return fmt.Errorf("unknown restartPolicy %q", value)
}

// ClosedField is the enum for readers that know what they know.
type ClosedField struct {
	RestartPolicy ClosedPolicy `json:"restartPolicy,omitempty" protobuf:"bytes,10,opt,name=restartPolicy" doc:"restartPolicy may be set to Always, Never or Sometimes; default Always." default:"\"Always\""`
}

// The specs of 1.8+closed.
type (
	ClosedV6 struct {
		InchesV6    `json:",inline"`
		ClosedField `json:",inline"`
	}
	ClosedV5 struct {
		InchesV5    `json:",inline"`
		ClosedField `json:",inline"`
	}
	ClosedV7beta1 struct {
		InchesV7beta1 `json:",inline"`
		ClosedField   `json:",inline"`
	}
)

// policyClosed does not say that values may be added, and whoever is built on its
// types fails on one that was. "New enum value in existing field": "If this was
// not done in the first release containing the enum field, it is not safe to add
// new values that can break existing clients" (rule 5).
func policyClosed(r *release.Release) {
	policy(r)
	serveAll[ClosedV6, ClosedV5, ClosedV7beta1](r)
	part(r, release.PartOf(release.Hooks[ClosedField]{Default: func(f *ClosedField) { f.RestartPolicy = orAlways(f.RestartPolicy) }}))
}
