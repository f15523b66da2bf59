package cluster

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// RoleName is the name of the ClusterRole.
const RoleName = "skewsim-preflight"

// The groups of kube-apiserver that have stored objects, with the core group's resources by
// name: RBAC can grant all resources of a group, and cannot except Secrets.
var (
	coreResources = []string{
		"configmaps", "endpoints", "limitranges", "namespaces", "nodes", "persistentvolumeclaims", "persistentvolumes",
		"pods", "podtemplates", "replicationcontrollers", "resourcequotas", "serviceaccounts", "services",
	}
	builtInGroups = []string{
		"admissionregistration.k8s.io", "apiextensions.k8s.io", "apiregistration.k8s.io", "apps", "autoscaling", "batch",
		"certificates.k8s.io", "coordination.k8s.io", "discovery.k8s.io", "extensions", "flowcontrol.apiserver.k8s.io",
		"internal.apiserver.k8s.io", "lifecycle.k8s.io", "networking.k8s.io", "node.k8s.io", "policy", "rbac.authorization.k8s.io",
		"resource.k8s.io", "scheduling.k8s.io", "storage.k8s.io", "storagemigration.k8s.io",
	}
)

// Rules returns the ClusterRole, in YAML, that a caller needs to read this cluster: it names
// every resource that Each lists.
func (c *Cluster) Rules(ctx context.Context) (string, error) {
	s, err := c.survey(ctx)
	if err != nil {
		return "", err
	}
	byGroup := map[string][]string{apiServices.group: {apiServices.name}, definitions.group: {definitions.name}}
	for _, r := range s.listed {
		if !slices.Contains(byGroup[r.group], r.name) {
			byGroup[r.group] = append(byGroup[r.group], r.name)
		}
	}
	var rules []rule
	for _, group := range slices.Sorted(maps.Keys(byGroup)) {
		slices.Sort(byGroup[group])
		rules = append(rules, rule{[]string{group}, byGroup[group]})
	}
	return clusterRole([]string{"The resources of " + c.host + "."}, rules), nil
}

// StaticRules returns a ClusterRole, in YAML, that suits every cluster without custom resources,
// for a caller that cannot connect yet.
func StaticRules(o Options) string {
	core := slices.Clone(coreResources)
	if o.Secrets {
		core = append(core, "secrets")
	}
	if o.Events {
		core = append(core, "events")
	}
	slices.Sort(core)
	return clusterRole([]string{
		"Built-in resources. Add the API groups of your custom resources to the second rule:",
		"what the role does not grant is named in the report as not covered.",
	}, []rule{{[]string{""}, core}, {builtInGroups, []string{"*"}}})
}

// rule grants reading resources of groups.
type rule struct{ groups, resources []string }

func clusterRole(comments []string, rules []rule) string {
	var b strings.Builder
	for _, c := range comments {
		fmt.Fprintf(&b, "# %s\n", c)
	}
	fmt.Fprintf(&b, "apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata:\n  name: %s\nrules:\n", RoleName)
	b.WriteString("- nonResourceURLs: [\"/api\", \"/api/*\", \"/apis\", \"/apis/*\", \"/version\"]\n  verbs: [\"get\"]\n")
	for _, r := range rules {
		fmt.Fprintf(&b, "- apiGroups: %s\n  resources: %s\n  verbs: [\"get\", \"list\"]\n", quoted(r.groups), quoted(r.resources))
	}
	return b.String()
}

// quoted returns a list in YAML.
func quoted(words []string) string {
	var all []string
	for _, w := range words {
		all = append(all, fmt.Sprintf("%q", w))
	}
	return "[" + strings.Join(all, ", ") + "]"
}
