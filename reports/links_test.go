package reports

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
		assert.Equal(t, want, findingLink(f))
	}
}

// TestRestOfMarks: a chip that stands for others is no milder than the worst of them.
func TestRestOfMarks(t *testing.T) {
	expected, not := &occurrence{countOf: countOf{Expected: true}, Count: 2}, &occurrence{Count: 4}
	assert.True(t, restOf(mark{}, column{}, []*occurrence{expected, expected}).Expected)
	rest := restOf(mark{}, column{}, []*occurrence{expected, not})
	assert.False(t, rest.Expected)
	assert.Equal(t, "+6", rest.Text)
}

// TestLinkOfOccurrences: findings of no copy, as of a whole LIST, are shown by no
// state, so that no filter leads to them.
func TestLinkOfOccurrences(t *testing.T) {
	list := result.Finding{Step: 9, Stage: "new", State: "undecodable"}
	copied := list
	copied.Copy = "x"
	link := func(findings ...result.Finding) string { return string(countFindings(findings)[0].Link()) }
	assert.Equal(t, "#step-9", link(list, list))
	assert.Equal(t, "#?stage=new&state=undecodable", link(list, copied))
	assert.Equal(t, "#step-9/x", link(copied))
	assert.Equal(t, "#step-9", string(drawKinds([]result.Finding{list, list}).Kinds[0].Filter))
	assert.Equal(t, "#?state=undecodable", string(drawKinds([]result.Finding{copied, copied}).Kinds[0].Filter))
}
