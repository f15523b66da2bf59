package reading

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/sim/published"
)

// TestFormsOf: a custom resource is read in the version that it is stored in, whatever its group is
// called; a kind of Kubernetes' own in one that both releases serve; what is unreadable by its key.
func TestFormsOf(t *testing.T) {
	verbs := []string{"get", "list"}
	resource := func(apiVersion, kind, plural string) published.Resource {
		return published.Resource{APIVersion: apiVersion, Kind: kind, Plural: plural, Namespaced: true, Verbs: verbs}
	}
	r := published.Release{
		Preferred: map[string]string{"gateway.networking.k8s.io": "v1", "networking.k8s.io": "v1", "apiextensions.k8s.io": "v1"},
		Resources: []published.Resource{
			resource("gateway.networking.k8s.io/v1", "Gateway", "gateways"), resource("gateway.networking.k8s.io/v1beta1", "Gateway", "gateways"),
			resource("networking.k8s.io/v1", "Ingress", "ingresses"), resource("apiextensions.k8s.io/v1", "CustomResourceDefinition", "customresourcedefinitions"),
			resource("apiextensions.k8s.io/v1beta1", "CustomResourceDefinition", "customresourcedefinitions"),
			resource("v1", "Service", "services"), resource("v1", "Node", "nodes"), resource("v1", "Event", "events"), resource("events.k8s.io/v1", "Event", "events"),
			resource("apps/v1", "Deployment", "deployments"), resource("fleet.example.com/v1", "Deployment", "deployments"), resource("fleet.example.com/v1", "Widget", "widgets"),
			resource("ipam.cluster.x-k8s.io/v1beta1", "IPAddress", "ipaddresses"), resource("redhatcop.redhat.io/v1alpha1", "PodPreset", "podpresets"),
		},
	}
	forms := FormsOf(r, r)
	for _, c := range []struct{ key, apiVersion, kind, want string }{
		{"/registry/gateway.networking.k8s.io/gateways/n/a", "gateway.networking.k8s.io/v1beta1", "Gateway", "gateway.networking.k8s.io/v1beta1"},
		{"/registry/gateway.networking.k8s.io/gateways/n/a", "gateway.networking.k8s.io/v1alpha2", "Gateway", "gateway.networking.k8s.io/v1"},
		{"/registry/networking.istio.io/gateways/n/a", "networking.istio.io/v1", "Gateway", ""}, // its definition is gone
		{"/registry/ingress/n/a", "extensions/v1beta1", "Ingress", "networking.k8s.io/v1"},
		{"/registry/apiextensions.k8s.io/customresourcedefinitions/a", "apiextensions.k8s.io/v1beta1", "CustomResourceDefinition", "apiextensions.k8s.io/v1"},
		{"/registry/services/specs/n/a", "", "", "v1"},
		{"/registry/minions/a", "", "", "v1"},
		{"/registry/events/n/a", "", "", "v1"},
		{"/registry/deployments/n/a", "", "", "apps/v1"},
		{"/registry/fleet.example.com/deployments/n/a", "", "", "fleet.example.com/v1"},
		{"/registry/fleet.example.com/widgets/n/a", "v9", "Nothing", "fleet.example.com/v1"},
		{"/registry/widgets/n/a", "", "", ""},
		{"/registry/ranges/serviceips", "v1", "RangeAllocation", ""},
		{"/registry/deployments/n/a", "v1", "Service", "apps/v1"},
		{"/registry/fleet.example.com/widgets/n/a", "fleet.example.com/v1", "Deployment", "fleet.example.com/v1"},
		{"/registry/nowhere/n/a", "v1", "Service", "v1"},
		{"/registry/ipaddresses/10.0.0.1", "networking.k8s.io/v1beta1", "IPAddress", ""}, // a definition has a kind of that name
		{"/registry/podpresets/n/a", "settings.k8s.io/v1alpha1", "PodPreset", ""},
		{"/registry/ipam.cluster.x-k8s.io/ipaddresses/n/a", "ipam.cluster.x-k8s.io/v1beta1", "IPAddress", "ipam.cluster.x-k8s.io/v1beta1"},
		{"/registry/deployments/n/a", "extensions/v1beta1", "Deployment", "apps/v1"},
	} {
		form, served := forms.Of(c.key, c.apiVersion, c.kind)
		assert.Equal(t, c.want, form.APIVersion, c.key)
		assert.Equal(t, c.want != "", served, c.key)
	}
	for key, want := range map[string]string{"/registry/services/specs/n/a": "Service", "/registry/fleet.example.com/widgets/n/a": "Widget", "/registry/deployments/n/a": "Deployment", "/registry/widgets/n/a": ""} {
		r := Place(forms, key, "", "")
		assert.Equal(t, []string{want, "a"}, []string{r.Kind, r.Name}, key)
	}
	for key, want := range map[string]string{"/registry/deployments/n/a": "apps/v1 Deployment", "/registry/services/specs/n/a": "v1 Service", "/registry/nowhere/n/a": "v1 Service"} {
		wrong := Place(forms, key, "v1", "Service")
		assert.Equal(t, want, wrong.APIVersion+" "+wrong.Kind, "no GET of a Service meets what is under the key of a Deployment")
	}
	odd := Place(forms, "/registry/fleet.example.com/widgets/n/a", "v9", "Nothing")
	assert.Equal(t, "v9 Nothing", odd.APIVersion+" "+odd.Kind, "the bytes say it")
}

// TestConverted: a custom resource that a program converts is read in the preferred version, whatever version it is stored
// in; one beside it is not.
func TestConverted(t *testing.T) {
	verbs := []string{"get", "list"}
	r := published.Release{Preferred: map[string]string{"example.dev": "v2"}}
	for _, kind := range []string{"Widget", "Gadget"} {
		for _, version := range []string{"v1", "v2"} {
			r.Resources = append(r.Resources, published.Resource{APIVersion: "example.dev/" + version, Kind: kind, Plural: kind + "s", Verbs: verbs})
		}
	}
	forms := FormsOf(r, r).Convert(map[string]bool{"example.dev Widget": true})
	for kind, want := range map[string]string{"Widget": "example.dev/v2", "Gadget": "example.dev/v1"} {
		form, served := forms.Of("/registry/example.dev/"+kind+"s/n/a", "example.dev/v1", kind)
		assert.True(t, served)
		assert.Equal(t, want, form.APIVersion, kind)
	}
}
