package blame

import (
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/sim/oracle/trace"
	"github.com/skewsim/skewsim/sim/schema"
)

// appliedBy returns the fields that, according to an object's managedFields, a manager applied to
// the object itself; nil if none exist.
func appliedBy(object map[string]any, manager string) *fieldpath.Set {
	meta, _ := object["metadata"].(map[string]any)
	entries, _ := meta["managedFields"].([]any)
	for _, one := range entries {
		entry, _ := one.(map[string]any)
		part, _ := entry["subresource"].(string)
		if entry["manager"] != manager || entry["operation"] != "Apply" || part != "" {
			continue
		}
		if set := trace.OwnedFields(entry); set != nil {
			return set
		}
	}
	return nil
}

// owns reports whether a set of fields has the path, or an atomic field above it.
func owns(set *fieldpath.Set, k schema.Kind, p fieldpath.Path) bool {
	if set == nil {
		return false
	}
	for i := 1; i < len(p); i++ {
		if set.Has(p[:i]) && k.Atomic(p[:i]) {
			return true
		}
	}
	return set.Has(p)
}
