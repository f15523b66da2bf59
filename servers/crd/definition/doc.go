// Package definition reads a CustomResourceDefinition as a server has it.
//
// It turns the JSON of a definition into the typed definition with a server's defaults, and into
// what a server publishes of each version. It validates nothing and needs no server.
package definition
