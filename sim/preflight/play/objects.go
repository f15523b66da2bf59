package play

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/google/uuid"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/skewsim/skewsim/servers/cluster"
	"github.com/skewsim/skewsim/servers/examples"
	"github.com/skewsim/skewsim/servers/snapshot"
	"github.com/skewsim/skewsim/sim/preflight"
	"github.com/skewsim/skewsim/sim/published"
)

// Objects are the objects of a cluster as a source. The release that they come from has stored each of
// them, so none is created once more: it would be validated, and refused, as a new one is.
type Objects struct {
	cluster.Source
	// Stubs returns the storage keys in the source of the release that the objects come from; nil where
	// there is no source.
	Stubs           func(ctx context.Context) (examples.Stubs, error)
	Release, Stated string
}

// kind is where objects of a kind are stored.
type kind struct {
	prefix     string // of the key, after the root
	namespaced bool
	// versions are those in which the release serves the kind: no client can create the object in
	// another one. nil: all, of a kind that the source itself defines.
	versions map[string]bool
}

// Fill puts every object into the copy, as JSON, which servers decode as they decode protobuf.
func (o Objects) Fill(ctx context.Context, c Copy) (Taken, error) {
	b := batch{put: c.Put, by: c.Programs, taken: Taken{Source: preflight.Source{Kind: preflight.Cluster, Release: o.Release, Stated: o.Stated}}}
	stubs, err := o.Stubs(ctx)
	if err != nil {
		return b.taken, err
	}
	kinds := kindsOfStubs(c.Release, stubs)
	unknown, spaces := map[string]int{}, spaces{}
	coverage, err := o.Each(ctx, func(object cluster.Object) error {
		for name, k := range defined(object) {
			kinds[name] = k
		}
		k, known := kinds[object.Group()+" "+object.Kind]
		if !known || k.versions != nil && !k.versions[object.APIVersion] {
			unknown[unserved(object, c.Release.Version)]++
			return nil
		}
		value, at, err := k.stored(object)
		if err != nil { // what it says may quote a value
			unknown[object.String()+": its metadata are none that a server stores"]++
			return nil
		}
		spaces.note(object, at)
		return b.add(ctx, root+"/"+at, value)
	})
	b.taken.Beside = spaces.missing()
	if err == nil {
		err = b.flush(ctx)
	}
	b.taken.cover(coverage)
	b.taken.leave(unknown)
	slices.Sort(b.taken.Skipped)
	return b.taken, err
}

// cover notes what a source does not show.
func (t *Taken) cover(c cluster.Coverage) {
	t.CannotSee = c.Limits
	for _, s := range c.Skipped {
		if t.Skipped = append(t.Skipped, s.String()); s.Lacks {
			t.NotRead = append(t.NotRead, s.What)
		}
	}
}

// unserved says why objects of a kind are not taken.
func unserved(o cluster.Object, version string) string {
	return fmt.Sprintf("%s %s: %s does not serve the kind", o.APIVersion, o.Kind, version)
}

// notStored is why an object is not taken that no server stores either.
const notStored = "is not an object that clients store"

// leave notes how many objects are not taken, by what says why.
func (t *Taken) leave(why map[string]int) {
	for _, text := range slices.Sorted(maps.Keys(why)) {
		n := why[text]
		if what, reason, _ := strings.Cut(text, ": "); reason != notStored {
			t.NotRead = append(t.NotRead, what)
		}
		t.NotTaken += n
		t.Skipped = append(t.Skipped, fmt.Sprintf("%s: %d not judged", text, n))
	}
}

// kindsOfStubs returns where a release stores each kind that it serves, by group and kind.
func kindsOfStubs(r published.Release, stubs examples.Stubs) map[string]kind {
	all := map[string]kind{}
	for _, resource := range r.Resources {
		group := cluster.Object{APIVersion: resource.APIVersion}.Group()
		k := kind{prefix: snapshot.Below(resource.Plural), namespaced: resource.Namespaced} // without a stub
		if definitions(group) {
			k.prefix = group + "/" + resource.Plural
		}
		if stub, has := stubs[resource.APIVersion+"/"+resource.Plural]; has && stub.Path != "" {
			parts := strings.Split(strings.TrimPrefix(stub.Path, root+"/"), "/")
			if k.prefix = strings.Join(parts[:len(parts)-1], "/"); k.namespaced && len(parts) > 2 {
				k.prefix = strings.Join(parts[:len(parts)-2], "/")
			}
		}
		name := group + " " + resource.Kind
		if k.versions = all[name].versions; k.versions == nil {
			k.versions = map[string]bool{}
		}
		k.versions[resource.APIVersion] = true
		all[name] = k
	}
	return all
}

// definitions reports whether a group is one whose keys begin with the group, although it is
// Kubernetes' own.
func definitions(group string) bool {
	return group == "apiextensions.k8s.io" || group == "apiregistration.k8s.io"
}

// defined returns the kinds that a definition of custom resources defines.
func defined(o cluster.Object) map[string]kind {
	if cluster.Rank(o.Group(), o.Kind) != cluster.Definitions {
		return nil
	}
	var d struct {
		Spec struct {
			Group, Scope string
			Names        struct{ Kind, Plural string }
		}
	}
	if json.Unmarshal(o.Body, &d) != nil {
		return nil
	}
	return map[string]kind{d.Spec.Group + " " + d.Spec.Names.Kind: {prefix: d.Spec.Group + "/" + d.Spec.Names.Plural, namespaced: d.Spec.Scope == "Namespaced"}}
}

// stored returns an object as it is stored, and its key after the root.
func (k kind) stored(o cluster.Object) (value []byte, key string, err error) {
	key = k.prefix + "/" + o.Name
	added := map[string]any{}
	if k.namespaced {
		namespace := cmp.Or(o.Namespace, unnamed)
		key, added["namespace"] = k.prefix+"/"+namespace+"/"+o.Name, namespace
	}
	var whole map[string]json.RawMessage // a struct would take Metadata for metadata
	if err := json.Unmarshal(o.Body, &whole); err != nil {
		return nil, "", err
	}
	created, err := creation(whole["metadata"], key)
	if err != nil {
		return nil, "", err
	}
	maps.Copy(added, created)
	metadata, err := cluster.With(whole["metadata"], added)
	if err == nil {
		value, err = cluster.With(o.Body, map[string]any{"metadata": metadata})
	}
	return value, key, err
}

// creation returns what the server that creates an object adds to its metadata, as far as metadata
// lack it: manifests do. Servers answer each patch of an object without a UID with 404.
func creation(metadata json.RawMessage, key string) (map[string]any, error) {
	var has metav1.ObjectMeta
	if err := json.Unmarshal(metadata, &has); err != nil {
		return nil, err
	}
	added := map[string]any{}
	if has.UID == "" {
		added["uid"] = uidOf(key)
	}
	if has.CreationTimestamp.IsZero() {
		added["creationTimestamp"] = createdAt
	}
	return added, nil
}

// uidOf returns the UID of an object whose source does not say it. It depends on the key alone, so that
// two preflights of the same files store the same bytes.
func uidOf(key string) string { return uuid.NewSHA1(uuid.NameSpaceURL, []byte(key)).String() }

// createdAt is when objects were created whose source does not say it.
const createdAt = "2026-01-01T00:00:00Z"

// unnamed is the namespace of what names none.
const unnamed = "default"

// spaces are namespaces that objects are in; true for those that the source has.
type spaces map[string]bool

// note notes the namespace of an object, by its key after the root.
func (s spaces) note(o cluster.Object, at string) {
	if o.Group() == "" && o.Kind == "Namespace" {
		s[o.Name] = true
	}
	if _, noted := s[o.Namespace]; !noted && o.Namespace != "" && strings.HasSuffix(at, "/"+o.Namespace+"/"+o.Name) {
		s[o.Namespace] = false
	}
}

// missing returns the namespaces that the source does not have: servers refuse every write of an
// object whose namespace does not exist.
func (s spaces) missing() map[string][]byte {
	all := map[string][]byte{}
	for name, has := range s {
		if !has && name != unnamed { // servers make that one
			quoted, _ := json.Marshal(name) // a text always can
			key := root + "/namespaces/" + name
			all[key] = fmt.Appendf(nil, `{"apiVersion":"v1","kind":"Namespace","metadata":{"name":%[1]s,"uid":%[2]q,"creationTimestamp":%[3]q,"labels":{"kubernetes.io/metadata.name":%[1]s}},"spec":{"finalizers":["kubernetes"]},"status":{"phase":"Active"}}`,
				quoted, uidOf(key), createdAt)
		}
	}
	return all
}
