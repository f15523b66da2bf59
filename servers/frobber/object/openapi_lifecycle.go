package object

import (
	"fmt"
	"strings"

	"k8s.io/kube-openapi/pkg/validation/spec"
)

// component is what a lifecycle's releases are releases of. KEP-2558 has
// "kubernetes" there, which is kube-apiserver's own.
const component = "frobber-apiserver"

// lifecycle is what a field's tag says of how far it has come:
// lifecycle:"alpha,1.2,Frobber2D" is alpha from 1.2 on, behind a gate. A stable
// field has no such tag, and a prefix may take the place of a gate.
type lifecycle struct{ status, since, gate string }

// lifecycleOf reads a field's tag; ok is false where there is none.
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

// extend publishes the lifecycle, in the form of KEP-2558.
func (l lifecycle) extend(s *spec.Schema) {
	says := map[string]any{"minVersion": "v" + l.since, "status": l.status}
	if l.gate != "" {
		says["featureGate"] = l.gate
	}
	s.AddExtension("x-kubernetes-api-lifecycle", map[string]any{component: says})
}

// sentence is how Kubernetes' descriptions tell people the same.
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
