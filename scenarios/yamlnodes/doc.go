// Package yamlnodes turns parsed YAML into what all files that users write have in
// common: where a field stands, the keys of a map, and what no file may hold since servers
// would not read it, or otherwise than it was meant. It reads no file, and never says what
// one means.
package yamlnodes
