package engine

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/servers"
)

// TestCatalogueChoosesPrograms: a file of the catalogue comes with skewsim.
func TestCatalogueChoosesPrograms(t *testing.T) {
	refs := []servers.Reference{{Scheme: servers.SchemePath, Path: "/a"}}
	s := &scenarios.Scenario{Releases: scenarios.Releases{Pair: "path:/a..path:/b"}}
	assert.Len(t, Request{Scenario: s}.programs(refs), 1)
	s.BuiltIn = true
	assert.Empty(t, Request{Scenario: s}.programs(refs))
}
