package client

import (
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/util/jsonmergepatch"
	"k8s.io/apimachinery/pkg/util/strategicpatch"

	"github.com/skewsim/skewsim/sim/schema"
)

// Merging is what a server publishes of how one kind's patches are merged.
type Merging struct {
	// Meta has the keys by which lists are merged. Nil: nothing is published.
	Meta strategicpatch.LookupPatchMeta
	// Strategic reports whether the server supports strategic merge patches.
	Strategic bool
}

// ReadMerging reads it from the OpenAPI v3 document of the kind's group version,
// as kubectl does.
func ReadMerging(document []byte, apiVersion, kind string) Merging {
	published, err := schema.Read(document)
	if err != nil {
		return Merging{}
	}
	definition := published.Definition(apiVersion, kind)
	if definition == nil {
		return Merging{}
	}
	meta := strategicpatch.PatchMetaFromOpenAPIV3{SchemaList: published.Definitions, Schema: definition}
	return Merging{Meta: meta, Strategic: published.TakesStrategic(apiVersion, kind)}
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
		return nil, unfit("the server publishes no schema of the kind, which a client needs to merge its lists")
	default:
		raw, err = strategicpatch.CreateTwoWayMergePatchUsingLookupPatchMeta(before, after, meta)
	}
	if err != nil {
		return nil, unfit("no patch can be computed: %w", err)
	}
	return raw, nil
}
