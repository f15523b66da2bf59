//go:build browser

package reports_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/tiers"
)

// TestPagesMergedVerdictsStandInTheirCells: the outcome of a run is drawn where its
// scenario and its pair meet.
func TestPagesMergedVerdictsStandInTheirCells(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	path := filepath.Join(t.TempDir(), "index.html")
	require.NoError(t, os.WriteFile(path, []byte(write(t, "merged.html", fixedRun(0))), 0o600))
	v := open(t, path, "")
	v.seen(t, "#verdict")
	const astray = `[...document.querySelectorAll("td > .played")].filter((e) => {
		const [own, cell] = [e.getBoundingClientRect(), e.parentElement.getBoundingClientRect()];
		return own.top < cell.top - 1 || own.bottom > cell.bottom + 1 || own.left < cell.left - 1 || own.right > cell.right + 1;
	}).length`
	assert.Positive(t, ask[int](t, v, `document.querySelectorAll("td > .played").length`))
	assert.Zero(t, ask[int](t, v, astray))
	v.tell(t, `document.querySelectorAll("td > .played").forEach((e) => { e.style.position = "absolute"; e.style.top = "3px" })`)
	assert.Positive(t, ask[int](t, v, astray), "what stands elsewhere is seen")
	v.quiet(t)
}
