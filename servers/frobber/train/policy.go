package train

import "github.com/skewsim/skewsim/servers/frobber/release"

// PolicyField is to be written.
type PolicyField struct{}

// PolicyRest is what else an object has.
type PolicyRest struct {
	PlainFields `json:",inline"`
	ParamsField `json:",inline"`
	PolicyField `json:",inline"`
}

// PolicyV6 is still v6.
type PolicyV6 struct {
	V6         `json:",inline"`
	InchesSize `json:",inline"`
	ParamField `json:",inline"`
	PolicyRest `json:",inline"`
}

// PolicyV5 is still v5.
type PolicyV5 struct {
	V5         `json:",inline"`
	InchesSize `json:",inline"`
	ArgField   `json:",inline"`
	PolicyRest `json:",inline"`
}

// PolicyV7beta1 is still v7beta1.
type PolicyV7beta1 struct {
	V7beta1    `json:",inline"`
	Size       PolicySizeMember `json:"size" protobuf:"bytes,1,opt,name=size" doc:"size is how large the object is."`
	ParamField `json:",inline"`
	PolicyRest `json:",inline"`
}

// PolicySizeMember is the size as v7beta1 has it.
type PolicySizeMember struct {
	InchesSize `json:",inline"`
}

// OpenAPIModelName names the struct in what a server publishes.
func (PolicySizeMember) OpenAPIModelName() string { return Size{}.OpenAPIModelName() }

// policy is 1.8: restartPolicy, an enum that is documented to be open.
func policy(r *release.Release) {
	serve(r, release.Of[PolicyV6, Status](v6))
	serve(r, release.Of[PolicyV5, Status](v5))
	serve(r, release.Of[PolicyV7beta1, Status](v7beta1))
}

func policyTwins() twins { return nil }
