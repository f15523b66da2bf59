package release_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/servers/frobber/release"
)

func TestGitVersion(t *testing.T) {
	assert.Equal(t, "v1.1.0", (&release.Release{Name: "1.1"}).GitVersion())
	assert.Equal(t, "v1.1.0+required", (&release.Release{Name: "1.1", Mutant: "required"}).GitVersion())
}
