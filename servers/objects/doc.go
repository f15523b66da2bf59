// Package objects describes the stored objects that a user brings along, whatever source they
// come from, and what such a source covers.
//
// A [Source] yields each [Object] once, and returns its [Coverage]: what the source is, what
// such a source never shows, and what was skipped, each with the reason. The packages below
// are sources: cluster reads a cluster, manifests reads files, and saved reads what a source
// yielded earlier. The package reads nothing itself, and changes no object.
//
//	coverage, err := source.Each(ctx, func(o objects.Object) error { ... })
package objects
