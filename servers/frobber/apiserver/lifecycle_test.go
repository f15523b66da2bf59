package apiserver_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestSmokeLifecycleInOpenAPI: both versions of OpenAPI carry it, and no stable field does.
func TestFrobberLifecycleInOpenAPI(t *testing.T) {
	s := newKernel(t).start(t, "1.20")
	v2 := s.do("GET", "/openapi/v2", "").json(t, 200)
	v3 := s.do("GET", "/openapi/v3/apis/frobbing.example.com/v6", "").json(t, 200)
	for name, all := range map[string]any{"v2": v2["definitions"], "v3": at(v3, "components", "schemas")} {
		fields := at(all, "com.example.frobbing.v6.FrobberSpec", "properties")
		assert.Equal(t, map[string]any{"frobber-apiserver": map[string]any{"minVersion": "v1.20", "status": "alpha", "featureGate": "FrobberGlow"}},
			at(fields, "glow", "x-kubernetes-api-lifecycle"), name)
		assert.NotContains(t, at(fields, "angle"), "x-kubernetes-api-lifecycle", name)
	}
}
