package hints

import (
	"embed"
	"fmt"
	"regexp"
	"slices"

	"k8s.io/apimachinery/pkg/util/version"
	"sigs.k8s.io/yaml"
)

// Hint is a value, and the object to put it in, for one path of a kind.
type Hint struct {
	APIVersion string `json:"apiVersion"`
	// Also are other versions of the kind in which the same object is valid: each is a hint of its own.
	Also []string `json:"also,omitempty"`
	Kind string   `json:"kind"`
	// Path is the field, as sim/objects spells it: .spec.containers[].image.
	Path string `json:"path"`
	// Value is what the field should hold.
	Value any `json:"value"`
	// Bystander is a value that both releases accept; nil: the field is left out.
	Bystander any `json:"bystander,omitempty"`
	// Object is the object that the value is put into, without apiVersion and kind; nil: any
	// valid object of the kind. Where Path has [], Value goes into each element that Object has.
	Object map[string]any `json:"object,omitempty"`
	// Needs are objects that must exist before.
	Needs []map[string]any `json:"needs,omitempty"`
	// Gates are the feature gates that change how servers treat the value.
	Gates []string `json:"gates,omitempty"`
	// Since is the first minor release, 1.34, that treats the value in another way without any
	// gate; "": a gate or a published difference says so.
	Since string `json:"since,omitempty"`
	// Why is why neither the schema nor the source states it.
	Why string `json:"why"`
	// Source is where the source of the release says it.
	Source string `json:"source"`
}

//go:embed *.yaml
var files embed.FS

// Of returns the hints for a component's releases, in the order of the file; none for a
// component without a file.
func Of(component string) ([]Hint, error) {
	text, err := files.ReadFile(component + ".yaml")
	if err != nil {
		return nil, nil // a component without hints
	}
	return parse(component+".yaml", text)
}

// Between returns the hints for what changed from one release to a later one, as v1.36.3: behind
// one of the gates, or since a minor release after the older one.
func Between(all []Hint, older, newer string, gates []string) (changed []Hint) {
	for _, h := range all {
		behind := slices.ContainsFunc(h.Gates, func(gate string) bool { return slices.Contains(gates, gate) })
		since := h.Since != "" && isBefore(older, h.Since) && !isBefore(newer, h.Since)
		if behind || since {
			changed = append(changed, h)
		}
	}
	return changed
}

// isBefore reports whether a release is of an earlier minor release than the given one. What is no
// release is before none.
func isBefore(release, minor string) bool {
	is, err := version.ParseGeneric(release)
	than, other := version.ParseGeneric(minor)
	return err == nil && other == nil && is.LessThan(than)
}

var (
	minor = regexp.MustCompile(`^[0-9]+\.[0-9]+$`)
	field = regexp.MustCompile(`^(\.[A-Za-z0-9-]+(\[\])*)*\.[A-Za-z0-9-]+$`)
)

func parse(name string, text []byte) ([]Hint, error) {
	var all []Hint
	if err := yaml.UnmarshalStrict(text, &all); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	for i, h := range all {
		if what := h.invalid(); what != "" {
			return nil, fmt.Errorf("%s: hint %d, %s %s: %s", name, i+1, h.Kind, h.Path, what)
		}
	}
	return inEachVersion(all), nil
}

// inEachVersion returns a hint for each API version that a hint names.
func inEachVersion(all []Hint) (each []Hint) {
	for _, h := range all {
		for _, apiVersion := range append([]string{h.APIVersion}, h.Also...) {
			own := h
			own.APIVersion, own.Also = apiVersion, nil
			each = append(each, own)
		}
	}
	return each
}

// invalid returns what a hint lacks; "": nothing.
func (h Hint) invalid() string {
	switch {
	case h.APIVersion == "" || h.Kind == "":
		return "apiVersion and kind are required"
	case !field.MatchString(h.Path):
		return "path must name a field, such as .spec.containers[].image"
	case h.Value == nil:
		return "value is required"
	case h.Why == "" || h.Source == "":
		return "why and source are required"
	case h.Since != "" && !minor.MatchString(h.Since):
		return "since must be a minor release, such as 1.34"
	case slices.Contains(h.Gates, ""):
		return "gates must not be empty"
	}
	return ""
}
