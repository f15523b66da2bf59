package page

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/sim/result"
)

// TestRestOfMarks: a chip that represents others is no milder than the worst of them.
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
	list := result.Finding{Step: 9, Stage: "new", Outcome: "undecodable"}
	copied := list
	copied.Copy = "x"
	link := func(findings ...result.Finding) string { return string(countFindings(findings)[0].Link()) }
	assert.Equal(t, "#step-9", link(list, list))
	assert.Equal(t, "#?stage=new&outcome=undecodable", link(list, copied))
	assert.Equal(t, "#step-9/x", link(copied))
}
