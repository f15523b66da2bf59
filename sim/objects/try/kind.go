package try

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/skewsim/skewsim/sim/client"
	"github.com/skewsim/skewsim/sim/objects"
	"github.com/skewsim/skewsim/sim/published"
	"github.com/skewsim/skewsim/sim/schema"
)

// kind is what the server publishes of one kind, and its live objects.
type kind struct {
	published.Resource
	generate objects.Kind
	schema   schema.Kind
	examples []map[string]any
	naming   objects.Naming

	mu    sync.Mutex
	lives map[string]*live // by the hint that they are made of
}

// live is an object of a kind that was created for real, so that updates can be tried on it.
type live struct {
	label  string
	hinted map[string]any // what it is made of; nil: an example
	field  string         // that it has; "": any object is good
	once   sync.Once
	name   string
	sent   map[string]any // as it was created
	read   map[string]any // as the server answered; nil: it does not exist
	reason string         // why it does not exist
	there  *place         // on the server of the other release; nil: it does not exist there
}

// kindOf returns a kind, or the reason why objects of it cannot be made.
func (e *exerciser) kindOf(apiVersion, name string) (*kind, string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	key := apiVersion + " " + name
	if k, known := e.kinds[key]; known {
		return k, ""
	}
	i := slices.IndexFunc(e.Release.Resources, func(r published.Resource) bool { return r.APIVersion == apiVersion && r.Kind == name })
	if i < 0 {
		return nil, fmt.Sprintf("the release that the object needs does not serve %s %s", apiVersion, name)
	}
	r := e.Release.Resources[i]
	if !r.IsCreatable() {
		return nil, fmt.Sprintf("%s %s: objects of the kind are not stored: the server allows %s", apiVersion, name, strings.Join(r.Verbs, ", "))
	}
	k, err := e.read(r)
	if err != nil {
		return nil, err.Error()
	}
	e.kinds[key] = k
	return k, ""
}

// read reads what the release publishes of a kind.
func (e *exerciser) read(r published.Resource) (*kind, error) {
	document := e.Release.Documents[r.APIVersion]
	if document == nil {
		return nil, fmt.Errorf("%s: the server publishes no schema", r.APIVersion)
	}
	definitions, err := e.definitions(r.APIVersion, document)
	if err != nil {
		return nil, err
	}
	made, has := definitions.generate.Kind(r.APIVersion, r.Kind, r.Subresources)
	known, in := definitions.schema.Kind(r.APIVersion, r.Kind)
	if !has || !in {
		return nil, fmt.Errorf("%s %s: the server publishes no schema", r.APIVersion, r.Kind)
	}
	k := &kind{Resource: r, generate: made, schema: known, lives: map[string]*live{}}
	if e.Examples != nil {
		for _, example := range e.Examples(r.APIVersion, r.Plural) {
			k.examples = append(k.examples, e.homed(r, example))
		}
	}
	if len(k.examples) > 0 {
		k.naming = objects.NamingOf(k.examples[0])
	}
	return k, nil
}

// documentOf is a document of one group version, as both packages read it.
type documentOf struct {
	generate objects.Definitions
	schema   *schema.Schema
}

// definitions reads a document once. The caller holds the lock.
func (e *exerciser) definitions(apiVersion string, document []byte) (documentOf, error) {
	if d, read := e.documents[apiVersion]; read {
		return d, nil
	}
	definitions, err := objects.ReadDefinitions(document)
	if err != nil {
		return documentOf{}, fmt.Errorf("%s: %w", apiVersion, err)
	}
	parsed, err := schema.Parse([][]byte{document})
	if err != nil {
		return documentOf{}, fmt.Errorf("%s: %w", apiVersion, err)
	}
	if e.documents == nil {
		e.documents = map[string]documentOf{}
	}
	if e.other != nil && e.other.Release.Documents[apiVersion] != nil {
		theirs, err := objects.ReadDefinitions(e.other.Release.Documents[apiVersion])
		if err != nil {
			return documentOf{}, fmt.Errorf("%s of the other release: %w", apiVersion, err)
		}
		definitions = definitions.NarrowedBy(theirs)
	}
	e.documents[apiVersion] = documentOf{definitions, parsed}
	return e.documents[apiVersion], nil
}

// homed returns an example in the exerciser's namespace.
func (e *exerciser) homed(r published.Resource, example map[string]any) map[string]any {
	object := copyOf(example)
	metadata, _ := object["metadata"].(map[string]any)
	if metadata == nil {
		metadata = map[string]any{}
		object["metadata"] = metadata
	}
	delete(metadata, "namespace")
	if r.Namespaced {
		metadata["namespace"] = e.Namespace
	}
	return object
}

// subresourceOf returns the subresource through which a path is written: servers clear the
// member of its name when an object is created. "": the path is written with the object.
func (k *kind) subresourceOf(path string) string {
	first, _, _ := strings.Cut(strings.TrimPrefix(path, "."), ".")
	first, _, _ = strings.Cut(first, "[")
	if slices.Contains(k.Subresources, first) {
		return first
	}
	return ""
}

// updates returns the subresources that may take a path that the object is not created with:
// "" is the object itself.
func (k *kind) updates(path string) []string {
	all := []string{""}
	lower := strings.ToLower(path)
	for _, sub := range k.Subresources {
		if strings.Contains(lower, "."+strings.ToLower(sub)) {
			all = append(all, sub)
		}
	}
	return all
}

// resource returns where objects of the kind are.
func (e *exerciser) resource(k *kind) client.Resource {
	r := client.Resource{APIVersion: k.APIVersion, Plural: k.Plural}
	if k.Namespaced {
		r.Namespace = e.Namespace
	}
	return r
}
