// Package lint checks the field lifecycles that an API server publishes
// (x-kubernetes-api-lifecycle, KEP-2558).
//
// It reads OpenAPI v3 documents through package schema, as the oracle does, and never
// asks a server or opens a file: whoever calls it has done so.
package lint
