// Package lint turns what an API server publishes of its fields into findings: where
// it does not say, or says wrongly, how far a field has come (KEP-2558's
// x-kubernetes-api-lifecycle).
//
// It reads OpenAPI v3 documents through package schema, as the oracle does, and never
// asks a server or opens a file: whoever calls it has done so.
package lint
