package term

import "slices"

// CheckName names one promise that the oracle judges.
type CheckName string

// The checks.
const (
	CheckNothingLost       CheckName = "nothing-lost"
	CheckEverythingDecodes CheckName = "everything-decodes"
	CheckStaysWritable     CheckName = "stays-writable"
	CheckResurrection      CheckName = "resurrection"
	CheckRule1             CheckName = "rule-1"
	CheckRule2             CheckName = "rule-2"
	CheckRule3             CheckName = "rule-3"
	CheckRule4             CheckName = "rule-4"
	CheckRule5             CheckName = "rule-5"
	CheckRule6             CheckName = "rule-6"
	CheckInstalls          CheckName = "installs"
	CheckAnswers           CheckName = "answers"
	CheckEmulates          CheckName = "emulates"
)

// Checks lists every check with its guarantee, the sentence that every report shows beside the
// verdict.
func Checks() List[CheckName] {
	return List[CheckName]{
		{CheckNothingLost, "every value that a client sent is acknowledged, unless its feature gate is off, and stays as it was acknowledged until an operation names its path"},
		{CheckEverythingDecodes, "every stored value can be read by GET, each form of LIST, WATCH, and a server that starts, by every release that serves its kind; and deleted, as a dry run, through every live replica after each roll-out"},
		{CheckStaysWritable, "after every roll-out each object can still be written through every live replica: a label, a finalizer, its own bytes, /status and /scale"},
		{CheckResurrection, "no value of an object that nothing wrote, which a rollback hid from every live replica, reappears on the next upgrade"},
		{CheckRule1, "every call that succeeded before the upgrade, on an object that does not use the change, succeeds when it is repeated"},
		{CheckRule2, "every such call, and every create of an equal body, has the effect that it had before the upgrade, and stored objects are served as they were: the same values, the same defaults"},
		{CheckRule3, "no call that uses the change makes a server without it fail, unless that server fails in the same way on every unknown field; and no call makes a server panic"},
		{CheckRule4, "every value stays when the object is written through another served API version and read back"},
		{CheckRule5, "every call by an old client on an object that uses the change succeeds where the same call on one that does not use it did"},
		{CheckRule6, "after a rollback every object that does not use the change is served as it was before, unless an operation wrote it"},
		{CheckInstalls, "every manifest of a release is accepted by its servers at each roll-out, in place of the manifest before it"},
		{CheckAnswers, "every call, except those on control copies, is answered as its line declares: with success, unless respond says otherwise"},
		{CheckEmulates, "a server that emulates an earlier release answers as that release does: the same call at the same stage, and what is stored"},
	}
}

// Rule is the obligation that a finding breaks. The sources are the sections of Kubernetes'
// "Changing the API" guide.
type Rule string

// The rules. rule-1 to rule-6 carry the numbers of the guide's own list in
// its section "On compatibility".
const (
	Rule1            Rule = "rule-1"
	Rule2            Rule = "rule-2"
	Rule3            Rule = "rule-3"
	Rule4            Rule = "rule-4"
	Rule5            Rule = "rule-5"
	Rule6            Rule = "rule-6"
	RuleStorage      Rule = "storage"
	RuleLifecycle    Rule = "lifecycle"
	RuleWritable     Rule = "stays-writable"
	RuleResurrection Rule = "resurrection"
	RuleEmulation    Rule = "emulation"
	RuleInstallable  Rule = "installs"
)

// Rules lists every Rule.
func Rules() List[Rule] {
	return List[Rule]{
		{Rule1, "a call that succeeded before the change succeeds after it"},
		{Rule2, "a call that does not use the change behaves as before"},
		{Rule3, "a call that uses the change does no harm on a server without it"},
		{Rule4, "the change round-trips through every served API version with nothing lost"},
		{Rule5, "old clients keep working as before while the change is in use"},
		{Rule6, "after a rollback objects that do not use the change are untouched; those that do are impacted, and the report says how"},
		{RuleStorage, "everything stored decodes in every release that may have to read it"},
		{RuleLifecycle, "a field behind a disabled gate is cleared on create, and on update unless the stored object already has it; one that was published as alpha behind a gate, or as deprecated, may go"},
		{RuleWritable, "an object that was writable before a roll-out is writable after it: a label, a finalizer, its own bytes, /status and /scale"},
		{RuleResurrection, "a value hidden by a rollback and not rewritten reappears on re-upgrade: it is reported"},
		{RuleEmulation, "a server that emulates an earlier release behaves as that release does (KEP-4330); where it does not, a rollback to the emulated version does not show what a rollback to the release does"},
		{RuleInstallable, "what a release brings can be installed over the release before it, and over the one after it"},
	}
}

// Class distinguishes a broken rule from a consequence that the guide permits.
type Class string

// The classes of a finding.
const (
	Violation Class = "violation"
	Impact    Class = "impact"
)

// Classes lists every Class.
func Classes() List[Class] {
	return List[Class]{
		{Violation, "a rule is broken"},
		{Impact, "what rule-6 says must be expected of objects that use the change; what emulation does not reach; and what the types of a client older than both releases leave out"},
	}
}

// Cause is why a value is not what was acknowledged. It is derived from request, response,
// schema and stored bytes.
type Cause string

// The causes.
const (
	UnknownField     Cause = "unknown-field"
	ReadHidden       Cause = "read-hidden"
	ClientOmitted    Cause = "client-omitted"
	ListReplaced     Cause = "list-replaced"
	ApplyReleased    Cause = "apply-released"
	GateDisabled     Cause = "gate-disabled"
	ElementGone      Cause = "element-dropped"
	UnionEmptied     Cause = "union-emptied"
	UnknownValue     Cause = "unknown-value"
	InvalidValue     Cause = "invalid-value"
	WrongType        Cause = "wrong-type"
	NotRatcheted     Cause = "not-ratcheted"
	Required         Cause = "required-field"
	Immutable        Cause = "immutable-field"
	AskedStrict      Cause = "strict-validation"
	Pruned           Cause = "pruned"
	Defaulted        Cause = "defaulted"
	Converted        Cause = "converted"
	NotConverted     Cause = "conversion-failed"
	NotAdmitted      Cause = "admission-webhook"
	NoProgram        Cause = "program-absent"
	BadVersion       Cause = "storage-version"
	BadEncoding      Cause = "encoding"
	KeyMissing       Cause = "key-missing"
	Misread          Cause = "client-misread"
	ServerPanic      Cause = "server-panic"
	NotServed        Cause = "version-not-served"
	OtherSubresource Cause = "other-subresource"
	NotSelectable    Cause = "not-selectable"
	Unattributed     Cause = "unattributed"
)

// Causes lists every Cause.
func Causes() List[Cause] {
	return List[Cause]{
		{UnknownField, "a server whose release does not know the field rewrote the object"},
		{ReadHidden, "a client read through a server that hides the field, then wrote the whole object back"},
		{ClientOmitted, "the client was shown the field, and its types could not carry it back"},
		{ListReplaced, "a patch or an apply replaced a whole list, without what the client could not carry"},
		{ApplyReleased, "the manager that had applied the field applied again without it, which gives up the field"},
		{GateDisabled, "a server that publishes the field dropped it, because the field's feature gate is off there"},
		{ElementGone, "a server dropped the whole list element or map entry that held the value, with all that is in it"},
		{UnionEmptied, "a server dropped the only member that was set, and left an empty object, which needs one"},
		{UnknownValue, "the value is not one that the server, of its release and with its gates, accepts for the field"},
		{InvalidValue, "the value breaks a rule of the server's release, such as a bound or a pattern"},
		{WrongType, "the value has not the type that the server's release has for the field"},
		{NotRatcheted, "the server applied a new validation rule to a stored value that the call did not change"},
		{Required, "the server requires a field that the object does not have"},
		{Immutable, "the server never changes the field of an object that exists"},
		{AskedStrict, "the client asked the server to refuse fields that it does not know"},
		{Pruned, "a server pruned what the schema of the custom resource does not declare"},
		{Defaulted, "a default replaced the value, or its absence"},
		{Converted, "a conversion, between API versions or from the stored form to the served one, did not carry the value"},
		{NotConverted, "the conversion webhook did not convert the object: it refused, ended, or answered what the server does not accept"},
		{NoProgram, "nobody converted or admitted the object: no program runs beside the servers, or the release that should have one has none"},
		{NotAdmitted, "an admission webhook of the release refused the call, changed what it sent, or did not answer"},
		{BadVersion, "the value is stored in an API version that the release cannot read"},
		{BadEncoding, "the value is stored in an encoding that the release cannot read, or under a tag or a name that it reads as another field's"},
		{KeyMissing, "the value is encrypted with a key that the release was not given"},
		{Misread, "the server answered with success, and the client's types could not read the answer"},
		{ServerPanic, "the server's own code panicked: its log says in which function, at which line"},
		{NotServed, "the client asked for an API version in which the server does not serve the kind: the 404 says nothing about what is stored"},
		{OtherSubresource, "the kind has another subresource in the server's release, so that this part of the object is written elsewhere or not at all"},
		{NotSelectable, "lists of the server's release cannot be selected by the field"},
		{Unattributed, "the evidence does not say why"},
	}
}

// UnmarshalText reads a cause; words of earlier versions are read as what they are now. It returns no
// error: a later version may have words that this one does not know.
func (c *Cause) UnmarshalText(text []byte) error {
	*c = Cause(text)
	if *c == "converter-absent" {
		*c = NoProgram
	}
	return nil
}

// Generation is what an object's generation did when a value of its spec changed. It is empty
// if the generation changed as it should.
type Generation string

// Unmoved is the only word: clients that wait for the generation see no change.
const Unmoved Generation = "unmoved"

// Generations lists every Generation.
func Generations() List[Generation] {
	return List[Generation]{
		{Unmoved, "the spec is served with another value, and metadata.generation is what it was: controllers and GitOps tools that wait for it see nothing"},
	}
}

// VerdictWord is the verdict of a check, or of a whole run.
type VerdictWord string

// The verdicts.
const (
	Pass          VerdictWord = "pass"
	Fail          VerdictWord = "fail"
	Impacts       VerdictWord = "impacts"
	Unknown       VerdictWord = "unknown"
	NotApplicable VerdictWord = "not-applicable"
)

// Verdicts lists every verdict.
func Verdicts() List[VerdictWord] {
	return List[VerdictWord]{
		{Pass, "the findings are exactly those that the scenario expects"},
		{Fail, "a finding was not expected, or an expected one was not seen"},
		{Impacts, "no rule is broken: only impacts were found, and the scenario does not say which it expects"},
		{Unknown, "there was too little evidence to judge what was due"},
		{NotApplicable, "a check has no subject in this run, so nothing was due"},
	}
}

// WorseThan reports whether a verdict is worse than another one, so that it is the verdict of
// both.
func (v VerdictWord) WorseThan(other VerdictWord) bool {
	return slices.Index(rising(), v) > slices.Index(rising(), other)
}

// rising lists the verdicts, the worst last. An unknown word is better than all.
func rising() []VerdictWord { return []VerdictWord{Pass, Impacts, Unknown, Fail} }
