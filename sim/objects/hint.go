package objects

// Hint says what neither a schema nor a refusal states: the value that a field needs, the
// object that it needs around it, or a second object that must exist.
type Hint struct {
	// APIVersion, Kind and Path are the field, as Kind.Fields names it. An empty APIVersion is
	// any version of the kind, an empty Kind any kind, and an empty Path the kind as a whole.
	APIVersion, Kind, Path string
	// Value is the value of the field; nil: any.
	Value any
	// Object is the object to start from; nil: that of any other source.
	Object map[string]any
	// Needs are objects that must exist first, in the order in which they are created.
	Needs []map[string]any
	// Gates are the feature gates that the field needs, in addition to those that its release
	// names.
	Gates []string
	// Why is the reason for the hint.
	Why string
}

// Fits reports whether a hint is for a field of a kind, or for the kind as a whole.
func (h Hint) Fits(apiVersion, kind, field string) bool {
	return (h.APIVersion == "" || h.APIVersion == apiVersion) && (h.Kind == "" || h.Kind == kind) &&
		(h.Path == "" && h.Kind != "" || h.Path == field)
}
