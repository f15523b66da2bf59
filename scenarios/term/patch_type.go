package term

// PatchType is a Verb that sends a body that the scenario gives, as it stands.
type PatchType Verb

// PatchTypes lists every PatchType.
func PatchTypes() (all List[PatchType]) {
	for _, e := range Verbs() {
		if e.Word.SendsBody() {
			all = append(all, Entry[PatchType]{Word: PatchType(e.Word), Meaning: e.Meaning})
		}
	}
	return all
}

// Verb returns the type as the verb of an operation.
func (t PatchType) Verb() Verb { return Verb(t) }

// Form returns how the patch is written, or "" if the type is no patch.
func (t PatchType) Form() PatchForm { return t.Verb().PatchForm() }

// PostsPart reports whether the body is an object of another kind, for a subresource.
func (t PatchType) PostsPart() bool { return t.Verb().PostsPart() }
