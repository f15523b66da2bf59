// Package generate turns what a release publishes of a kind into valid objects: values
// from the schema and a seed, laid beside an example of the kind where there is one, and
// repaired by what a server's structured errors say until the server accepts them.
//
// A seed and a number decide an object, in whichever order objects are generated. The
// package sends nothing: whoever does hands it the refusals. It knows no kind by name, no
// release and no traveller.
//
//	draft := generate.New(generate.Request{Kind: kind, Seed: 1, Number: 7})
//	for refusal := send(draft.Object()); refusal != nil && draft.Repair(refusal); refusal = send(draft.Object()) {
//	}
package generate
