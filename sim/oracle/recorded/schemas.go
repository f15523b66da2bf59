package recorded

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/sim/history"
)

// reference is how one definition of an OpenAPI document names another.
const reference = "#/components/schemas/"

// telling matches the descriptions that package schema reads: of fields that need a feature gate,
// and of types that are unions.
var telling = regexp.MustCompile(`(?i)feature[\s-]?gate|\bone\b`)

// trimDocument returns an OpenAPI document with only the definitions that objects of the
// history's kinds reach, without the descriptions that no code reads.
func trimDocument(raw []byte, h *history.History) ([]byte, error) {
	var document struct {
		Components struct {
			Schemas map[string]any `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(raw, &document); err != nil {
		return nil, fmt.Errorf("read a schema: %w", err)
	}
	kept := map[string]any{}
	for name, definition := range document.Components.Schemas {
		if slices.Contains(kinds(h), declaredKind(definition)) {
			reach(document.Components.Schemas, kept, name)
		}
	}
	return json.Marshal(map[string]any{
		"openapi": "3.0.0", "info": map[string]any{}, "paths": map[string]any{}, "components": map[string]any{"schemas": kept},
	})
}

// kinds returns the kinds of the plan's manifests.
func kinds(h *history.History) (all []string) {
	for _, m := range h.Header.Plan.Manifests {
		all = append(all, m.Kind)
	}
	return all
}

// declaredKind returns the kind of a definition, "" if it has none or several.
func declaredKind(definition any) string {
	fields, _ := definition.(map[string]any)
	declared, _ := fields["x-kubernetes-group-version-kind"].([]any)
	if len(declared) != 1 {
		return ""
	}
	gvk, _ := declared[0].(map[string]any)
	kind, _ := gvk["kind"].(string)
	return kind
}

// reach keeps a definition and everything that it refers to.
func reach(all, kept map[string]any, name string) {
	if _, done := kept[name]; done || all[name] == nil {
		return
	}
	kept[name] = all[name]
	var visit func(v any)
	visit = func(v any) {
		switch t := v.(type) {
		case map[string]any:
			if text, is := t["description"].(string); is && !telling.MatchString(text) {
				delete(t, "description")
			}
			if to, is := t["$ref"].(string); is {
				reach(all, kept, strings.TrimPrefix(to, reference))
			}
			for _, member := range t {
				visit(member)
			}
		case []any:
			for _, item := range t {
				visit(item)
			}
		}
	}
	visit(all[name])
}
