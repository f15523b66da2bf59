// Package search finds the smallest valid object that has one field of a kind.
//
// It starts from objects that are known to be valid and from required members, lays the field
// over them, and follows the structured errors and the words of a server's refusals. If a
// repair leads nowhere, the search continues from another object. The package sends nothing:
// the caller passes it the refusals. It knows no kind by name and no release; what no schema
// and no refusal states, hints and examples do.
//
//	s, ok := search.New(search.Request{Kind: kind, Path: ".spec.parts[].weight"})
//	for refusal := send(s.Object()); refusal != nil && s.Repair(refusal); refusal = send(s.Object()) {
//	}
package search
