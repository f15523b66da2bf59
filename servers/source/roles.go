package source

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"
)

// rolesFolder contains the roles that a server creates, as its own tests expect them.
const rolesFolder = "plugin/pkg/auth/authorizer/rbac/bootstrappolicy/testdata/"

// gatedRoles is the file with the cluster roles that all alpha and beta gates result in.
const gatedRoles = "cluster-roles-featuregates.yaml"

// readRoles reads roles and bindings.
func readRoles(t tree, into *Facts) error {
	files, err := t.glob(rolesFolder + "*.yaml")
	if err != nil {
		return err
	}
	into.BootstrapRoles, into.GatedRoles = map[string]string{}, map[string]string{}
	for _, name := range files {
		text, err := os.ReadFile(t.at(name))
		if err != nil {
			return err
		}
		to := into.BootstrapRoles
		if filepath.Base(name) == gatedRoles {
			to = into.GatedRoles
		}
		if err := rolesOf(text, to); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
	}
	return nil
}

// role is a role or a binding of a role.
type role struct {
	Kind     string `json:"kind"`
	Metadata struct {
		Name      string `json:"name"`
		Namespace string `json:"namespace"`
	} `json:"metadata"`
	Rules           []grant           `json:"rules"`
	AggregationRule json.RawMessage   `json:"aggregationRule"`
	RoleRef         json.RawMessage   `json:"roleRef"`
	Subjects        []json.RawMessage `json:"subjects"`
}

// grant is one rule of a role.
type grant struct {
	APIGroups       []string `json:"apiGroups"`
	Resources       []string `json:"resources"`
	ResourceNames   []string `json:"resourceNames"`
	NonResourceURLs []string `json:"nonResourceURLs"`
	Verbs           []string `json:"verbs"`
}

// rolesOf adds the roles of a list.
func rolesOf(text []byte, into map[string]string) error {
	var list struct {
		Items []role `json:"items"`
	}
	if err := yaml.Unmarshal(text, &list); err != nil {
		return err
	}
	for _, r := range list.Items {
		name := r.Metadata.Name
		if r.Metadata.Namespace != "" {
			name = r.Metadata.Namespace + "/" + name
		}
		into[r.Kind+"/"+name] = r.text()
	}
	return nil
}

// text returns what the role grants, one line for each, sorted: roles that grant the same have
// the same text.
func (r role) text() string {
	var all []string
	for _, g := range r.Rules {
		all = append(all, g.text())
	}
	if len(r.AggregationRule) > 0 {
		all = append(all, "aggregates "+string(r.AggregationRule))
	}
	if len(r.RoleRef) > 0 {
		all = append(all, "role "+string(r.RoleRef))
	}
	for _, s := range r.Subjects {
		all = append(all, "subject "+string(s))
	}
	slices.Sort(all)
	return strings.Join(slices.Compact(all), "\n")
}

// text returns a rule as "verbs on resources in groups", each sorted.
func (g grant) text() string {
	text := "may " + listed(g.Verbs)
	if len(g.NonResourceURLs) > 0 {
		return text + " " + listed(g.NonResourceURLs)
	}
	text += " " + listed(g.Resources) + " of " + listed(g.APIGroups)
	if len(g.ResourceNames) > 0 {
		text += " named " + listed(g.ResourceNames)
	}
	return text
}

// listed joins words in their order in the alphabet; the group without a name is core.
func listed(words []string) string {
	words = slices.Clone(words)
	for i, w := range words {
		if w == "" {
			words[i] = "core"
		}
	}
	slices.Sort(words)
	return strings.Join(words, ",")
}
