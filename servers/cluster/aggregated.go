package cluster

import (
	"context"
	"encoding/json"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/kubernetes/scheme"
)

// aggregatedAPIs returns a function that names the service that serves an aggregated API, and
// returns "" for a resource of the kube-apiserver itself. APIService objects say it. If the
// caller may not read them, a group is aggregated that is neither built in nor has a
// CustomResourceDefinition.
func (c *Cluster) aggregatedAPIs(ctx context.Context, lists []*metav1.APIResourceList) (func(resource) string, []string, error) {
	services := map[string]string{} // by group/version
	err := c.ahead(ctx, apiServices, "application/json", func(item json.RawMessage) error {
		var s apiService
		if err := json.Unmarshal(item, &s); err != nil {
			return err
		}
		if service := s.Spec.Service; service != nil {
			services[s.Spec.Group+"/"+s.Spec.Version] = "service " + service.Namespace + "/" + service.Name
		}
		return nil
	})
	if err == nil {
		return func(r resource) string { return services[r.group+"/"+r.version] }, nil, nil
	}
	if !isAnswered(err) {
		return nil, nil, c.explained("list apiservices.apiregistration.k8s.io of", err)
	}
	custom, err := c.customGroups(ctx, lists)
	switch {
	case err == nil:
		return func(r resource) string { return otherServer(!isBuiltIn(r.group) && !custom[r.group]) }, nil, nil
	case !isAnswered(err):
		return nil, nil, c.explained("list customresourcedefinitions.apiextensions.k8s.io of", err)
	}
	return func(r resource) string { return otherServer(isMetrics(r.group)) }, []string{
		"The server does not let the caller read APIServices and CustomResourceDefinitions: objects of aggregated APIs may be among those that were read.",
	}, nil
}

// apiService is what an APIService says of an API.
type apiService struct {
	Spec struct {
		Group, Version string
		Service        *struct{ Namespace, Name string }
	}
}

func otherServer(is bool) string {
	if is {
		return "another server"
	}
	return ""
}

// customGroups returns the groups of the CustomResourceDefinitions, of which it only reads the
// names: PLURAL.GROUP.
func (c *Cluster) customGroups(ctx context.Context, lists []*metav1.APIResourceList) (map[string]bool, error) {
	groups := map[string]bool{}
	if !serves(lists, definitions) {
		return groups, nil
	}
	const names = "application/json;as=PartialObjectMetadataList;v=v1;g=meta.k8s.io"
	return groups, c.ahead(ctx, definitions, names, func(item json.RawMessage) error {
		var m metav1.PartialObjectMetadata
		if err := json.Unmarshal(item, &m); err != nil {
			return err
		}
		_, group, _ := strings.Cut(m.Name, ".")
		groups[group] = true
		return nil
	})
}

func serves(lists []*metav1.APIResourceList, r resource) bool {
	for _, served := range resourcesIn(lists) {
		if served.resource == r {
			return true
		}
	}
	return false
}

// ahead lists a resource before all others.
func (c *Cluster) ahead(ctx context.Context, r resource, accept string, each func(json.RawMessage) error) error {
	l := lister{c: c, resource: r, accept: accept, limit: chunk}
	return l.each(ctx, each)
}

// isBuiltIn reports whether kube-apiserver serves a group itself.
func isBuiltIn(group string) bool {
	return scheme.Scheme.IsGroupRegistered(group) || group == definitions.group || group == apiServices.group
}

// isMetrics reports whether a group is one of the metrics APIs, which are always aggregated.
func isMetrics(group string) bool {
	return group == "metrics.k8s.io" || strings.HasSuffix(group, ".metrics.k8s.io")
}
