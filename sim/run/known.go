package run

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/redact"
	"github.com/skewsim/skewsim/sim/schema"
)

// known is the plan of a run, the names of its objects, and what both releases said of
// themselves. The pre-check fills in the releases.
type known struct {
	*names
	byRole   map[term.Role]release
	mergings sync.Map // by release and kind: func() client.Merging
}

// newKnown returns what is known before any release was asked.
func newKnown(p *plan.Plan) *known {
	return &known{names: newNames(p), byRole: map[term.Role]release{}}
}

// release is what a release said of itself.
type release struct {
	said   history.Release
	schema *schema.Schema
	types  *schema.Schema // of its clients, where they differ from what it publishes: see typesOf
	// documents are the OpenAPI v3 documents by group version.
	documents map[string]json.RawMessage
	kinds     []client.ServedKind // every kind that it serves
	// others are the kinds in further versions, which only steps go through.
	others []history.Resource
}

// resource returns what a release serves of a kind in one version.
func (k *known) resource(role term.Role, apiVersion, kind string) (history.Resource, bool) {
	for _, r := range slices.Concat(k.byRole[role].said.Resources, k.byRole[role].others) {
		if r.APIVersion == apiVersion && r.Kind == kind {
			return r, true
		}
	}
	return history.Resource{}, false
}

// offers reports whether a release offers a verb of a kind. A release that lists no
// verbs is taken to offer all.
func offers(served history.Resource, verb string) bool {
	return verb == "" || len(served.Verbs) == 0 || slices.Contains(served.Verbs, verb)
}

// kindOf names a kind in one version.
func kindOf(r history.Resource) string { return history.Follow(r.APIVersion, r.Kind) }

// version returns the version of a release's servers or, for older clients, their own.
func (k *known) version(role term.Role) string {
	if role == term.Older {
		return k.plan.Clients
	}
	return k.byRole[role].said.Version
}

// versions returns the versions of both releases, each once.
func (k *known) versions() []string {
	return slices.Compact([]string{k.version(term.Old), k.version(term.New)})
}

// typesOf returns the schema that approximates the types of a release's clients.
func (k *known) typesOf(role term.Role) *schema.Schema {
	if types := k.byRole[role].types; types != nil {
		return types
	}
	return k.byRole[role].schema
}

// merging returns what a release publishes about merging the patches of a kind. The
// documents are large, so each is read once.
func (k *known) merging(role term.Role, apiVersion, kind string) client.Merging {
	once := sync.OnceValue(func() client.Merging {
		return client.ReadMerging(k.byRole[role].documents[apiVersion], apiVersion, kind)
	})
	found, _ := k.mergings.LoadOrStore(fmt.Sprint(role, " ", apiVersion, " ", kind), once)
	return found.(func() client.Merging)()
}

// choose gives a step of a client that uses discovery the version that its release
// prefers. What a release says of itself does not change while it runs.
func (k *known) choose(s plan.Step, m plan.Manifest) plan.Step {
	if s.Discovers != "" {
		s.APIVersion = k.byRole[s.Discovers].said.Discovered(m.APIVersion, m.Kind)
	}
	return s
}

// policy says which values of the run are confidential.
func (k *known) policy() redact.Policy { return redact.For(k.plan.Confidential) }

// groupVersions returns those of the plan's manifests, and those that its steps go
// through, sorted.
func (k *known) groupVersions() []string {
	seen := map[string]bool{}
	for _, m := range k.plan.Manifests {
		seen[m.APIVersion] = true
	}
	k.operations(func(s plan.Step, _ plan.Manifest) {
		if s.APIVersion != "" && s.Discovers == "" {
			seen[s.APIVersion] = true
		}
	})
	return slices.Sorted(maps.Keys(seen))
}

// realTypes returns the types that a release's own clients have of a kind, nil when
// they have none or are not available.
func realTypes(ctx context.Context, clients map[term.Role]client.Program, role term.Role, apiVersion, kind string) (client.Types, error) {
	program := clients[role]
	if program == nil {
		return nil, nil
	}
	real, ok, err := program.Types(ctx, apiVersion, kind)
	if err != nil || !ok {
		return nil, err
	}
	return real, nil
}
