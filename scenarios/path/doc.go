// Package path defines skewsim's only syntax for the path of a value in an object. It turns
// text into a fieldpath.Path of structured-merge-diff and back, and reads and writes
// unstructured content at such a path.
//
// The syntax is what fieldpath.Path prints, made unambiguous:
//
//	.spec.replicas                                     a field
//	.spec.volumes[name="v"].emptyDir                   an element of a list with a key
//	.spec.ports[containerPort=80,protocol="TCP"].name  an element of a list with several keys
//	.metadata.finalizers[="x"]                         an element of a set
//	.spec.args[0]                                      an element of a plain list
//	.metadata.labels["app.kubernetes.io/name"]         a field with an odd name
//
// A name of ASCII letters, digits, "_", "-" and "$" follows a dot as it
// stands. Any other name is quoted in brackets, where fieldpath prints
// .metadata.labels.app.kubernetes.io/name, which could be three fields or one.
// The names of keys are written the same way; those that do not start with a
// letter, "_" or "$" are quoted too. Strings are quoted as Go quotes them. The
// values of keys and sets are strings, numbers, booleans or null, as
// structured-merge-diff has it.
//
// Parse and String are inverse: equal paths print the same text, and that text
// parses to an equal path. The package knows no schema, so it takes an element
// by the keys that are written down, never by a key's default. It never
// panics, whatever it is given.
//
//	p, err := path.Parse(`.spec.volumes[name="v"].emptyDir.mode`)
//	mode, found := path.Get(pod, p)
package path
