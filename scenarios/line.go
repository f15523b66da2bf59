package scenarios

// VerbKey returns the line's verb key, from Create to Delete, as the file spells it, and the
// object that it names. A line that Load returns has exactly one.
func (l Line) VerbKey() (key, object string) {
	for _, k := range l.VerbKeys() {
		if k.Object != "" {
			return k.Key, k.Object
		}
	}
	return "", ""
}

// VerbKey is a verb, from Create to Delete, as the file spells it, and the object that the line
// names there; "" if the line does not have the key.
type VerbKey struct{ Key, Object string }

// VerbKeys returns all verbs that a line may have, in the order of Line's fields.
func (l Line) VerbKeys() []VerbKey {
	return []VerbKey{
		{"create", l.Create}, {"touch", l.Touch}, {"set", l.Set}, {"patch", l.Patch},
		{"get", l.Get}, {"list", l.List}, {"delete", l.Delete},
	}
}
