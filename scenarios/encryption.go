package scenarios

import (
	"slices"
	"strings"
)

// Holds tells whether what was encrypted by a provider with a key can be read, of a
// resource such as secrets or widgets.example.dev; "": of any that it is about.
func (e *Encryption) Holds(resource, provider, key string) bool {
	return e != nil && e.covers(resource) && (string(e.Provider) == provider && e.Key == key || slices.Contains(e.Reads, key))
}

// covers tells whether it is about a resource: by its name, by its group, as *.apps
// or *. for the core, or all, as *.*.
func (e *Encryption) covers(resource string) bool {
	name, group, _ := strings.Cut(resource, ".")
	return resource == "" || slices.ContainsFunc(e.Resources, func(one string) bool {
		of, in, _ := strings.Cut(one, ".")
		return one == "*.*" || in == group && (of == name || of == "*" && strings.Contains(one, "."))
	})
}
