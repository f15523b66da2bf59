package apiserver

import (
	"maps"
	"strings"

	"k8s.io/apiextensions-apiserver/pkg/generated/openapi"
	"k8s.io/apimachinery/pkg/runtime"
	apiopenapi "k8s.io/apiserver/pkg/endpoints/openapi"
	genericapiserver "k8s.io/apiserver/pkg/server"
	"k8s.io/kube-openapi/pkg/common"

	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/object"
	"github.com/skewsim/skewsim/servers/frobber/release"
)

// publish has the server describe what it serves, in both versions of OpenAPI.
func publish(c *genericapiserver.Config, r *release.Release, scheme *runtime.Scheme) {
	describe := definitions(r)
	namer := apiopenapi.NewDefinitionNamer(scheme)
	c.OpenAPIConfig = genericapiserver.DefaultOpenAPIConfig(describe, namer)
	c.OpenAPIConfig.Info.Title = "Frobber"
	c.OpenAPIV3Config = genericapiserver.DefaultOpenAPIV3Config(describe, namer)
	c.OpenAPIV3Config.Info.Title = "Frobber"
}

// definitions describes the release's own kinds beside those of the libraries.
func definitions(r *release.Release) common.GetOpenAPIDefinitions {
	return func(ref common.ReferenceCallback) map[string]common.OpenAPIDefinition {
		all := openapi.GetOpenAPIDefinitions(ref)
		for _, v := range r.Versions {
			own := object.Definitions(ref, v.New(), v.NewList())
			introduce(own)
			maps.Copy(all, own)
		}
		return all
	}
}

// introduce says what the kind is, which no field's tag can.
func introduce(own map[string]common.OpenAPIDefinition) {
	for name, d := range own {
		switch name[strings.LastIndex(name, ".")+1:] {
		case api.Kind:
			d.Schema.Description = "Frobber is the kind that Kubernetes' guide \"Changing the API\" teaches with."
		case api.ListKind:
			d.Schema.Description = "FrobberList is a list of Frobbers."
		}
		own[name] = d
	}
}
