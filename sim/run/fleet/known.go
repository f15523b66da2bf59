package fleet

import (
	"context"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"sync"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/redact"
	"github.com/skewsim/skewsim/sim/schema"
)

// Known is the plan of a run, the names of its objects, and what both releases reported
// about themselves. The pre-check fills in the releases.
type Known struct {
	*names
	ByRole   map[term.Role]Release
	mergings sync.Map // by release and kind: func() client.Merging
}

// NewKnown returns what is known before any release was asked.
func NewKnown(p *plan.Plan) *Known {
	return &Known{names: newNames(p), ByRole: map[term.Role]Release{}}
}

// Release is what a release reported about itself.
type Release struct {
	Said   history.Release
	Schema *schema.Schema
	Types  *schema.Schema // of its clients, if they differ from what it publishes: see TypesOf
	// Schemas is the directory with the files that Said.Schemas names. They are read when they are
	// needed: in memory, those of one release are 14 MB.
	Schemas string
	Kinds   []client.ServedKind // every kind that it serves
	// Others are the kinds in further versions, which only steps go through.
	Others []history.Resource
}

// document returns the OpenAPI v3 document of a group version; nil if the release has none.
func (r Release) document(groupVersion string) []byte {
	name, published := r.Said.Schemas[groupVersion]
	if !published {
		return nil
	}
	text, err := os.ReadFile(filepath.Join(r.Schemas, name))
	if err != nil {
		return nil // as of a kind that is not published: clients then have no types
	}
	return text
}

// Resource returns what a release serves of a kind in one version.
func (k *Known) Resource(role term.Role, apiVersion, kind string) (history.Resource, bool) {
	release := k.ByRole[role]
	for _, all := range [][]history.Resource{release.Said.Resources, release.Others} {
		for _, r := range all {
			if r.APIVersion == apiVersion && r.Kind == kind {
				return r, true
			}
		}
	}
	return history.Resource{}, false
}

// Offers reports whether a release offers a verb for a kind. A release that lists no verbs
// offers all.
func Offers(served history.Resource, verb string) bool {
	return verb == "" || len(served.Verbs) == 0 || slices.Contains(served.Verbs, verb)
}

// KindOf names a kind in one version.
func KindOf(r history.Resource) string { return history.Follow(r.APIVersion, r.Kind) }

// Version returns the version of a release's servers or, for older clients, that of the
// clients.
func (k *Known) Version(role term.Role) string {
	if role == term.Older {
		return k.Plan.Clients
	}
	return k.ByRole[role].Said.Version
}

// Versions returns the versions of both releases, each once.
func (k *Known) Versions() []string {
	return slices.Compact([]string{k.Version(term.Old), k.Version(term.New)})
}

// TypesOf returns the schema that approximates the types of a release's clients.
func (k *Known) TypesOf(role term.Role) *schema.Schema {
	if types := k.ByRole[role].Types; types != nil {
		return types
	}
	return k.ByRole[role].Schema
}

// Merging returns what a release publishes about merging the patches of a kind. The
// documents are large, so each is read once.
func (k *Known) Merging(role term.Role, apiVersion, kind string) client.Merging {
	once := sync.OnceValue(func() client.Merging {
		return client.ReadMerging(k.ByRole[role].document(apiVersion), apiVersion, kind)
	})
	found, _ := k.mergings.LoadOrStore(fmt.Sprint(role, " ", apiVersion, " ", kind), once)
	return found.(func() client.Merging)()
}

// Choose sets the version that a step of a client with discovery goes through: the one that
// its release prefers. What a release reports about itself does not change while it runs.
func (k *Known) Choose(s plan.Step, m plan.Manifest) plan.Step {
	if s.Discovers != "" {
		s.APIVersion = k.ByRole[s.Discovers].Said.Discovered(m.APIVersion, m.Kind)
	}
	return s
}

// AnswersVary reports whether the same release may answer otherwise at another time, for the same that is stored: a program
// beside the servers was replaced, and converts otherwise, or definitions were. They are stored, so those that another
// replica brings, or a line writes, hold for all.
func (k *Known) AnswersVary() bool {
	for _, m := range k.Plan.Manifests {
		if schema.GroupOf(m.APIVersion) == definitions {
			return true
		}
	}
	severalReplicas := slices.ContainsFunc(k.Plan.Stages, func(s plan.Stage) bool { return len(s.Replicas) > 1 })
	for _, release := range k.ByRole {
		if severalReplicas && len(release.Said.Defines) > 0 {
			return true
		}
	}
	return k.Plan.HasPrograms()
}

// definitions is the group of CustomResourceDefinitions.
const definitions = "apiextensions.k8s.io"

// Policy returns which values of the run are confidential.
func (k *Known) Policy() redact.Policy { return redact.For(k.Plan.Confidential) }

// GroupVersions returns the sorted group versions of the plan's manifests and steps.
func (k *Known) GroupVersions() []string {
	seen := map[string]bool{}
	for _, m := range k.Plan.Manifests {
		seen[m.APIVersion] = true
	}
	k.Operations(func(s plan.Step, _ plan.Manifest) {
		if s.APIVersion != "" && s.Discovers == "" {
			seen[s.APIVersion] = true
		}
	})
	return slices.Sorted(maps.Keys(seen))
}

// RealTypes returns the types that a release's own clients have of a kind; nil if they have
// none or are not available.
func RealTypes(ctx context.Context, clients map[term.Role]client.Program, role term.Role, apiVersion, kind string) (client.Types, error) {
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
