package fuzz

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/generate"
	"github.com/skewsim/skewsim/sim/schema"
)

// release is what a running server of one release says of the kinds at hand.
type release struct {
	role    term.Role
	version string
	// installed: the release is manifests that are installed on its server, whose feature
	// gates guard no field of theirs.
	installed   bool
	conn        *client.Connection
	process     servers.Process
	asked       atomic.Int64 // requests that were sent to it
	well        atomic.Int64 // the last of them that it answered as one that is not ending
	features    []client.Feature
	followed    []string            // gates that its server had to have switched with those of the lap
	served      []client.Discovered // what can be created, read and replaced
	readOnly    []string            // kinds that it serves in a version that cannot be created, read or replaced
	schema      *schema.Schema
	definitions map[string]generate.Definitions // by group version
}

// ask asks a server of a build what it serves, of the kinds that are configured; none
// asks for all there are.
func ask(ctx context.Context, role term.Role, b servers.Build, conn *client.Connection, c Config) (*release, error) {
	r := &release{role: role, installed: b.Installs != nil, conn: conn, definitions: map[string]generate.Definitions{}}
	said, err := client.Version(ctx, conn)
	if err != nil {
		return nil, err
	}
	r.version = b.VersionOf(said)
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
			if defines(b, d) && isWanted(d, c.Kinds) {
				r.add(d)
			}
		}
	}
	if err := r.read(ctx); err != nil {
		return r, err
	}
	return r, r.tag(c.GateTags[role])
}

// add adds a kind in a version: to what is served, or to what cannot be written.
func (r *release) add(d client.Discovered) {
	if isWritable(d) {
		r.served = append(r.served, d)
	} else {
		r.readOnly = append(r.readOnly, kindName(d))
	}
}

// tag adds what the source of the release says of gates to what it publishes.
func (r *release) tag(text []byte) error {
	if len(text) == 0 {
		return nil
	}
	tags, err := schema.ReadTags(text)
	if err != nil {
		return fmt.Errorf("%s: %w", r.version, err)
	}
	r.schema = r.schema.WithTags(tags)
	return nil
}

// versionsAndFeatures are the group versions that the build serves, and gives the
// release its gates. Of a server that clients reach through another, the gates that can
// be asked for, and all other versions, are those of the other.
func (r *release) versionsAndFeatures(ctx context.Context, b servers.Build) (versions []string, err error) {
	if b.Aggregated != nil {
		return client.PassedOn(ctx, r.conn)
	}
	if r.features, err = client.Features(ctx, r.conn); err != nil {
		return nil, err
	}
	if versions, err = client.GroupVersions(ctx, r.conn); err != nil {
		return nil, err
	}
	// Discovery may lack what is served: it is told late, and by the older of two releases.
	published, err := client.Published(ctx, r.conn)
	for _, gv := range published {
		if !slices.Contains(versions, gv) {
			versions = append(versions, gv)
		}
	}
	return versions, err
}

// read reads the schemas of what is served.
func (r *release) read(ctx context.Context) error {
	var documents [][]byte
	for _, d := range r.served {
		if _, known := r.definitions[d.APIVersion]; known {
			continue
		}
		document, err := client.OpenAPI(ctx, r.conn, d.APIVersion)
		if err != nil {
			return err
		}
		if document == nil {
			return fmt.Errorf("%s: serves %s and publishes no OpenAPI v3 of it, so that no object of it can be made", r.version, d.APIVersion)
		}
		documents = append(documents, document)
		if r.definitions[d.APIVersion], err = generate.ReadDefinitions(document); err != nil {
			return fmt.Errorf("%s: %s: %w", r.version, d.APIVersion, err)
		}
	}
	var err error
	r.schema, err = schema.Parse(documents)
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

// defines reports whether a kind is one of a release: of manifests, one that they define.
func defines(b servers.Build, d client.Discovered) bool {
	if b.Installs == nil {
		return true
	}
	group, _, _ := strings.Cut(d.APIVersion, "/")
	return slices.Contains(b.Installs.Defines, d.Plural+"."+group)
}

func isWanted(d client.Discovered, kinds []string) bool {
	return len(kinds) == 0 || slices.ContainsFunc(kinds, func(name string) bool { return names(name, kindName(d)) })
}

// everyKind names all kinds.
const everyKind = "*"

// names reports whether a name means a kind: Gadget means those of all groups,
// Gadget.example.com one, and Gadget. that of the core group.
func names(name, kind string) bool {
	short, _, grouped := strings.Cut(kind, ".")
	return name == everyKind || name == kind || name == short || !grouped && name == kind+"."
}

// kindName is a kind with its group: Gadget.example.com, and Gadget in the core group.
func kindName(d client.Discovered) string {
	group, _, grouped := strings.Cut(d.APIVersion, "/")
	if !grouped {
		return d.Kind
	}
	return d.Kind + "." + group
}

// meant is the kind that differs from the name in its letters' case alone.
func meant(name string, all []string) string {
	for _, kind := range all {
		short, _, _ := strings.Cut(kind, ".")
		for _, k := range []string{kind, short} {
			if strings.EqualFold(k, name) {
				return fmt.Sprintf(": did you mean %q?", k)
			}
		}
	}
	return ""
}

// kindsOf settles which kinds are meant, by what both releases serve: one kind
// needs no naming.
func kindsOf(old, new *release, wanted []string) ([]string, error) {
	var all []string
	for _, d := range slices.Concat(old.served, new.served) {
		all = append(all, kindName(d))
	}
	all = sortedUnique(all)
	var problems []error
	for _, name := range wanted {
		if !slices.ContainsFunc(all, func(k string) bool { return names(name, k) }) {
			problems = append(problems, fmt.Errorf("--kind %s: neither %s nor %s serves it so that it can be created and replaced%s", name, old.version, new.version, meant(name, all)))
		}
	}
	if len(wanted) == 0 && len(all) != 1 {
		problems = append(problems, fmt.Errorf("which kinds? both releases serve %d: name some with --kind, such as %s, or '*' for all", len(all), strings.Join(all[:min(5, len(all))], ", ")))
	}
	if err := errors.Join(problems...); err != nil {
		return nil, &servers.RequestError{Err: err}
	}
	return all, nil
}

// place is where an object can be written and read.
type place struct {
	role     term.Role
	resource client.Discovered
}

func (p place) apiVersion() string { return p.resource.APIVersion }

// places are those of one kind, the old release's first.
func places(kind string, releases map[term.Role]*release) []place {
	var all []place
	for _, role := range []term.Role{term.Old, term.New} {
		for _, d := range releases[role].served {
			if kindName(d) == kind {
				all = append(all, place{role, d})
			}
		}
	}
	return all
}

// published is what the release publishes of the kind of a place; false: nothing.
func (r *release) published(at place) (generate.Kind, bool) {
	return r.definitions[at.apiVersion()].Kind(at.apiVersion(), at.resource.Kind, at.resource.Subresources)
}

// gatesOn reports whether every gate that a field may need is reported and on. One that
// neither the release nor the other one of the pair reports does not exist, and guards
// nothing; of a release that reports no gates nothing is known. Gates guard nothing of
// what manifests define.
func (r *release) gatesOn(names []string, other *release) bool {
	if r.installed {
		return true
	}
	known := len(r.features) > 0 && len(other.features) > 0
	for _, name := range names {
		called := func(f client.Feature) bool { return f.Name == name }
		i := slices.IndexFunc(r.features, called)
		gone := known && i < 0 && !slices.ContainsFunc(other.features, called)
		if !gone && (i < 0 || !r.features[i].On) {
			return false
		}
	}
	return true
}

// sortedUnique sorts texts and leaves out those that are there twice.
func sortedUnique(texts []string) []string {
	slices.Sort(texts)
	return slices.Compact(texts)
}
