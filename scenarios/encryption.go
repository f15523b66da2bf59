package scenarios

import (
	"slices"
	"strings"
)

// Holds reports whether the configuration has a key of a provider to decrypt a resource with,
// such as secrets or widgets.example.dev; "" means any resource that the configuration covers.
func (e *Encryption) Holds(resource, provider, key string) bool {
	return e != nil && e.covers(resource) && (string(e.Provider) == provider && e.Key == key || slices.Contains(e.Reads, key))
}

// covers reports whether the configuration applies to a resource: by name, by group (*.apps, or
// *. for the core group) or to all (*.*).
func (e *Encryption) covers(resource string) bool {
	name, group, _ := strings.Cut(resource, ".")
	return resource == "" || slices.ContainsFunc(e.Resources, func(one string) bool {
		of, in, _ := strings.Cut(one, ".")
		return one == "*.*" || in == group && (of == name || of == "*" && strings.Contains(one, "."))
	})
}
