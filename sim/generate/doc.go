// Package generate turns the schema that a release publishes for a kind into valid objects:
// values from the schema and a seed, added to an example of the kind if there is one, and
// repaired by a server's structured errors until the server accepts them.
//
// A seed and a number determine an object, in whichever order objects are generated. The
// package sends nothing: the caller passes it the refusals. It knows no kind by name and no
// release.
//
//	draft := generate.New(generate.Request{Kind: kind, Seed: 1, Number: 7})
//	for refusal := send(draft.Object()); refusal != nil && draft.Repair(refusal); refusal = send(draft.Object()) {
//	}
package generate
