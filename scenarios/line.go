package scenarios

// VerbKey returns which of the verbs from Create to Delete the line holds, as
// it is spelled in the file, and the object it names. A line that Load returns
// holds exactly one.
func (l Line) VerbKey() (key, object string) {
	for _, k := range l.VerbKeys() {
		if k.Object != "" {
			return k.Key, k.Object
		}
	}
	return "", ""
}

// VerbKey is one of the verbs from Create to Delete as the file spells it, and the object
// that the line names there; "" where it has no such key.
type VerbKey struct{ Key, Object string }

// VerbKeys returns all verbs that a line may have, in the order of Line's fields.
func (l Line) VerbKeys() []VerbKey {
	return []VerbKey{
		{"create", l.Create}, {"touch", l.Touch}, {"set", l.Set}, {"patch", l.Patch},
		{"get", l.Get}, {"list", l.List}, {"delete", l.Delete},
	}
}
