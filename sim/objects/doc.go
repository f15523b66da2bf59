// Package objects generates valid objects from the schema that a release publishes, and
// repairs them with the structured errors of servers.
//
// A seed and a number determine an object, in whichever order objects are generated. The
// package sends nothing: the caller passes it the refusals. It knows no kind by name and no
// release.
//
//	draft := objects.New(objects.Request{Kind: kind, Seed: 1, Number: 7})
//	for refusal := send(draft.Object()); refusal != nil && draft.Repair(refusal); refusal = send(draft.Object()) {
//	}
package objects
