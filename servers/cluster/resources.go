package cluster

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/discovery"
)

// resource is a resource in the version that its group prefers.
type resource struct{ group, version, name, kind string }

// String returns deployments.apps.
func (r resource) String() string {
	return schema.GroupResource{Group: r.group, Resource: r.name}.String()
}

func (r resource) apiVersion() string {
	return schema.GroupVersion{Group: r.group, Version: r.version}.String()
}

func (r resource) path() string {
	if r.group == "" {
		return "/api/" + r.version + "/" + r.name
	}
	return "/apis/" + r.group + "/" + r.version + "/" + r.name
}

// survey is what a cluster serves.
type survey struct {
	listed  []resource
	skipped []Skipped
	limits  []string
}

// survey asks the server for its resources, and decides which of them to list.
func (c *Cluster) survey(ctx context.Context) (s survey, err error) {
	lists, err := c.discovery.ServerPreferredResourcesWithContext(quiet(ctx))
	failed, partly := discovery.GroupDiscoveryFailedErrorGroups(err)
	if err != nil && !partly {
		return s, c.explained("list the resources of", err)
	}
	aggregated, limits, err := c.aggregatedAPIs(ctx, lists)
	if err != nil {
		return s, err
	}
	s.limits = limits
	for _, r := range resourcesIn(lists) {
		switch why := c.excluded(r.resource, aggregated); {
		case !slices.Contains(r.verbs, "list") || r.group == "" && r.name == "componentstatuses": // no object is stored
		case why != "":
			s.skipped = append(s.skipped, Skipped{What: r.String(), Reason: why, Lacks: isSecrets(r.resource)})
		default:
			s.listed = append(s.listed, r.resource)
		}
	}
	s.skipped = append(s.skipped, silent(failed, aggregated)...)
	return s, nil
}

// silent names the APIs that the server did not describe.
func silent(failed map[schema.GroupVersion]error, aggregated func(resource) string) (skipped []Skipped) {
	for _, gv := range slices.SortedFunc(maps.Keys(failed), func(a, b schema.GroupVersion) int { return cmp.Compare(a.String(), b.String()) }) {
		s := Skipped{What: gv.String(), Reason: fmt.Sprintf("the server does not say which resources this API has: %v", failed[gv]), Lacks: true}
		if service := aggregated(resource{group: gv.Group, version: gv.Version}); service != "" {
			s.Reason, s.Lacks = "an aggregated API: "+service+", which does not answer, stores its objects, and not kube-apiserver", false
		}
		skipped = append(skipped, s)
	}
	return skipped
}

// excluded returns why a resource is not listed, or "".
func (c *Cluster) excluded(r resource, aggregated func(resource) string) string {
	if service := aggregated(r); service != "" {
		return "an aggregated API: " + service + " stores its objects, and not kube-apiserver"
	}
	switch {
	case isSecrets(r) && !c.options.Secrets:
		return "confidential: only --secrets reads them"
	case r.name == "events" && (r.group == "" || r.group == "events.k8s.io") && !c.options.Events:
		return "expire within hours: Events are read on request only"
	case r.group == "events.k8s.io":
		return "the same objects as events of the core group"
	}
	return ""
}

func isSecrets(r resource) bool { return r.group == "" && r.name == "secrets" }

// verbs is a resource with its verbs.
type verbs struct {
	resource
	verbs []string
}

// resourcesIn returns the resources of a discovery without subresources, in the order in which
// they are listed.
func resourcesIn(lists []*metav1.APIResourceList) (all []verbs) {
	for _, list := range lists {
		gv, err := schema.ParseGroupVersion(list.GroupVersion)
		if err != nil {
			continue
		}
		for _, r := range list.APIResources {
			if !strings.Contains(r.Name, "/") {
				all = append(all, verbs{resource{gv.Group, gv.Version, r.Name, r.Kind}, r.Verbs})
			}
		}
	}
	slices.SortFunc(all, func(a, b verbs) int {
		return cmp.Or(Rank(a.group, a.kind)-Rank(b.group, b.kind), cmp.Compare(a.group, b.group), cmp.Compare(a.name, b.name))
	})
	return all
}

// apiServices and definitions are listed ahead, to find out which APIs are aggregated.
var (
	apiServices = resource{"apiregistration.k8s.io", "v1", "apiservices", "APIService"}
	definitions = resource{"apiextensions.k8s.io", "v1", "customresourcedefinitions", "CustomResourceDefinition"}
)

// isUnreadable reports whether a caller may not read a resource, or the server has none.
func isUnreadable(err error) bool {
	return apierrors.IsForbidden(err) || apierrors.IsNotFound(err) || apierrors.IsMethodNotSupported(err)
}
