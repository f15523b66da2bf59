package client

import (
	"encoding/json"
	"strings"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/jsonmergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"
	"k8s.io/kube-openapi/pkg/spec3"
	"k8s.io/kube-openapi/pkg/validation/spec"
)

// Merging is what a server publishes of how one kind's patches are merged.
type Merging struct {
	// Meta has the keys by which lists are merged. Nil: nothing is published.
	Meta strategicpatch.LookupPatchMeta
	// Strategic tells whether the server takes strategic merge patches at all.
	Strategic bool
}

// ReadMerging reads it from the OpenAPI v3 document of the kind's group version,
// as kubectl does.
func ReadMerging(document []byte, apiVersion, kind string) Merging {
	var doc spec3.OpenAPI
	if json.Unmarshal(document, &doc) != nil || doc.Components == nil {
		return Merging{}
	}
	for _, definition := range doc.Components.Schemas {
		if definition == nil || !declares(definition.Extensions, apiVersion, kind) {
			continue
		}
		meta := strategicpatch.PatchMetaFromOpenAPIV3{SchemaList: doc.Components.Schemas, Schema: definition}
		return Merging{Meta: meta, Strategic: takesStrategic(doc.Paths, apiVersion, kind)}
	}
	return Merging{}
}

// groupVersionKind is the extension that ties definitions and operations to kinds.
const groupVersionKind = "x-kubernetes-group-version-kind"

// declares tells whether the extension names just this kind: of a definition it
// is a list, of an operation one entry.
func declares(extensions spec.Extensions, apiVersion, kind string) bool {
	entry := extensions[groupVersionKind]
	if list, ok := entry.([]any); ok && len(list) == 1 {
		entry = list[0]
	}
	fields, _ := entry.(map[string]any)
	group, _ := fields["group"].(string)
	version, _ := fields["version"].(string)
	return fields["kind"] == kind && strings.TrimPrefix(group+"/"+version, "/") == apiVersion
}

func takesStrategic(paths *spec3.Paths, apiVersion, kind string) bool {
	if paths == nil {
		return false
	}
	for _, p := range paths.Paths {
		if p == nil || p.Patch == nil || p.Patch.RequestBody == nil || !declares(p.Patch.Extensions, apiVersion, kind) {
			continue
		}
		if _, takes := p.Patch.RequestBody.Content[string(types.StrategicMergePatchType)]; takes {
			return true
		}
	}
	return false
}

// difference is the patch that a client without types computes.
func difference(before, after []byte, patch types.PatchType, meta strategicpatch.LookupPatchMeta) ([]byte, error) {
	var raw []byte
	var err error
	switch {
	case patch == types.MergePatchType:
		// With nobody else's changes in between, three ways are two.
		raw, err = jsonmergepatch.CreateThreeWayJSONMergePatch(before, after, before)
	case meta == nil:
		return nil, unfit("the server publishes no schema of the kind, from which a client could tell how its lists are merged")
	default:
		raw, err = strategicpatch.CreateTwoWayMergePatchUsingLookupPatchMeta(before, after, meta)
	}
	if err != nil {
		return nil, unfit("no patch can be computed: %w", err)
	}
	return raw, nil
}
