package object_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"k8s.io/kube-openapi/pkg/validation/spec"

	"github.com/skewsim/skewsim/servers/frobber/object"
)

// staged has a field of each stage.
type staged struct {
	Widget
	Alpha      *int32 `json:"alpha,omitempty" doc:"One." lifecycle:"alpha,1.2,Two"`
	Beta       *int32 `json:"beta,omitempty" doc:"One." lifecycle:"beta,1.3,Two"`
	AlphaOpen  *int32 `json:"alphaOpen,omitempty" doc:"One." lifecycle:"alpha,1.4"`
	Deprecated *int32 `json:"deprecated,omitempty" doc:"One." lifecycle:"deprecated,1.5"`
	Stable     *int32 `json:"stable,omitempty" doc:"One."`
}

// Widget names the spec.
type Widget struct{}

// OpenAPIModelName names the spec in what a server publishes.
func (Widget) OpenAPIModelName() string { return "com.example.v1.WidgetSpec" }

// TestLifecycles: one tag makes the extension and the sentence for people.
func TestLifecycles(t *testing.T) {
	fields := describe(&object.Object[staged, status]{})["com.example.v1.WidgetSpec"].Schema.Properties
	says := func(values map[string]any) spec.Extensions {
		return spec.Extensions{"x-kubernetes-api-lifecycle": map[string]any{"frobber-apiserver": values}}
	}
	for name, want := range map[string]struct {
		text       string
		extensions spec.Extensions
	}{
		"alpha": {"One. This is an alpha field and requires enabling the Two feature gate.",
			says(map[string]any{"minVersion": "v1.2", "status": "alpha", "featureGate": "Two"})},
		"beta": {"One. This is a beta field and requires the Two feature gate, which is enabled by default.",
			says(map[string]any{"minVersion": "v1.3", "status": "beta", "featureGate": "Two"})},
		"alphaOpen":  {"One.", says(map[string]any{"minVersion": "v1.4", "status": "alpha"})},
		"deprecated": {"One.", says(map[string]any{"minVersion": "v1.5", "status": "deprecated"})},
		"stable":     {"One.", nil},
	} {
		assert.Equal(t, want.text, fields[name].Description, name)
		assert.Equal(t, want.extensions, fields[name].Extensions, name)
	}
}

// wrongly has a tag that says too little.
type wrongly struct {
	Widget
	Alpha *int32 `json:"alpha,omitempty" lifecycle:"alpha"`
}

// TestWrongLifecycle: the error says what the tag must be.
func TestWrongLifecycle(t *testing.T) {
	assert.PanicsWithValue(t, `object: field Alpha: lifecycle "alpha": must be a status, a release and perhaps a gate: alpha,1.2,Frobber2D`, func() {
		describe(&object.Object[wrongly, status]{})
	})
}
