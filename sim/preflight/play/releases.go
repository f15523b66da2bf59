package play

import (
	"fmt"
	"strings"

	goversion "github.com/hashicorp/go-version"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
)

// Releases returns the releases from one to another, each minor release between them included, as
// Kubernetes is upgraded. A release is a version, v1.36, or a reference to any build of a
// kube-apiserver; between such builds there is one step.
func Releases(from, to string) ([]servers.Reference, error) {
	first, second, versions := version(from), version(to), true
	if first == nil || second == nil {
		versions = false
	}
	names := []string{from, to}
	if versions {
		a, b := first.Segments(), second.Segments()
		if a[0] != b[0] || b[1] <= a[1] {
			return nil, fault.ByUser(fault.Optionf("{from} %s, {to} %s: name the older release with {from} and a later minor release with {to}; for the way back alone add {rollback} and name the release that runs now with {from}", from, to))
		}
		names = []string{from}
		for minor := a[1] + 1; minor < b[1]; minor++ {
			names = append(names, fmt.Sprintf("v%d.%d", a[0], minor))
		}
		names = append(names, to)
	}
	var all []servers.Reference
	for _, name := range names {
		ref, err := Reference(name)
		if err != nil {
			return nil, err
		}
		all = append(all, ref)
	}
	return all, nil
}

// Reference returns the build that a release names: a version is one of kube-apiserver.
func Reference(name string) (servers.Reference, error) {
	if version(name) != nil {
		name = "kube-apiserver@v" + strings.TrimPrefix(name, "v")
	}
	ref, err := servers.ParseReference(name)
	return ref, fault.ByUser(err)
}

// version returns a plain version, v1.36 or v1.36.3; nil for anything else.
func version(text string) *goversion.Version {
	if strings.ContainsAny(text, "@:") {
		return nil
	}
	v, err := goversion.NewVersion(text)
	if err != nil || len(strings.Split(text, ".")) < 2 {
		return nil
	}
	return v
}

// Minor returns the minor release of what a server or snapshot says of its version: v1.36 of
// v1.36.1-eks-abc; "" if that is no version.
func Minor(said string) string {
	v, err := goversion.NewVersion(said)
	if err != nil {
		return ""
	}
	return fmt.Sprintf("v%d.%d", v.Segments()[0], v.Segments()[1])
}
