package redact

import "strings"

// Redact returns the object with every confidential value in it replaced by a
// fingerprint: of the object itself, or of the items of a list. What holds
// nothing confidential is returned as it is. The argument is not changed.
func (p Policy) Redact(obj map[string]any, salt string) map[string]any {
	return mask{policy: p, put: fingerprints(salt)}.redact(obj)
}

// Body redacts a body that was sent to, or answered about, an object of the kind: an object, a
// merge patch, or the operations of a JSON patch; a list of objects, a Table of them, an event
// of a WATCH, or a Status, without the server's messages in it. Patches need not name their own
// kind; "" is an unknown kind. A body of any other form keeps no value.
func (p Policy) Body(kind string, body any, salt string) any {
	return mask{policy: p, put: fingerprints(salt)}.body(kind, body)
}

// Value redacts the value found at a path of an object of the kind: a
// confidential value becomes a fingerprint; a value that holds one has it
// replaced. Every other value is returned as it is, and so is a fingerprint:
// redacting twice is the same as once.
func (p Policy) Value(kind, path string, value any, salt string) any {
	return mask{policy: p, put: fingerprints(salt)}.at(kind, names(path), value)
}

// Withhold does as Value does, with a plain word in place of each fingerprint:
// for a place where the salt is not known.
func (p Policy) Withhold(kind, path string, value any) any {
	return mask{policy: p, put: withhold}.at(kind, names(path), value)
}

// redact masks what an object, or the items of a list, hold.
func (m mask) redact(obj map[string]any) map[string]any {
	kind, _ := obj["kind"].(string)
	if m.policy.Covers(kind) {
		return m.object(kind, obj)
	}
	items, ok := obj["items"].([]any)
	if !ok {
		return obj
	}
	out := clone(obj)
	out["items"] = m.items(strings.TrimSuffix(kind, "List"), items)
	return out
}

// items redacts the items of a list. Those of a SecretList need not repeat
// their kind.
func (m mask) items(kind string, items []any) []any {
	out := make([]any, len(items))
	for i, item := range items {
		out[i] = m.body(kind, item)
	}
	return out
}

// body masks a body about an object of the kind.
func (m mask) body(kind string, body any) any {
	obj, isObject := body.(map[string]any)
	switch {
	case !m.policy.Covers(kind) && isObject:
		return m.redact(obj)
	case !m.policy.Covers(kind):
		return body
	}
	switch b := body.(type) {
	case map[string]any:
		return m.about(kind, b)
	case []any:
		return m.operations(kind, b)
	}
	return m.leaves(body, false) // no form that such an object can have: show nothing of it
}

// about masks an object that was sent or answered where one of the kind was
// meant. One of another kind may be confidential in its own right.
func (m mask) about(kind string, obj map[string]any) map[string]any {
	out := obj
	own, _ := obj["kind"].(string)
	if own != kind && m.policy.Covers(own) {
		out = m.object(own, out)
	}
	out = m.object(kind, out)
	switch {
	case own == "Status":
		return m.status(kind, out)
	case own == "Table":
		return m.table(kind, out)
	case !m.knows(kind, own):
		return only(out, map[string]func(any) any{"apiVersion": same, "kind": same})
	}
	if items, isList := out["items"].([]any); isList {
		out["items"] = m.items(kind, items)
	}
	if object, isEvent := out["object"].(map[string]any); isEvent {
		out["object"] = m.body(kind, object)
	}
	return out
}

// operations redacts the value of each operation of a JSON patch.
func (m mask) operations(kind string, ops []any) []any {
	out := make([]any, len(ops))
	for i, op := range ops {
		fields, ok := op.(map[string]any)
		if !ok {
			out[i] = m.leaves(op, false)
			continue
		}
		redacted := clone(fields)
		if value, has := fields["value"]; has {
			pointer, _ := fields["path"].(string)
			redacted["value"] = m.at(kind, pointerSegments(pointer), value)
		}
		out[i] = redacted
	}
	return out
}

// object redacts a whole object of the kind, or a merge patch to one.
func (m mask) object(kind string, obj map[string]any) map[string]any {
	return m.nested(kind, nil, obj)
}

// at redacts the value that the first names of a path lead to.
func (m mask) at(kind string, path []string, value any) any {
	if m.policy.confidential(kind, path) {
		return m.leaves(value, encoded(kind, path))
	}
	if !m.policy.holds(kind, path) {
		return value
	}
	switch v := value.(type) {
	case map[string]any:
		return m.nested(kind, path, v)
	case []any:
		return m.elements(kind, path, v)
	}
	return value
}

// nested redacts each field of a value that may hold a confidential one.
func (m mask) nested(kind string, path []string, fields map[string]any) map[string]any {
	out := make(map[string]any, len(fields))
	for name, value := range fields {
		below := append(append([]string(nil), path...), undirected(name))
		out[name] = m.at(kind, below, value)
	}
	return out
}

// elements redacts each element of a list. That of managedFields repeats in its
// names what sets and keys of lists hold.
func (m mask) elements(kind string, path []string, list []any) []any {
	out := make([]any, len(list))
	for i, item := range list {
		out[i] = m.at(kind, path, item)
		entry, isMap := item.(map[string]any)
		if fields, ok := entry["fieldsV1"].(map[string]any); ok && isMap && path[len(path)-1] == "managedFields" {
			kept := clone(entry)
			kept["fieldsV1"] = m.owned(kind, nil, fields)
			out[i] = kept
		}
	}
	return out
}

// undirected is the field that a name of a strategic merge patch is about: a
// directive names it behind a slash.
func undirected(name string) string {
	for _, directive := range []string{"$deleteFromPrimitiveList/", "$setElementOrder/"} {
		if field, ok := strings.CutPrefix(name, directive); ok {
			return field
		}
	}
	return name
}

// clone copies a map, its values shared.
func clone(obj map[string]any) map[string]any {
	out := make(map[string]any, len(obj))
	for k, v := range obj {
		out[k] = v
	}
	return out
}
