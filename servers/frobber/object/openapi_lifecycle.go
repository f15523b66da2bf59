package object

import (
	"fmt"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// component is the name before a lifecycle's releases. KEP-2558 uses "kubernetes", which means
// kube-apiserver.
const component = "frobber-apiserver"

// lifecycle is the stage of a field by its tag: lifecycle:"alpha,1.2,Frobber2D" is alpha from
// 1.2 on, behind a gate. A stable field has no such tag. A field with a prefix has no gate.
type lifecycle struct{ status, since, gate string }

// lifecycleOf parses a field's tag; ok is false without a tag.
func lifecycleOf(f member) (l lifecycle, ok bool) {
	tag := f.Tag.Get("lifecycle")
	if tag == "" {
		return l, false
	}
	parts := append(strings.Split(tag, ","), "")
	if len(parts) < 3 || len(parts) > 4 {
		panic(fmt.Sprintf("object: field %s: lifecycle %q: must be a status, a release and perhaps a gate: alpha,1.2,Frobber2D", f.Name, tag))
	}
	return lifecycle{parts[0], parts[1], parts[2]}, true
}

// extend publishes the lifecycle in the form of KEP-2558.
func (l lifecycle) extend(s *spec.Schema) {
	says := map[string]any{"minVersion": "v" + l.since, "status": l.status}
	if l.gate != "" {
		says["featureGate"] = l.gate
	}
	s.AddExtension("x-kubernetes-api-lifecycle", map[string]any{component: says})
}

// sentence returns the sentence that Kubernetes' descriptions use for it.
func (l lifecycle) sentence() string {
	switch {
	case l.gate == "":
		return ""
	case l.status == "alpha":
		return fmt.Sprintf(" This is an alpha field and requires enabling the %s feature gate.", l.gate)
	case l.status == "beta":
		return fmt.Sprintf(" This is a beta field and requires the %s feature gate, which is enabled by default.", l.gate)
	}
	return ""
}
