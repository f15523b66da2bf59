package term

// DifferenceKind is what two releases publish or permit differently.
type DifferenceKind string

// The kinds of differences. Added is what only the new release has, removed what only the
// old one has.
const (
	VersionAdded      DifferenceKind = "version-added"
	VersionRemoved    DifferenceKind = "version-removed"
	UnservedRemoved   DifferenceKind = "unserved-version-removed"
	PreferredChanged  DifferenceKind = "preferred-version-changed"
	StorageChanged    DifferenceKind = "storage-version-changed"
	KindAdded         DifferenceKind = "kind-added"
	KindRemoved       DifferenceKind = "kind-removed"
	SubresourceAdded  DifferenceKind = "subresource-added"
	SubresourceGone   DifferenceKind = "subresource-removed"
	NamesChanged      DifferenceKind = "names-changed"
	ColumnsChanged    DifferenceKind = "printer-columns-changed"
	FieldAdded        DifferenceKind = "field-added"
	FieldRemoved      DifferenceKind = "field-removed"
	TypeChanged       DifferenceKind = "type-changed"
	EnumValueAdded    DifferenceKind = "enum-value-added"
	EnumValueRemoved  DifferenceKind = "enum-value-removed"
	DefaultChanged    DifferenceKind = "default-changed"
	RequiredAdded     DifferenceKind = "required-added"
	RequiredRemoved   DifferenceKind = "required-removed"
	ListChanged       DifferenceKind = "list-type-changed"
	MergeChanged      DifferenceKind = "patch-strategy-changed"
	TagChanged        DifferenceKind = "protobuf-tag-changed"
	GateAdded         DifferenceKind = "gate-added"
	GateRemoved       DifferenceKind = "gate-removed"
	GateChanged       DifferenceKind = "gate-changed"
	RuleTightened     DifferenceKind = "rule-tightened"
	RuleRelaxed       DifferenceKind = "rule-relaxed"
	RuleChanged       DifferenceKind = "rule-changed"
	ConversionChanged DifferenceKind = "conversion-changed"
	SelectorAdded     DifferenceKind = "field-selector-added"
	SelectorRemoved   DifferenceKind = "field-selector-removed"
	PluginAdded       DifferenceKind = "admission-plugin-added"
	PluginRemoved     DifferenceKind = "admission-plugin-removed"
	RoleAdded         DifferenceKind = "role-added"
	RoleRemoved       DifferenceKind = "role-removed"
	RoleChanged       DifferenceKind = "role-changed"
	RoundTrip         DifferenceKind = "round-trip"
	BehaviourChanged  DifferenceKind = "behaviour-changed"
)

// IsGate reports whether a feature gate differs.
func (k DifferenceKind) IsGate() bool { return k == GateAdded || k == GateRemoved || k == GateChanged }

// IsRule reports whether what a server accepts as a value differs.
func (k DifferenceKind) IsRule() bool {
	return k == RuleTightened || k == RuleRelaxed || k == RuleChanged
}

// DifferenceKinds lists every DifferenceKind, in the order of reports.
func DifferenceKinds() List[DifferenceKind] {
	return List[DifferenceKind]{
		{VersionAdded, "an API version is served by the new release alone"},
		{VersionRemoved, "an API version is served by the old release alone"},
		{UnservedRemoved, "the old definition alone has the version, which neither release serves: clusters may have stored it once"},
		{PreferredChanged, "the group prefers another version"},
		{StorageChanged, "objects of the kind are stored in another version"},
		{KindAdded, "the kind is served by the new release alone"},
		{KindRemoved, "the kind is served by the old release alone"},
		{SubresourceAdded, "the subresource is served by the new release alone"},
		{SubresourceGone, "the subresource is served by the old release alone"},
		{NamesChanged, "the resource has other names, categories or scope, is deprecated or no longer so, or its scale has other paths"},
		{ColumnsChanged, "a table of the kind has other columns"},
		{FieldAdded, "the field is published by the new release alone"},
		{FieldRemoved, "the field is published by the old release alone"},
		{TypeChanged, "the field has another type or format"},
		{EnumValueAdded, "the value is published by the new release alone"},
		{EnumValueRemoved, "the value is published by the old release alone"},
		{DefaultChanged, "the field has another published default"},
		{RequiredAdded, "the field is required by the new release alone"},
		{RequiredRemoved, "the field is required by the old release alone"},
		{ListChanged, "the list or map has another type or other keys"},
		{MergeChanged, "the list has another patch strategy or merge key"},
		{TagChanged, "the field has another number in protobuf, or a number has another field"},
		{GateAdded, "the feature gate is known to the new release alone"},
		{GateRemoved, "the feature gate is known to the old release alone"},
		{GateChanged, "the feature gate has another stage, default or lock"},
		{RuleTightened, "the new release states a rule that the old one does not state; hand-written validation is not compared"},
		{RuleRelaxed, "the old release states a rule that the new one does not state; hand-written validation is not compared"},
		{RuleChanged, "the releases state the rule differently; hand-written validation is not compared"},
		{ConversionChanged, "versions of the kind are converted in another way"},
		{SelectorAdded, "lists can be selected by the field in the new release alone"},
		{SelectorRemoved, "lists can be selected by the field in the old release alone"},
		{PluginAdded, "the admission plug-in is on by default in the new release alone"},
		{PluginRemoved, "the admission plug-in is on by default in the old release alone"},
		{RoleAdded, "the bootstrap role exists in the new release alone"},
		{RoleRemoved, "the bootstrap role exists in the old release alone"},
		{RoleChanged, "the bootstrap role grants something else"},
		{RoundTrip, "an object of one version is read and written in another one, which a webhook converts: found only by playing"},
		{BehaviourChanged, "an object that uses no published difference is treated differently: found only by playing"},
	}
}
