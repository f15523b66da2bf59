package crd

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	openapi "k8s.io/apiextensions-apiserver/pkg/controller/openapi/builder"
	"k8s.io/kube-openapi/pkg/spec3"

	"github.com/skewsim/skewsim/servers/crd/definition"
)

// Published is what a server publishes of definitions.
type Published struct {
	// Documents are the OpenAPI v3 documents by group version.
	Documents map[string][]byte
	Resources []definition.Version
}

// Publish returns what a kube-apiserver would publish of the definitions of a folder. It uses
// the code of the server of this program's libraries, and starts none.
func Publish(set Set) (Published, error) {
	all := Published{Documents: map[string][]byte{}}
	specs := map[string][]*spec3.OpenAPI{}
	for _, d := range set.Definitions {
		defined, err := definition.Read(d.JSON)
		if err != nil {
			return all, fmt.Errorf("%s: %w", d.Name, err)
		}
		for _, v := range defined.Spec.Versions {
			if !v.Served {
				continue
			}
			spec, err := openapi.BuildOpenAPIV3(&defined, v.Name, openapi.Options{IncludeSelectableFields: true})
			if err != nil {
				return all, fmt.Errorf("%s: version %s: %w", d.Name, v.Name, err)
			}
			gv := d.Group + "/" + v.Name
			specs[gv] = append(specs[gv], spec)
			all.Resources = append(all.Resources, definition.VersionOf(defined, v))
		}
	}
	for _, gv := range slices.Sorted(maps.Keys(specs)) {
		merged, err := openapi.MergeSpecsV3(specs[gv]...)
		if err != nil {
			return all, fmt.Errorf("%s: %w", gv, err)
		}
		if all.Documents[gv], err = json.Marshal(merged); err != nil {
			return all, fmt.Errorf("%s: %w", gv, err)
		}
	}
	return all, nil
}
