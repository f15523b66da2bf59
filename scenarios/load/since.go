package load

import (
	"github.com/hashicorp/go-version"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/strict"
)

// since checks the constraint on the releases that can create the object.
func (v objectChecks) since(at string, o scenarios.Object) {
	if !v.given(at) {
		return
	}
	if _, err := version.NewConstraint(o.Since); err != nil || o.Since == "" {
		v.fail(at, `%s is not a constraint such as ">= 1.13" or ">= 1.20, < 1.21"`, strict.Quote(o.Since))
	}
}
