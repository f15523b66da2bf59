// Package schema reads the kinds that a release publishes, from the OpenAPI v3 documents of
// its group versions.
//
// It turns those documents into Kinds, and an object into its leaves: every
// value with its path, list-map elements by their keys. It says which fields a
// release declares and which of an object's fields it does not. What a server
// publishes is not what it accepts; only trying tells that.
package schema
