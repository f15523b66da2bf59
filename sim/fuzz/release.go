package fuzz

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/objects"
	"github.com/skewsim/skewsim/sim/schema"
)

// Alpha are the release's gates of that stage.
func (r *Release) Alpha() []string {
	var all []string
	for _, f := range r.Features {
		if f.Stage == "ALPHA" && !r.Installed {
			all = append(all, f.Name)
		}
	}
	return all
}

// Release is what a running server of one release reports about the kinds of a run.
type Release struct {
	Version string
	// Installed reports that the release is manifests that are installed on its server,
	// whose feature gates guard no field of theirs.
	Installed   bool
	Conn        *client.Connection
	Process     servers.Process
	asked       atomic.Int64 // number of requests that were sent to it
	well        atomic.Int64 // number of the last request that it answered normally
	Features    []client.Feature
	Followed    []string            // gates that depend on those of the lap, and were switched with them
	Served      []client.Discovered // kinds that can be created, read and replaced
	ReadOnly    []string            // kinds that it serves in a version that cannot be created, read or replaced
	Schema      *schema.Schema
	Definitions map[string]objects.Definitions // by group version
}

// Ask asks a server of a build which of the configured kinds it serves; without kinds it
// asks for all.
func Ask(ctx context.Context, b servers.Build, conn *client.Connection, kinds []string, gateTags []byte) (*Release, error) {
	r := &Release{Installed: b.Installs != nil, Conn: conn, Definitions: map[string]objects.Definitions{}}
	said, err := client.Version(ctx, conn)
	if err != nil {
		return nil, err
	}
	r.Version = b.VersionOf(said)
	versions, err := r.versionsAndFeatures(ctx, b)
	if err != nil {
		return nil, err
	}
	for _, gv := range versions {
		all, err := client.Discover(ctx, conn, gv)
		if err != nil {
			return nil, err
		}
		for _, d := range all {
			if defines(b, d) && isWanted(d, kinds) {
				r.add(d)
			}
		}
	}
	if err := r.read(ctx); err != nil {
		return r, err
	}
	return r, r.Tag(gateTags)
}

// add adds a kind in a version: to the served ones, or to the read-only ones.
func (r *Release) add(d client.Discovered) {
	if isWritable(d) {
		r.Served = append(r.Served, d)
	} else {
		r.ReadOnly = append(r.ReadOnly, KindName(d))
	}
}

// Tag adds the gates that the release's source names to the published ones.
func (r *Release) Tag(text []byte) error {
	if len(text) == 0 {
		return nil
	}
	tags, err := schema.ReadTags(text)
	if err != nil {
		return fmt.Errorf("%s: %w", r.Version, err)
	}
	r.Schema = r.Schema.WithTags(tags)
	return nil
}

// versionsAndFeatures returns the group versions that the build serves, and sets the
// release's gates. For a server behind another one, the gates and all other versions are
// those of the server in front.
func (r *Release) versionsAndFeatures(ctx context.Context, b servers.Build) (versions []string, err error) {
	if b.Aggregated != nil {
		return client.PassedOn(ctx, r.Conn)
	}
	if r.Features, err = client.Features(ctx, r.Conn); err != nil {
		return nil, err
	}
	if versions, err = client.GroupVersions(ctx, r.Conn); err != nil {
		return nil, err
	}
	// Discovery may be incomplete: it is updated late, and by the older of two releases.
	published, err := client.Published(ctx, r.Conn)
	for _, gv := range published {
		if !slices.Contains(versions, gv) {
			versions = append(versions, gv)
		}
	}
	return versions, err
}

// read reads the schemas of the served kinds.
func (r *Release) read(ctx context.Context) error {
	var documents [][]byte
	for _, d := range r.Served {
		if _, known := r.Definitions[d.APIVersion]; known {
			continue
		}
		document, err := client.OpenAPI(ctx, r.Conn, d.APIVersion)
		if err != nil {
			return err
		}
		if document == nil {
			return fmt.Errorf("%s: serves %s but publishes no OpenAPI v3 for it, so that no object can be generated", r.Version, d.APIVersion)
		}
		documents = append(documents, document)
		if r.Definitions[d.APIVersion], err = objects.ReadDefinitions(document); err != nil {
			return fmt.Errorf("%s: %s: %w", r.Version, d.APIVersion, err)
		}
	}
	var err error
	r.Schema, err = schema.Parse(documents)
	return err
}

func isWritable(d client.Discovered) bool {
	for _, verb := range []string{"create", "get", "update"} {
		if !slices.Contains(d.Verbs, verb) {
			return false
		}
	}
	return true
}

// defines reports whether a release has a kind: for manifests, whether they define it.
func defines(b servers.Build, d client.Discovered) bool {
	if b.Installs == nil {
		return true
	}
	group, _, _ := strings.Cut(d.APIVersion, "/")
	return slices.Contains(b.Installs.Defines, d.Plural+"."+group)
}

func isWanted(d client.Discovered, kinds []string) bool {
	return len(kinds) == 0 || slices.ContainsFunc(kinds, func(name string) bool { return NamesKind(name, KindName(d)) })
}

// everyKind is the name for all kinds.
const everyKind = "*"

// NamesKind reports whether a name matches a kind: Gadget matches those of all groups,
// Gadget.example.com a single one, and Gadget. that of the core group.
func NamesKind(name, kind string) bool {
	short, _, grouped := strings.Cut(kind, ".")
	return name == everyKind || name == kind || name == short || !grouped && name == kind+"."
}

// KindName returns a kind with its group: Gadget.example.com, or Gadget in the core group.
func KindName(d client.Discovered) string {
	group, _, grouped := strings.Cut(d.APIVersion, "/")
	if !grouped {
		return d.Kind
	}
	return d.Kind + "." + group
}

// Place is where an object can be written and read.
type Place struct {
	Role     term.Role
	Resource client.Discovered
}

// APIVersion returns the group version of the place.
func (p Place) APIVersion() string { return p.Resource.APIVersion }

// Places returns the places of one kind, the old release's first.
func Places(kind string, releases map[term.Role]*Release) []Place {
	var all []Place
	for _, role := range []term.Role{term.Old, term.New} {
		for _, d := range releases[role].Served {
			if KindName(d) == kind {
				all = append(all, Place{role, d})
			}
		}
	}
	return all
}

// Published returns what the release publishes for the kind of a place; false for nothing.
func (r *Release) Published(at Place) (objects.Kind, bool) {
	return r.Definitions[at.APIVersion()].Kind(at.APIVersion(), at.Resource.Kind, at.Resource.Subresources)
}

// GatesOn reports whether every gate that a field may need is reported and on. A gate that
// neither release of the pair reports does not exist, and guards nothing; for a release
// that reports no gates the state is unknown. Gates guard no field of manifests' kinds.
func (r *Release) GatesOn(names []string, other *Release) bool {
	if r.Installed {
		return true
	}
	known := len(r.Features) > 0 && len(other.Features) > 0
	for _, name := range names {
		called := func(f client.Feature) bool { return f.Name == name }
		i := slices.IndexFunc(r.Features, called)
		gone := known && i < 0 && !slices.ContainsFunc(other.Features, called)
		if !gone && (i < 0 || !r.Features[i].On) {
			return false
		}
	}
	return true
}

// SortedUnique sorts texts and removes duplicates.
func SortedUnique(texts []string) []string {
	slices.Sort(texts)
	return slices.Compact(texts)
}
