package published

import (
	"encoding/json"
	"slices"
)

// Release is what one release publishes.
type Release struct {
	Name      string // as the user named it: kube-apiserver@v1.36.3, a folder
	Component string // "" if nothing says
	Version   string // "" if nothing says
	// Documents are the OpenAPI v3 documents by group version: v1, apps/v1; of files by their
	// names.
	Documents map[string][]byte
	// Resources are what discovery lists, for a release that has discovery.
	Resources []Resource
	// Preferred is the preferred version of each group, for a release that has discovery.
	Preferred map[string]string
	// Features are the gates that the server reports, by name.
	Features map[string]Feature
	// Facts are what the source of the release says, as package source of the servers reads it;
	// nil: there is no source at hand.
	Facts json.RawMessage
	// Missing are what the release does not tell, each with the reason.
	Missing []string
}

// Resource is one resource of a release.
type Resource struct {
	APIVersion   string
	Kind         string
	Plural       string
	Namespaced   bool
	ShortNames   []string
	Categories   []string
	Verbs        []string // nil: the source names none
	Subresources []string
	// StorageVersionHash identifies the version that the kind is stored in; "" if the release
	// does not tell.
	StorageVersionHash string
	// StorageVersion is that version; "" if nothing names it.
	StorageVersion string
	// Custom reports that manifests define the kind.
	Custom bool
	// Unserved are the versions of the kind's definition that servers do not serve. They are of manifests only.
	Unserved []string
	// Conversion says how versions of the kind are converted, and Columns which columns a table
	// of it has beside its name, as NAME PATH TYPE and what else it has. Selectable are the paths of fields that lists
	// can be selected by. They are of manifests only.
	Conversion          string
	Columns, Selectable []string
	// Scale has the paths of the scale subresource, Metadata the rules for the object's metadata, as
	// JSON; "": none. They are of manifests only.
	Scale, Metadata string
	// Singular and ListKind are further names of the kind; Deprecated is what servers warn clients of that use the
	// version, "": nothing. They are of manifests only.
	Singular, ListKind, Deprecated string
}

// Feature is a feature gate as a server reports it.
type Feature struct {
	Stage string // ALPHA, BETA, DEPRECATED, "" for GA
	On    bool
}

// IsCreatable reports whether objects of a resource can be created and read, as far as is known.
func (r Resource) IsCreatable() bool {
	return len(r.Verbs) == 0 || slices.Contains(r.Verbs, "create") && slices.Contains(r.Verbs, "get")
}
