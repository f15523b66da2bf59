package objects

import "k8s.io/kube-openapi/pkg/validation/spec"

// Root returns the schema of the kind's objects.
func (k Kind) Root() *spec.Schema { return k.root }

// Definitions returns the definitions that the kind's schema refers to.
func (k Kind) Definitions() Definitions { return k.definitions }

// Wide returns the kind as its release publishes it, where the definitions of another release have narrowed it.
func (k Kind) Wide() Kind {
	if k.definitions.wide == nil {
		return k
	}
	wide := Definitions{byName: k.definitions.wide}
	k.definitions, k.root = wide, wide.root(k.APIVersion, k.Name)
	return k
}

// KeyOf returns what distinguishes an element of a list from others; "" if they need not
// differ.
func (d Definitions) KeyOf(list *spec.Schema, element any) string {
	return (&generator{definitions: d}).keyOf(list, element)
}

// With returns the location one token deeper; it shares no memory with l.
func (l Location) With(token string) Location { return l.with(token) }
