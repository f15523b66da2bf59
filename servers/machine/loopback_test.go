package machine_test

import (
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/servers/machine"
)

// withoutNetwork makes the test binary check a network namespace of its own, whose loopback is down.
const withoutNetwork = "SKEWSIM_TEST_WITHOUT_NETWORK"

// TestCheckLoopback: where loopback is up, nothing is wrong; where it is down, as in a new network namespace,
// the error is there within seconds.
func TestCheckLoopback(t *testing.T) {
	if os.Getenv(withoutNetwork) != "" {
		assert.ErrorContains(t, machine.CheckLoopback(), "loopback")
		return
	}
	assert.NoError(t, machine.CheckLoopback())
	self, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	if out, err := exec.Command("unshare", "--net", "--map-root-user", "true").CombinedOutput(); err != nil {
		t.Skipf("no namespace of its own: %v: %s", err, out)
	}
	c := exec.Command("unshare", "--net", "--map-root-user", self, "-test.run", "^TestCheckLoopback$", "-test.timeout", "30s")
	c.Env = append(os.Environ(), withoutNetwork+"=1")
	out, err := c.CombinedOutput()
	assert.NoError(t, err, "%s", out)
}
