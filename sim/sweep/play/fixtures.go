package play

import (
	"cmp"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers/examples"
	"github.com/skewsim/skewsim/sim/published"
)

// Fixture is one value as a release stores it.
type Fixture struct {
	// APIVersion and Kind are the stored version; Group and Plural are the resource.
	APIVersion, Kind string
	Group, Plural    string
	Namespaced       bool
	Key              string // of the store, with its prefix
	Encoding         term.Encoding
	Value            []byte
}

// Fixtures returns the serialized objects of a release under the keys where it stores them, in
// both encodings, and the resources that have a key and no serialized object.
func Fixtures(stubs examples.Stubs, serialized map[string]examples.Serialized, resources []published.Resource) (all []Fixture, without []string) {
	seen := map[string]bool{}
	for _, r := range resources {
		stub, has := stubs[r.APIVersion+"/"+r.Plural]
		group, _ := split(r.APIVersion)
		if id := group + "/" + r.Plural; !has || stub.Path == "" || seen[id] {
			continue
		} else {
			seen[id] = true
		}
		stored := cmp.Or(stub.StoredAs, r.APIVersion+" "+r.Kind)
		bytes, has := serialized[stored]
		if !has {
			without = append(without, stored)
			continue
		}
		apiVersion, kind, _ := strings.Cut(stored, " ")
		f := Fixture{APIVersion: apiVersion, Kind: kind, Group: group, Plural: r.Plural, Namespaced: r.Namespaced, Key: stub.Path}
		f.Encoding, f.Value = term.Protobuf, bytes.Protobuf
		all = append(all, f)
		f.Encoding, f.Value = term.JSON, bytes.JSON
		all = append(all, f)
	}
	slices.Sort(without)
	return all, without
}

// split returns the group, "" for the core group, and the version.
func split(apiVersion string) (group, version string) {
	if group, version, grouped := strings.Cut(apiVersion, "/"); grouped {
		return group, version
	}
	return "", apiVersion
}

// served returns the versions in which a release serves the resource of a fixture.
func (f Fixture) served(resources []published.Resource) (all []string) {
	for _, r := range resources {
		if group, _ := split(r.APIVersion); group == f.Group && r.Plural == f.Plural && slices.Contains(r.Verbs, "get") {
			all = append(all, r.APIVersion)
		}
	}
	return all
}

// name returns the namespace and the name in the fixture's key.
func (f Fixture) name() (namespace, name string) {
	parts := strings.Split(f.Key, "/")
	if name = parts[len(parts)-1]; f.Namespaced && len(parts) > 1 {
		namespace = parts[len(parts)-2]
	}
	return namespace, name
}
