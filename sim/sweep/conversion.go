package sweep

import (
	"fmt"
	"maps"
	"slices"

	"k8s.io/kube-openapi/pkg/validation/spec"
	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/path"
	"github.com/skewsim/skewsim/sim/published"
	"github.com/skewsim/skewsim/sim/schema"
)

// byWebhook is the strategy of a definition that names its webhook.
const byWebhook = "Webhook"

// ConvertedVersions are the versions of one kind that a release serves, with the paths of the fields of each.
type ConvertedVersions struct {
	Kind   string // Kind.group
	Group  string
	Stored string                     // the version that objects are stored in; "" if nothing names it
	Fields map[string]map[string]bool // by version
}

// WithoutWebhook returns the kinds of a release that no webhook converts.
func WithoutWebhook(release published.Release) ([]ConvertedVersions, error) {
	by := map[string]ConvertedVersions{}
	for _, r := range release.Resources {
		group, version := CutAPIVersion(r.APIVersion)
		if r.Conversion == byWebhook || release.Documents[r.APIVersion] == nil {
			continue
		}
		document, err := schema.Read(release.Documents[r.APIVersion])
		if err != nil {
			return nil, fmt.Errorf("%s of %s: %w", r.APIVersion, release.Name, err)
		}
		kind := r.Kind + "." + group
		if _, known := by[kind]; !known {
			_, stored := CutAPIVersion(r.StorageVersion)
			by[kind] = ConvertedVersions{Kind: kind, Group: group, Stored: stored, Fields: map[string]map[string]bool{}}
		}
		fields := map[string]bool{}
		addFields(fields, "", document.Definition(r.APIVersion, r.Kind))
		by[kind].Fields[version] = fields
	}
	return slices.Collect(maps.Values(by)), nil
}

// Differ reports whether two of the versions each have a field that the other one lacks.
func (v ConvertedVersions) Differ(counts func(version string) bool) bool {
	for one, a := range v.Fields {
		for other, b := range v.Fields {
			if counts(one) && counts(other) && hasMore(a, b) && hasMore(b, a) {
				return true
			}
		}
	}
	return false
}

// Vary reports whether a version has a field that another one lacks.
func (v ConvertedVersions) Vary() bool {
	for _, a := range v.Fields {
		for _, b := range v.Fields {
			if hasMore(a, b) {
				return true
			}
		}
	}
	return false
}

// maxUnstored is how many fields of a version are played that the stored version lacks.
const maxUnstored = 8

// Outermost returns the fields that a version has and another one lacks, without those within them.
func Outermost(fields, stored map[string]bool) (own []string) {
	for _, field := range slices.Sorted(maps.Keys(fields)) {
		if !stored[field] && !slices.ContainsFunc(own, func(outer string) bool { return Within(field, outer) }) {
			own = append(own, field)
		}
	}
	return own[:min(len(own), maxUnstored)]
}

// addFields adds the paths of the fields below a schema, as differences spell them. Definitions of custom resources contain
// their schemas whole: what a reference names is the same in all versions.
func addFields(to map[string]bool, at string, of *spec.Schema) {
	if of == nil {
		return
	}
	for name, field := range of.Properties {
		inner := path.Below(at, fieldpath.FieldNameElement(name))
		to[inner] = true
		addFields(to, inner, &field)
	}
	if of.Items != nil {
		addFields(to, at+anyElement, of.Items.Schema)
	}
	if of.AdditionalProperties != nil {
		addFields(to, at+anyElement, of.AdditionalProperties.Schema)
	}
}

// hasMore reports whether a version has a field that another version lacks.
func hasMore(a, b map[string]bool) bool {
	for name := range a {
		if !b[name] {
			return true
		}
	}
	return false
}
