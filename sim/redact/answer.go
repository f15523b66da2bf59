package redact

import (
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/path"
)

// knows reports whether a body about an object of the kind can be redacted as an object of the
// kind it names, or a list of such objects: the kind itself, another kind with confidential
// values, or no kind, as in patches and events.
func (m mask) knows(kind, own string) bool {
	forms := []string{"", kind, kind + "List", "List", "PartialObjectMetadata", "PartialObjectMetadataList", "DeleteOptions"}
	return slices.Contains(forms, own) || m.policy.Covers(own)
}

// status withholds what a server says about an object of the kind: it may quote a
// value, a part of one, or one so short that no text can be searched for it.
func (m mask) status(kind string, status map[string]any) map[string]any {
	cause := fields(map[string]func(any) any{"reason": same, "field": m.causeField(kind)})
	details := fields(map[string]func(any) any{
		"name": same, "group": same, "kind": same, "uid": same, "retryAfterSeconds": same, "causes": each(cause),
	})
	return only(status, map[string]func(any) any{
		"apiVersion": same, "kind": same, "metadata": same, "status": same, "reason": same, "code": same, "details": details,
	})
}

// causeField masks where a cause says that it lies: a conflict of apply names
// elements of lists by their values.
func (m mask) causeField(kind string) func(any) any {
	return func(field any) any {
		text, ok := field.(string)
		if !ok {
			return withheld(field)
		}
		if !strings.ContainsAny(text, `="`) {
			return text
		}
		if _, err := path.Parse(text); err != nil {
			return Withheld
		}
		return m.policy.Path(kind, text, "")
	}
}

// table withholds the cells of a Table: which field they show, nothing says.
func (m mask) table(kind string, table map[string]any) map[string]any {
	row := fields(map[string]func(any) any{"object": func(object any) any { return m.body(kind, object) }})
	return only(table, map[string]func(any) any{"apiVersion": same, "kind": same, "metadata": same, "columnDefinitions": same, "rows": each(row)})
}

// only keeps the named fields, each as it is drawn, and withholds all others.
func only(all map[string]any, drawn map[string]func(any) any) map[string]any {
	out := make(map[string]any, len(all))
	for name, value := range all {
		draw, ok := drawn[name]
		if !ok {
			draw = withheld
		}
		out[name] = draw(value)
	}
	return out
}

// fields draws a map as only does, and withholds any other value.
func fields(drawn map[string]func(any) any) func(any) any {
	return func(value any) any {
		all, ok := value.(map[string]any)
		if !ok {
			return withheld(value)
		}
		return only(all, drawn)
	}
}

// each draws each element of a list, and withholds any other value.
func each(draw func(any) any) func(any) any {
	return func(value any) any {
		list, ok := value.([]any)
		if !ok {
			return withheld(value)
		}
		out := make([]any, len(list))
		for i, item := range list {
			out[i] = draw(item)
		}
		return out
	}
}

func same(value any) any { return value }

// withheld puts one word for every value, whatever the mask puts: these are no
// values of the object that a text could be searched for.
func withheld(value any) any { return mask{put: withhold}.leaves(value, false) }
