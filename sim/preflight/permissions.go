package preflight

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	goversion "github.com/hashicorp/go-version"
	rbac "k8s.io/api/rbac/v1"

	"github.com/skewsim/skewsim/scenarios/term"
)

// permission is what a release asks for that the one before it did not. The copy permits everything,
// so no server says it.
type permission struct {
	since            string // the minor release
	group            string // of all resources
	resources        []string
	had, needs       string   // verbs
	of               []string // resources of the new verb; nil: the same
	gate, whom, from string
}

// permissions are those of Kubernetes' own releases. From says where each is decided.
func permissions() []permission {
	return []permission{
		{
			since: "1.35", resources: []string{"pods/exec", "pods/attach", "pods/portforward"}, had: "get", needs: "create",
			gate: "AuthorizePodWebsocketUpgradeCreatePermission", whom: "clients that use WebSockets", from: "kubernetes/kubernetes issue 133515, pkg/features/kube_features.go",
		},
		{
			since: "1.36", group: "resource.k8s.io", resources: []string{"resourceclaims/status"}, had: "update", needs: "update", of: []string{"resourceclaims/binding", "resourceclaims/driver"},
			gate: "DRAResourceClaimGranularStatusAuthorization", whom: "schedulers and drivers", from: "KEP-4817, pkg/registry/resource/resourceclaim/strategy.go",
		},
	}
}

// Permissions returns findings about a role that permits what a release asks another permission
// for, between two releases.
func Permissions(s Seen, older, newer string) (all []Finding) {
	var role rbac.ClusterRole // a Role has the same rules
	if GroupOf(s.APIVersion) != rbac.GroupName || s.Kind != "ClusterRole" && s.Kind != "Role" || json.Unmarshal(s.Object, &role) != nil {
		return nil
	}
	if role.Labels["kubernetes.io/bootstrapping"] != "" {
		return nil // servers update these
	}
	for _, p := range permissions() {
		if !between(older, p.since, newer) {
			continue
		}
		for _, resource := range p.resources {
			if p.missing(role.Rules, resource) {
				f := s.finding(term.MeansOther, Up, fmt.Sprintf("it permits %s on %s; from v%s on %s need %s on %s as well (gate %s; %s)",
					p.had, resource, p.since, p.whom, p.needs, strings.Join(p.needed(resource), " or "), p.gate, p.from))
				f.Path, f.Fix = ".rules", fmt.Sprintf("add %s on %s to the role before the upgrade", p.needs, strings.Join(p.needed(resource), " or "))
				return append(all, f)
			}
		}
	}
	return all
}

// needed returns the resources that the new verb is asked for.
func (p permission) needed(resource string) []string {
	if p.of != nil {
		return p.of
	}
	return []string{resource}
}

// missing reports whether rules permit what was enough, and nothing of what is needed.
func (p permission) missing(rules []rbac.PolicyRule, resource string) bool {
	return p.permits(rules, p.had, resource) && !slices.ContainsFunc(p.needed(resource), func(r string) bool { return p.permits(rules, p.needs, r) })
}

// permits reports whether a rule permits a verb on a resource of the permission's group.
func (p permission) permits(rules []rbac.PolicyRule, verb, resource string) bool {
	_, subresource, _ := strings.Cut(resource, "/")
	return slices.ContainsFunc(rules, func(r rbac.PolicyRule) bool {
		return (slices.Contains(r.Verbs, verb) || slices.Contains(r.Verbs, "*")) &&
			(slices.Contains(r.APIGroups, p.group) || slices.Contains(r.APIGroups, "*")) &&
			slices.ContainsFunc(r.Resources, func(name string) bool { return name == resource || name == "*" || name == "*/"+subresource })
	})
}

// between reports whether a release is later than one and not later than another, by their minors.
func between(older, since, newer string) bool {
	a, errA := goversion.NewVersion(older)
	b, errB := goversion.NewVersion(newer)
	at := goversion.Must(goversion.NewVersion(since))
	return errA == nil && errB == nil && a.Core().LessThan(at) && !b.Core().LessThan(at)
}
