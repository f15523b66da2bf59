package text

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/sim/result"
)

// TestManyAlikeAreTold holds that the terminal shows some findings of each kind
// and says how many more there are; what is of another kind is always shown.
func TestManyAlikeAreTold(t *testing.T) {
	var findings []result.Finding
	for i := range 10 {
		findings = append(findings, result.Finding{Check: "nothing-lost", Path: ".a", Message: fmt.Sprintf("finding %d of a", i)})
	}
	findings = append(findings, result.Finding{Check: "nothing-lost", Path: ".b", Message: "a finding of b"})
	var out bytes.Buffer
	require.NoError(t, Write(&out, view.Run{Result: result.Result{Findings: findings}}, Options{}))
	assert.Equal(t, toldWhole, strings.Count(out.String(), " of a\n"), out.String())
	assert.Contains(t, out.String(), "a finding of b\n")
	assert.Contains(t, out.String(), "and 7 more of the same kinds: see the report\n")
	assert.Contains(t, out.String(), "10 x ")
	out.Reset()
	require.NoError(t, Write(&out, view.Run{Result: result.Result{Findings: findings[8:]}}, Options{}))
	assert.NotContains(t, out.String(), "more of the same kinds")
}
