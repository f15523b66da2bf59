package published

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/crd/definition"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/client"
)

// asksAtOnce is how many requests are sent at once.
const asksAtOnce = 8

// Ask asks a running server of a build for what it publishes: discovery, OpenAPI v3, and its
// gates.
func Ask(ctx context.Context, conn *client.Connection, b servers.Build) (Release, error) {
	r := Release{Name: b.Reference, Component: b.Component, Documents: map[string][]byte{}}
	said, err := client.Version(ctx, conn)
	if err != nil {
		return r, err
	}
	r.Version = b.VersionOf(said)
	versions, err := r.askVersions(ctx, conn, b)
	if err != nil {
		return r, err
	}
	if err := r.askEach(ctx, conn, versions); err != nil {
		return r, err
	}
	r.keepDefined(b)
	r.resolveStorage()
	return r, nil
}

// askVersions asks for the gates and the preferred versions, and returns the group versions of
// the build. For a server behind another one, the gates and all other versions are those of the
// server in front.
func (r *Release) askVersions(ctx context.Context, conn *client.Connection, b servers.Build) (versions []string, err error) {
	if r.Preferred, err = client.PreferredVersions(ctx, conn); err != nil {
		return nil, err
	}
	if b.Aggregated != nil {
		versions, err := client.PassedOn(ctx, conn)
		maps.DeleteFunc(r.Preferred, func(group, _ string) bool {
			return !slices.ContainsFunc(versions, func(gv string) bool { return groupOf(gv) == group })
		})
		return versions, err
	}
	features, err := client.Features(ctx, conn)
	if err != nil {
		return nil, err
	}
	if b.Installs == nil && len(features) > 0 {
		r.Features = map[string]Feature{}
		for _, f := range features {
			r.Features[f.Name] = Feature{Stage: f.Stage, On: f.On}
		}
	}
	return client.GroupVersions(ctx, conn)
}

// askEach asks for the resources and the document of each group version.
func (r *Release) askEach(ctx context.Context, conn *client.Connection, versions []string) error {
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(asksAtOnce)
	for _, gv := range versions {
		group.Go(func() error {
			return fault.Guard(func() error {
				served, err := client.List(ctx, conn, gv)
				if err != nil {
					return err
				}
				document, err := client.OpenAPI(ctx, conn, gv)
				if err != nil {
					return err
				}
				mu.Lock()
				defer mu.Unlock()
				r.add(gv, served, document)
				return nil
			})
		})
	}
	if err := group.Wait(); err != nil {
		return err
	}
	r.sort()
	return nil
}

func (r *Release) add(gv string, served []client.Listed, document []byte) {
	for _, d := range served {
		r.Resources = append(r.Resources, Resource{
			APIVersion: d.APIVersion, Kind: d.Kind, Plural: d.Plural, Namespaced: d.Namespaced, ShortNames: d.ShortNames, Categories: d.Categories,
			Verbs: d.Verbs, Subresources: d.Subresources, StorageVersionHash: d.StorageVersionHash,
		})
	}
	if document != nil {
		r.Documents[gv] = document
	} else if len(served) > 0 {
		r.Missing = append(r.Missing, fmt.Sprintf("%s: publishes no OpenAPI v3 of %s", r.Name, gv))
	}
}

// sort orders what was asked at once.
func (r *Release) sort() {
	slices.SortFunc(r.Resources, func(a, b Resource) int { return strings.Compare(a.place(), b.place()) })
	slices.Sort(r.Missing)
}

func (r Resource) place() string { return r.APIVersion + " " + r.Plural }

// group returns the API group of a resource; "" for the core group.
func (r Resource) group() string { return groupOf(r.APIVersion) }

func groupOf(apiVersion string) string {
	if group, _, is := strings.Cut(apiVersion, "/"); is {
		return group
	}
	return ""
}

func versionOf(apiVersion string) string {
	return apiVersion[strings.LastIndex(apiVersion, "/")+1:]
}

// keepDefined drops what belongs to the server that manifests are installed on, and adds what servers do not
// say of a definition.
func (r *Release) keepDefined(b servers.Build) {
	if b.Installs == nil {
		return
	}
	groups := map[string]bool{}
	for _, name := range b.Installs.Defines {
		_, group, _ := strings.Cut(name, ".")
		groups[group] = true
	}
	r.Resources = slices.DeleteFunc(r.Resources, func(x Resource) bool {
		return !slices.Contains(b.Installs.Defines, x.Plural+"."+x.group())
	})
	for i, object := range b.Installs.Objects {
		for _, v := range definition.Versions(object) {
			for n, x := range r.Resources {
				if x.Plural+"."+x.group() == b.Installs.Defines[i] && versionOf(x.APIVersion) == v.Version {
					r.Resources[n].addDefined(v)
				}
			}
		}
	}
	maps.DeleteFunc(r.Documents, func(gv string, _ []byte) bool { return !groups[groupOf(gv)] })
	maps.DeleteFunc(r.Preferred, func(group, _ string) bool { return !groups[group] })
}

// addDefined adds what a definition says, and servers do not.
func (r *Resource) addDefined(v definition.Version) {
	r.Custom = true
	r.Conversion, r.Columns, r.Selectable = v.Conversion, v.Columns, v.Selectable
	r.Scale, r.Metadata, r.Unserved = v.Scale, v.Metadata, v.Unserved
	r.Singular, r.ListKind, r.Deprecated = v.Singular, v.ListKind, v.Deprecated
}

// resolveStorage names the storage versions, of which discovery has only a hash: that of one of
// the versions that the release serves, if any has it.
func (r *Release) resolveStorage() {
	versions := map[string][]string{} // by group and kind
	for _, x := range r.Resources {
		key := x.group() + " " + x.Kind
		versions[key] = append(versions[key], versionOf(x.APIVersion))
	}
	for i, x := range r.Resources {
		for _, v := range versions[x.group()+" "+x.Kind] {
			if x.StorageVersionHash != "" && x.StorageVersionHash == storageHash(x.group(), v, x.Kind) {
				r.Resources[i].StorageVersion = v
			}
		}
	}
}

// storageHash returns the hash by which discovery identifies a storage version.
func storageHash(group, version, kind string) string {
	sum := sha256.Sum256([]byte(group + "/" + version + "/" + kind))
	return base64.StdEncoding.EncodeToString(sum[:8])
}
