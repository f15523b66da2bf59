package container

import (
	"errors"
	"testing"

	"github.com/containerd/errdefs"
	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/servers"
)

// TestMissing: what a registry does not have is the user's mistake; of one that did not
// say so nothing is known.
func TestMissing(t *testing.T) {
	for said, mistake := range map[error]bool{
		errdefs.ErrNotFound.WithMessage("manifest for kube-apiserver:v9 not found: manifest unknown"):     true,
		errdefs.ErrUnauthenticated.WithMessage("sign in"):                                                 true,
		errors.New("Error response from daemon: Head \"https://ghcr.io/v2/x/manifests/1\": unauthorized"): true,
		errors.New("pull access denied for x, repository does not exist"):                                 true,
		errors.New("Get \"https://x/v2/\": no basic auth credentials"):                                    true,
		errors.New("Get \"https://x/v2/\": dial tcp: lookup x: no such host"):                             false,
		errors.New("toomanyrequests: You have reached your pull rate limit"):                              false,
		errors.New("received unexpected HTTP status: 503 Service Unavailable"):                            false,
		nil: false,
	} {
		err := missing(said)
		var request *servers.RequestError
		var registry *RegistryError
		assert.Equal(t, mistake, errors.As(err, &request), said)
		assert.Equal(t, !mistake, errors.As(err, &registry), said)
		assert.ErrorContains(t, err, "cannot be pulled: ")
	}
}
