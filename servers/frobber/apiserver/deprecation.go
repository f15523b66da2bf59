package apiserver

import (
	"fmt"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apiserver/pkg/endpoints/deprecation"
	"k8s.io/apiserver/pkg/endpoints/request"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/apiserver/pkg/warning"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// warnOfDeprecated adds Kubernetes' warning to every answer through a deprecated version. In
// Kubernetes the Go type has the methods that the library calls; here one type may belong to
// several releases, and only the later ones deprecate it.
func warnOfDeprecated(c *genericapiserver.Config, r *release.Release) {
	texts := map[string]string{}
	for _, v := range r.Versions {
		if v.Deprecated != nil {
			texts[v.Name] = deprecation.WarningMessage(lifecycleOf(v.Name, *v.Deprecated))
		}
	}
	c.BuildHandlerChainFunc = func(apis http.Handler, c *genericapiserver.Config) http.Handler {
		return genericapiserver.DefaultBuildHandlerChain(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
			info, ok := request.RequestInfoFrom(req.Context())
			if ok && info.APIGroup == api.Group && info.Resource == api.Resource {
				if text := texts[info.APIVersion]; text != "" {
					warning.AddWarning(req.Context(), "", text)
				}
			}
			apis.ServeHTTP(w, req)
		}), c)
	}
}

// lifecycle implements the methods that the library calls for a deprecated type.
type lifecycle struct {
	metav1.TypeMeta
	release.Deprecation
}

func lifecycleOf(version string, d release.Deprecation) *lifecycle {
	l := &lifecycle{Deprecation: d}
	l.SetGroupVersionKind(groupVersion(version).WithKind(api.Kind))
	return l
}

// DeepCopyObject makes it a runtime.Object.
func (l *lifecycle) DeepCopyObject() runtime.Object { copied := *l; return &copied }

// APILifecycleDeprecated returns the release that deprecated the type.
func (l *lifecycle) APILifecycleDeprecated() (major, minor int) { return number(l.Since) }

// APILifecycleRemoved returns the release that removes the type.
func (l *lifecycle) APILifecycleRemoved() (major, minor int) { return number(l.Gone) }

// APILifecycleReplacement returns the type to use instead.
func (l *lifecycle) APILifecycleReplacement() schema.GroupVersionKind {
	return groupVersion(l.Use).WithKind(api.Kind)
}

// number returns a release's name as numbers, or 0.0 for an empty name.
func number(name string) (major, minor int) {
	if _, err := fmt.Sscanf(name, "%d.%d", &major, &minor); err != nil {
		return 0, 0
	}
	return major, minor
}
