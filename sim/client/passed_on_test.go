package client_test

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/client"
)

// TestPassedOn: group versions that a server passes on to another are distinguished from those
// that it serves itself.
func TestPassedOn(t *testing.T) {
	conn := serve(t, func(w http.ResponseWriter, r *http.Request) {
		assert.Equal(t, "/apis/apiregistration.k8s.io/v1/apiservices", r.URL.Path)
		_, _ = w.Write([]byte(`{"items":[{"spec":{"group":"","version":"v1"}},{"spec":{"group":"apps","version":"v1","service":null}},
			{"spec":{"group":"fish.example.com","version":"v1alpha1","service":{"name":"fish"}}}]}`))
	})
	versions, err := client.PassedOn(t.Context(), conn)
	require.NoError(t, err)
	assert.Equal(t, []string{"fish.example.com/v1alpha1"}, versions)
}
