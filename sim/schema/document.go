package schema

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"strings"
	"sync"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/kube-openapi/pkg/schemaconv"
	"k8s.io/kube-openapi/pkg/spec3"
	"k8s.io/kube-openapi/pkg/validation/spec"
	"k8s.io/utils/lru"
	smd "sigs.k8s.io/structured-merge-diff/v6/schema"
)

// Document is one OpenAPI v3 document, as it was read: what a release publishes of a
// group version. It is shared by whoever reads the same bytes, and nobody changes it.
type Document struct {
	// Definitions are those of its components, by name.
	Definitions map[string]*spec.Schema
	strategic   map[groupVersionKind]bool
	kinds       func() (map[groupVersionKind]Kind, error)
}

// keptDocuments is how many documents stay in memory: of five releases the ones that
// scenarios use. The runs of one process ask for the same few again and again, and to
// read the largest takes a tenth of a second.
const keptDocuments = 48

// documents are those that were read last, by their digest.
var documents = lru.New(keptDocuments)

// Read reads a document. It returns an error if the data is not a document, or is too large.
func Read(document []byte) (*Document, error) {
	digest := sha256.Sum256(document)
	if read, ok := documents.Get(digest); ok {
		return read.(*Document), nil
	}
	read, err := readDocument(document)
	if err != nil {
		return nil, err
	}
	documents.Add(digest, read)
	return read, nil
}

func readDocument(document []byte) (*Document, error) {
	if err := CheckBounds(document); err != nil {
		return nil, err
	}
	var doc spec3.OpenAPI
	if err := json.Unmarshal(document, &doc); err != nil {
		return nil, fmt.Errorf("openapi: %s", oneVoice.Replace(err.Error()))
	}
	if doc.Components == nil {
		return nil, fmt.Errorf("openapi: the document has no components")
	}
	for name, definition := range doc.Components.Schemas {
		if definition == nil {
			return nil, fmt.Errorf("openapi: definition %q is null", name)
		}
	}
	d := &Document{Definitions: doc.Components.Schemas, strategic: takeStrategic(doc.Paths)}
	d.kinds = sync.OnceValues(d.readKinds) // who asks for patches alone needs none
	return d, nil
}

// oneVoice has an error say the same in every process: the parser says "cannot" in one
// and "unable to" in another, so that nobody relies on its words.
var oneVoice = strings.NewReplacer("json: unable to ", "json: cannot ")

func (d *Document) readKinds() (map[groupVersionKind]Kind, error) {
	converted, err := schemaconv.ToSchemaFromOpenAPI(d.Definitions, false)
	if err != nil {
		return nil, fmt.Errorf("openapi: %w", err)
	}
	keepOwn(d.Definitions, converted)
	kinds := map[groupVersionKind]Kind{}
	needed, ofValues := gatesOf(d.Definitions)
	stages := stagesOf(d.Definitions)
	unions, enums, types, nulls, spelled := unionsOf(d.Definitions), enumsOf(d.Definitions), jsonTypesOf(d.Definitions), nullsOf(d.Definitions), spelledOf(d.Definitions)
	for name, definition := range d.Definitions {
		if gvk, is := declared(definition.Extensions); is {
			kinds[gvk] = Kind{
				schema: converted, root: smd.TypeRef{NamedType: &name}, gates: needed, values: ofValues, stages: stages, unions: unions, enums: enums, types: types, nulls: nulls, spelled: spelled,
			}
		}
	}
	return kinds, nil
}

// Definition is that of a kind by its apiVersion, such as apps/v1, and name; nil for
// none.
func (d *Document) Definition(apiVersion, kind string) *spec.Schema {
	for _, definition := range d.Definitions {
		if gvk, is := declared(definition.Extensions); is && gvk == (groupVersionKind{apiVersion, kind}) {
			return definition
		}
	}
	return nil
}

// TakesStrategic reports whether a kind's path accepts strategic merge patches.
func (d *Document) TakesStrategic(apiVersion, kind string) bool {
	return d.strategic[groupVersionKind{apiVersion, kind}]
}

// takeStrategic are the kinds with a path that does.
func takeStrategic(paths *spec3.Paths) map[groupVersionKind]bool {
	found := map[groupVersionKind]bool{}
	if paths == nil {
		return found
	}
	for _, p := range paths.Paths {
		if p == nil || p.Patch == nil || p.Patch.RequestBody == nil {
			continue
		}
		_, takes := p.Patch.RequestBody.Content[string(types.StrategicMergePatchType)]
		if gvk, is := declared(p.Patch.Extensions); takes && is {
			found[gvk] = true
		}
	}
	return found
}

// declared reads the extension by which Kubernetes ties a definition, or an operation,
// to its group, version and kind: of a definition it is a list, of an operation one
// entry. Definitions without it are parts of others; those with several
// (DeleteOptions) are no kinds that anyone stores.
func declared(extensions spec.Extensions) (groupVersionKind, bool) {
	entry := extensions["x-kubernetes-group-version-kind"]
	if list, is := entry.([]any); is && len(list) == 1 {
		entry = list[0]
	}
	fields, is := entry.(map[string]any)
	group, _ := fields["group"].(string)
	version, _ := fields["version"].(string)
	kind, _ := fields["kind"].(string)
	return groupVersionKind{strings.TrimPrefix(group+"/"+version, "/"), kind}, is
}
