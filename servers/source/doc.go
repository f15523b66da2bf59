// Package source reads what the Go source of a release says and its OpenAPI does not.
//
// Of API types it reads feature gates (+featureGate=Name), validation rules (+k8s: tags) and
// protobuf numbers; of the server's module feature gates with their stages, storage versions,
// default admission plug-ins, bootstrap roles and field selectors. [Facts] holds all of it,
// with a list of what could not be read. It starts no server and compares no releases.
package source
