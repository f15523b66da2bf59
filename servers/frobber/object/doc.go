// Package object turns a release's Go structs into API objects that k8s.io/apiserver can
// decode, encode, patch, copy and publish.
//
// A release of the train is defined by its structs alone: the spec of 1.1 is that
// of 1.0 and a struct with the new field, as in the guide's listings. Every
// library that looks at Go types, JSON and YAML with their strict errors, strategic merge
// patches, managed fields, then sees exactly what that release's code would have
// had. Nothing is filtered, for there is nothing to filter.
//
// What generators would have written for each struct, this package does by
// reflection: deep copies, protobuf by the fields' tags, OpenAPI definitions,
// and the conversion of fields that have the same name in the internal form.
package object
