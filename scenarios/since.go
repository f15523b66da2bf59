package scenarios

import (
	"github.com/hashicorp/go-version"
)

// MadeBy tells whether a release can make the object: any, where it has no Since,
// and where nobody knows which release that is (""). Versions are held against the
// constraint by their core, so a twin makes what its release does. Errors: a
// constraint or a version that go-version cannot read.
func (o Object) MadeBy(release string) (bool, error) {
	if o.Since == "" || release == "" {
		return true, nil
	}
	return meets(release, o.Since, "since", "since")
}

// since checks the constraint on the releases that can make an object.
func (v *validator) since(at string, o Object) {
	if !v.given(at) {
		return
	}
	if _, err := version.NewConstraint(o.Since); err != nil || o.Since == "" {
		v.fail(at, `%s is not a constraint such as ">= 1.13" or ">= 1.20, < 1.21"`, quote(o.Since))
	}
}
