package view

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/sim/result"
)

// TestFindingLink: what no step did is not laid at any step's door.
func TestFindingLink(t *testing.T) {
	for want, f := range map[string]result.Finding{
		"#step-7/x%2Fy/.spec.a%5B0%5D": {Step: 7, Copy: "x/y", Path: ".spec.a[0]"},
		"#step-7/x":                    {Step: 7, Copy: "x"},
		"#step-7":                      {Step: 7},
		"#ledger/x/.spec":              {Copy: "x", Path: ".spec"},
		"#?q=x":                        {Copy: "x"},
		"#findings":                    {Path: ".spec"},
	} {
		assert.Equal(t, want, FindingLink(f))
	}
}
