//go:build browser

package reports_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/sim/history"
)

// answeredWith is the fixture with a body that replica a answers scratch-bystander with
// in the step that the test opens, and one in the step before.
func answeredWith(before, now string) reports.Run {
	run := fixedRun(0)
	blobs := run.Blobs
	run.Blobs = func(digest string) (history.Blob, bool) {
		if strings.HasPrefix(digest, "{") {
			return history.Blob{Digest: digest, JSON: []byte(digest)}, true
		}
		return blobs(digest)
	}
	for _, c := range run.Ledger.Copies {
		if c.Copy == "scratch-bystander" {
			c.Rows[3].Views[0].Answer, c.Rows[4].Views[0].Answer = before, now
		}
	}
	return run
}

// nested is an object of so many levels around a leaf.
func nested(levels int, leaf string) string {
	return strings.Repeat(`{"a":`, levels) + leaf + strings.Repeat("}", levels)
}

// numbers is an object with a list of so many numbers, and a name.
func numbers(n int, name string) string {
	return `{"list":[1` + strings.Repeat(",1", n-1) + `],"name":"` + name + `"}`
}

// TestPagesHostileBodiesLeaveTheRest: a body that is too deep or too long is shown in part, and
// all else of the evidence is there; one that is neither is shown whole.
func TestPagesHostileBodiesLeaveTheRest(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	for name, tc := range map[string]struct {
		before, now    string
		want, unwanted []string
	}{
		"deep":    {nested(5000, "1"), nested(5000, "2"), []string{"… nested deeper than 200 levels", "Alike from step 10", " to step 12, as deep as 200 levels."}, nil},
		"long":    {numbers(150_000, "x"), numbers(150_000, "y"), []string{`name: "x"`, `name: "y"`, "more lines, in history.jsonl.zst"}, nil},
		"neither": {nested(150, `"{[\\\"{["`), nested(150, `"}"`), []string{"2 lines differ"}, []string{"nested deeper", "as deep as", "more lines, in history"}},
	} {
		t.Run(name, func(t *testing.T) {
			v := open(t, saved(t, answeredWith(tc.before, tc.now)), "#step-12/scratch-bystander")
			v.until(t, drawn)
			v.tell(t, `document.querySelector("#shown .view").querySelectorAll("details").forEach((d) => { d.open = true })`)
			v.tell(t, `document.querySelectorAll("#shown .view:first-of-type button").forEach((b) => b.click())`)
			v.until(t, `[...document.querySelectorAll("#shown .view:first-of-type details")].every((d) => d.children.length > 1)`)
			text := ask[string](t, v, `document.querySelector("#shown .view").textContent`)
			for _, want := range tc.want {
				assert.Contains(t, text, want)
			}
			for _, unwanted := range append(tc.unwanted, "cannot be shown") {
				assert.NotContains(t, text, unwanted)
			}
			assert.Contains(t, ask[string](t, v, panelText), "ACKNOWLEDGED VALUES")
			v.quiet(t)
		})
	}
}

// TestPagesOnePartThatFails: a chunk of bodies that cannot be read takes away what is made of
// it alone.
func TestPagesOnePartThatFails(t *testing.T) {
	tiers.Need(t, tiers.Pages)
	v := open(t, saved(t, fixedRun(0)), "")
	v.seen(t, "#states-app")
	v.tell(t, `document.getElementById("pack-bodies-0").textContent = "H4sI"; location.hash = "#step-12/scratch-treated-2"`)
	v.until(t, drawn)
	text := ask[string](t, v, panelText)
	for _, want := range []string{"This part of the evidence cannot be shown: ", "a server whose release does not know the field rewrote the object", `unknown field "spec`} {
		assert.Contains(t, text, want)
	}
	v.quiet(t)
}
