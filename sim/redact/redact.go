package redact

import "strings"

// Kind is the kind whose values are confidential.
const Kind = "Secret"

// lastApplied is where kubectl apply keeps a whole copy of what it sent, so it
// holds the Secret's values once more.
const lastApplied = "kubectl.kubernetes.io/last-applied-configuration"

// Redact returns the object with the values of every Secret in it replaced by
// fingerprints: of the object itself, or of the items of a list. What is no
// Secret is returned as it is. The argument is not changed.
func Redact(obj map[string]any, salt string) map[string]any {
	return mask{salt: salt}.redact(obj)
}

// redact masks the Secrets in an object.
func (m mask) redact(obj map[string]any) map[string]any {
	kind, _ := obj["kind"].(string)
	if kind == Kind {
		return object(obj, m)
	}
	items, ok := obj["items"].([]any)
	if !ok {
		return obj
	}
	out := clone(obj)
	out["items"] = redactItems(items, strings.TrimSuffix(kind, "List"), m)
	return out
}

// redactItems redacts the items of a list. Those of a SecretList need not
// repeat their kind.
func redactItems(items []any, kind string, m mask) []any {
	out := make([]any, len(items))
	for i, item := range items {
		obj, isObject := item.(map[string]any)
		switch {
		case kind == Kind:
			out[i] = m.body(Kind, item)
		case isObject:
			out[i] = m.redact(obj)
		default:
			out[i] = item
		}
	}
	return out
}

// Body redacts what was sent to, or answered about, an object of the kind: an
// object, a merge patch, or the list of operations of a JSON patch. None of
// the patches need name its own kind.
func Body(kind string, body any, salt string) any {
	return mask{salt: salt}.body(kind, body)
}

// body masks a body about an object of the kind.
func (m mask) body(kind string, body any) any {
	obj, isObject := body.(map[string]any)
	if kind != Kind {
		if isObject {
			return m.redact(obj)
		}
		return body
	}
	switch b := body.(type) {
	case map[string]any:
		if items, ok := b["items"].([]any); ok {
			out := clone(b)
			out["items"] = redactItems(items, Kind, m)
			return out
		}
		return object(b, m)
	case []any:
		return operations(b, m)
	case nil:
		return nil
	}
	return m.any(body) // no form that a Secret can have: show nothing of it
}

// operations redacts the value of each operation of a JSON patch.
func operations(ops []any, m mask) []any {
	out := make([]any, len(ops))
	for i, op := range ops {
		fields, ok := op.(map[string]any)
		if !ok {
			out[i] = m.any(op)
			continue
		}
		redacted := clone(fields)
		if value, has := fields["value"]; has {
			pointer, _ := fields["path"].(string)
			redacted["value"] = at(pointerSegments(pointer), value, m)
		}
		out[i] = redacted
	}
	return out
}

// Value redacts the value found at a path of an object of the kind: a value at
// or under .data and .stringData of a Secret, or its last-applied annotation,
// becomes a fingerprint; a value that holds one of these has it replaced.
// Every other value is returned as it is, and so is a fingerprint: redacting
// twice is the same as once.
func Value(kind, path string, value any, salt string) any {
	return mask{salt: salt}.value(kind, path, value)
}

// Withhold does as Value does, with a plain word in place of each fingerprint:
// for a place where the salt is not known.
func Withhold(kind, path string, value any) any {
	return mask{withhold: true}.value(kind, path, value)
}

// value masks the value at a path of an object of the kind.
func (m mask) value(kind, path string, value any) any {
	if kind != Kind {
		return value
	}
	return at(segments(path), value, m)
}

// Hides tells whether the path of an object of the kind leads to a value that
// must not be shown.
func Hides(kind, path string) bool {
	return kind == Kind && confidential(segments(path))
}

// at redacts the value that the first segments of a path lead to.
func at(path []string, value any, m mask) any {
	if confidential(path) {
		return m.leaves(value, isEncoded(path))
	}
	fields, ok := value.(map[string]any)
	if !ok {
		return value
	}
	switch {
	case len(path) == 0:
		return object(fields, m)
	case path[0] == "metadata" && len(path) <= 2:
		return nested(path, fields, m)
	}
	return value
}

// nested redacts each field of a value that may hold a confidential one.
func nested(path []string, fields map[string]any, m mask) map[string]any {
	out := make(map[string]any, len(fields))
	for name, value := range fields {
		below := append(append([]string(nil), path...), name)
		out[name] = at(below, value, m)
	}
	return out
}

// object redacts a whole Secret, or a merge patch to one.
func object(obj map[string]any, m mask) map[string]any {
	return nested(nil, obj, m)
}

// confidential tells whether the path leads to a secret value or to a map of them.
func confidential(path []string) bool {
	if len(path) == 0 {
		return false
	}
	switch path[0] {
	case "data", "stringData":
		return true
	case "metadata":
		// A path without quotes splits the annotation's own name at its dots.
		return len(path) > 2 && path[1] == "annotations" && strings.Join(path[2:], ".") == lastApplied
	}
	return false
}

// isEncoded tells whether the values below the path are base64.
func isEncoded(path []string) bool { return path[0] == "data" }

// clone copies a map, its values shared.
func clone(obj map[string]any) map[string]any {
	out := make(map[string]any, len(obj))
	for k, v := range obj {
		out[k] = v
	}
	return out
}
