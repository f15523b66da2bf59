package term

import "fmt"

// Advice is what Kubernetes' "Changing the API" asks from those who make a change, in our
// words.
type Advice struct {
	// Text is a sentence or two; "" if the guide has no advice.
	Text string
	// Heading is the part of the guide that Text is from; "" without Text.
	Heading string
	// Why says why no advice is needed, if there is no Text.
	Why string
}

// String returns the advice with its source, as reports show it, or "".
func (a Advice) String() string {
	if a.Text == "" {
		return ""
	}
	return fmt.Sprintf("%s (Changing the API: %s)", a.Text, a.Heading)
}

// The headings of the guide that advice is from.
const (
	onCompatibility = "On compatibility"
	addingAField    = "Adding a field"
	gotchas         = "Backward compatibility gotchas"
	newField        = "New field in existing API version"
	ratcheting      = "Ratcheting validation"
	newEnumValue    = "New enum value in existing field"
	conversions     = "Edit version conversions"
)

// AdviceOnRule returns the guide's advice for a broken rule; the zero Advice for an unknown
// word.
func AdviceOnRule(rule Rule) Advice {
	return map[Rule]Advice{
		Rule1: {Text: "What succeeded must go on succeeding: make no field required, turn no valid value invalid, and let nothing that could be changed become immutable. Where validation must tighten, hold stored objects to it no more than they were.",
			Heading: onCompatibility},
		Rule2: {Text: "Give a new field a default with which everything written before means what it meant, and change no default, nor what one means, that is there already.",
			Heading: addingAField},
		Rule3: {Text: "A call that uses the change may lose what an older server does not know, and must not make that server fail: try it on the release before, and let new values in only when that release tolerates them.",
			Heading: onCompatibility},
		Rule4: {Text: "Whatever can be said in one served version must come back from every other unchanged: add what a version cannot hold to that version too, and test the round trip with random objects.",
			Heading: conversions},
		Rule5: {Text: "Old clients must go on as they did while others use the change: where a value gets a second representation, the server keeps both in step, whichever of them a client knows.",
			Heading: onCompatibility},
		Rule6: {Text: "Rolling back must leave alone what does not use the change, so have defaults, migrations and new forms of storage touch nothing but its users; and tell those users what a rollback costs them.",
			Heading: onCompatibility},
		RuleStorage: {Text: "Do not store in a version, or in a form, that the release before cannot read: a new version is served for a release before it becomes the one that is stored, and names and protobuf tags of removed fields are never used again.",
			Heading: gotchas},
		RuleLifecycle: {Text: "Put the field behind a gate that is off by default. While it is off, clear the field on create, and on update unless the stored object uses it already; validate it wherever it is there.",
			Heading: newField},
		RuleWritable: {Text: "Tighten by ratcheting: hold new objects to the new rule, and let those that break it already be written, so that labels, finalizers and status can still change.",
			Heading: ratcheting},
		RuleResurrection: {Text: "Objects that use the change are impacted by a rollback, and their values may come back with the next upgrade: say so in the notes of the release, and have users check such objects before they upgrade again.",
			Heading: onCompatibility},
		RuleEmulation:   {Why: "emulated versions are not in the guide: KEP-4330 has them"},
		RuleInstallable: {Why: "the guide is about built-in kinds: how manifests are taken is the definition's own matter"},
	}[rule]
}

// AdviceOnCause returns the guide's advice against a cause; the zero Advice for an unknown
// word.
func AdviceOnCause(cause Cause) Advice {
	return map[Cause]Advice{
		UnknownField: {Text: "An older server drops what it does not know with any write, so have the field disabled by default until no supported release lacks it, and turn it on only when no such server is left.",
			Heading: newField},
		ReadHidden: {Text: "What is read through a server without the field must not be written back whole while servers are mixed: keep the field's gate off until all of them know it.",
			Heading: newField},
		ClientOmitted: {Text: "Old clients cannot send what they do not know: where the field stands beside one that they do, the server fills it in again from that one; elsewhere patches are the way to write.",
			Heading: "Making a singular field plural"},
		ListReplaced:  {Why: "the patch says that the list is replaced: it is the client that must send it whole, or patch by key"},
		ApplyReleased: {Why: "giving a field up by leaving it out is what apply is for: the manager that applies must know the field"},
		GateDisabled: {Text: "With the gate off the field is cleared on create, and on update only where the stored object does not use it: an update must keep what is in use.",
			Heading: newField},
		ElementGone: {Text: "With the gate off clear the new field, and no more than that: the element around it was valid before, and stays.",
			Heading: newField},
		UnionEmptied: {Text: "A new member of a union is a new option that older releases do not know: add it only where the union was made to grow, and let them tolerate it before it can be set.",
			Heading: gotchas},
		UnknownValue: {Text: "A new value takes two releases: the first takes it on update of objects that hold it already, the second on create too.",
			Heading: newEnumValue},
		InvalidValue: {Text: "A value that was valid stays valid: where a rule must tighten, hold new values to it, and let stored ones be.",
			Heading: onCompatibility},
		WrongType: {Text: "A field keeps its type: another type is another field, or another version.",
			Heading: onCompatibility},
		NotRatcheted: {Text: "Validate an update by the new rule only where the value changed: what was stored under the old rule may stay as it is.",
			Heading: ratcheting},
		Required: {Text: "A new field is optional, or has a default: what was valid without it stays valid.",
			Heading: onCompatibility},
		Immutable:   {Why: "no server changes such a field: what needs another value is another object, or another kind"},
		AskedStrict: {Why: "strict field validation does what the client asked for: nothing is lost"},
		Pruned:      {Why: "a field that the schema of a custom resource does not declare is dropped by design: the definition with the field is to be installed first"},
		Defaulted: {Text: "A default must not take the place of a value, and must mean the same in every version: non-nil in all of them, and equal to what an unset value meant.",
			Heading: gotchas},
		Converted: {Text: "Conversion must carry every value both ways: write it by hand where forms differ, and let the fuzzer's round trip show what it drops.",
			Heading: conversions},
		NotConverted: {Text: "Conversion must carry every object that a version accepts: an optional field may be absent, and an object that cannot be converted hides the others of its kind.",
			Heading: conversions},
		NotAdmitted: {Text: "Validate and default an update by the new rule only where the value changed, and never in place of what a user set: what another release stored must stay as it is.",
			Heading: ratcheting},
		NoProgram: {Why: "while no program runs nobody converts: roll the program out before a definition that needs it, and keep one that converts for as long as the definition names it"},
		BadVersion: {Text: "Do not make a new version the stored one in the release that introduces it: a rollback then cannot read it.",
			Heading: gotchas},
		BadEncoding: {Text: "Names and protobuf tags of fields that are gone are kept reserved by a tombstone, and never given to another field.",
			Heading: newField},
		KeyMissing:  {Why: "keys of encryption are the operator's, and no part of an API: give every replica a new key to read with before any writes with it"},
		Misread:     {Text: "Clients of earlier releases must be able to read every answer: what they take for a number, a text or a closed list of words stays one in that version.", Heading: onCompatibility},
		ServerPanic: {Why: "no server may panic, whatever it is sent: report the function and the line, with the object"},
		NotServed: {Text: "Serve a version in every release that clients may meet before discovery prefers it, and as long as clients may ask for it.",
			Heading: gotchas},
		OtherSubresource: {Text: "A part of an object that clients write through one subresource, or through none, stays writable there in that version.",
			Heading: onCompatibility},
		NotSelectable: {Text: "What lists could be selected by stays selectable in that version: clients ask for it.",
			Heading: onCompatibility},
		Unattributed: {Why: "without a cause there is nothing to advise beyond what the rule asks"},
	}[cause]
}
