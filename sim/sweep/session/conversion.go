package session

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/skewsim/skewsim/sim/published"
	"github.com/skewsim/skewsim/sim/schema"
)

// byWebhook is the strategy of a definition that names its webhook.
const byWebhook = "Webhook"

// unconverted returns the kinds, as Kind.group, whose definitions leave out the webhook that
// converts them: two versions each have fields that the other one lacks, and a server that changes
// nothing but apiVersion would lose both. Many projects add the webhook with a patch of their own
// when they deploy. Objects of these kinds are written in one version.
func (s *session) unconverted() (kinds []string, err error) {
	for role, release := range s.plain {
		if s.builds[role].Installs == nil {
			continue
		}
		found, err := unconvertedOf(release)
		if err != nil {
			return nil, err
		}
		kinds = append(kinds, found...)
	}
	slices.Sort(kinds)
	return slices.Compact(kinds), nil
}

func unconvertedOf(release published.Release) (kinds []string, _ error) {
	versions := map[string][]map[string]bool{} // the fields of each version, by kind
	for _, r := range release.Resources {
		group, _, _ := strings.Cut(r.APIVersion, "/")
		if r.Conversion == byWebhook || release.Documents[r.APIVersion] == nil {
			continue
		}
		document, err := schema.Read(release.Documents[r.APIVersion])
		if err != nil {
			return nil, fmt.Errorf("%s of %s: %w", r.APIVersion, release.Name, err)
		}
		fields := map[string]bool{}
		addFields(fields, "", document.Definition(r.APIVersion, r.Kind))
		versions[r.Kind+"."+group] = append(versions[r.Kind+"."+group], fields)
	}
	for kind, all := range versions {
		if slices.ContainsFunc(all, func(a map[string]bool) bool {
			return slices.ContainsFunc(all, func(b map[string]bool) bool { return hasMore(a, b) && hasMore(b, a) })
		}) {
			kinds = append(kinds, kind)
		}
	}
	return kinds, nil
}

// addFields adds the paths of the fields below a schema. Definitions of custom resources contain
// their schemas whole: what a reference names is the same in all versions.
func addFields(to map[string]bool, at string, of *spec.Schema) {
	if of == nil {
		return
	}
	for name, field := range of.Properties {
		to[at+"."+name] = true
		addFields(to, at+"."+name, &field)
	}
	if of.Items != nil {
		addFields(to, at+"[]", of.Items.Schema)
	}
	if of.AdditionalProperties != nil {
		addFields(to, at+"{}", of.AdditionalProperties.Schema)
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

// noteUnconverted says which conversions were not played.
func (s *session) noteUnconverted() (err error) {
	if s.unconvertible, err = s.unconverted(); err != nil || len(s.unconvertible) == 0 {
		return err
	}
	s.result.NotCompared = append(s.result.NotCompared, fmt.Sprintf(
		"conversion between versions of %s: each version has fields that another one lacks, and the definitions name no webhook", strings.Join(s.unconvertible, ", ")))
	return nil
}
