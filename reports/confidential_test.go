package reports_test

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/redact"
	"github.com/skewsim/skewsim/sim/result"
)

// What a Gadget holds: a value that the scenario may mark, one of a set that it
// may mark, and one that nobody marks.
const (
	gadgetToken = "correct-horse-token"
	gadgetKey   = "battery-staple-key"
	gadgetNote  = "an-open-note"
)

// gadgetRun is a run with a custom resource whose values are in every place that
// a report draws. marked says whether the scenario marks them.
func gadgetRun(marked bool) reports.Run {
	f := &fixture{blobs: map[string]history.Blob{}}
	f.run.Tool, f.run.Salt = "v0.1.0", salt
	f.run.Blobs = func(digest string) (history.Blob, bool) { b, ok := f.blobs[digest]; return b, ok }
	f.plan()
	f.ledger(0)
	f.result()
	f.servers()
	if marked {
		f.run.Plan.Confidential = map[string][]string{"Gadget": {".spec.keys", ".spec.token"}}
	}
	f.run.Plan.Manifests["gadget.yaml"] = plan.Manifest{APIVersion: "example.dev/v1", Kind: "Gadget", Body: gadgetObject()}
	f.run.Ledger.Copies = append(f.run.Ledger.Copies, f.gadget())
	f.run.Result.Findings = append(f.run.Result.Findings, gadgetFindings()...)
	f.run.Servers = append(f.run.Servers, history.Server{Step: 21, Replica: "b", Role: term.New, Version: newVersion, Event: history.Died, Message: "panic: " + gadgetToken})
	return f.run
}

func gadgetObject() map[string]any {
	return map[string]any{"apiVersion": "example.dev/v1", "kind": "Gadget", "metadata": map[string]any{"name": "gadget-1",
		"managedFields": []any{map[string]any{"manager": "m", "fieldsV1": map[string]any{"f:spec": map[string]any{"f:keys": map[string]any{fmt.Sprintf("v:%q", gadgetKey): map[string]any{}}}}}}},
		"spec": map[string]any{"token": gadgetToken, "keys": []any{gadgetKey}, "note": gadgetNote}}
}

// gadget is a copy whose values are in every place they could leak from.
func (f *fixture) gadget() result.CopyLedger {
	c := f.ledgerOf("gadget-1", "gadget", term.Treated, always(term.Kept, 1))
	c.APIVersion, c.Kind = "example.dev/v1", "Gadget"
	keyPath := fmt.Sprintf(".spec.keys[=%q]", gadgetKey)
	patch := []any{map[string]any{"op": "replace", "path": "/spec/token", "value": gadgetToken}}
	status := map[string]any{"kind": "Status", "message": "Invalid value: " + gadgetToken}
	for i := range c.Rows {
		row := &c.Rows[i]
		row.Stored.Kind, row.Stored.Encoding = "Gadget", "json"
		row.Stored.Value = f.bytes(`{"spec":{"token":"` + gadgetToken + `"}}`)
		for j := range row.Requests {
			row.Requests[j].Sent, row.Requests[j].Answer = f.body(patch), f.body(status)
			row.Requests[j].Message, row.Requests[j].Warnings = "Invalid value: "+gadgetToken, []string{"will not keep " + gadgetKey}
		}
		for j := range row.Views {
			v := &row.Views[j]
			v.Answer, v.Message, v.Outcomes = f.body(gadgetObject()), "quoted "+gadgetToken, map[string]term.Outcome{keyPath: term.Lost}
			v.Diff = []result.Difference{{Path: ".spec.token", Before: gadgetToken, HadBefore: true}, {Path: keyPath, After: gadgetKey, HasAfter: true}, {Path: ".spec.note", After: gadgetNote, HasAfter: true}}
		}
	}
	c.Fields = []result.Field{{Path: ".spec.token", Value: gadgetToken, Step: 6, Outcome: term.Lost}, {Path: keyPath, Value: gadgetKey, Step: 6, Outcome: term.Lost},
		{Path: ".spec.note", Value: gadgetNote, Step: 6, Outcome: term.Kept}}
	return c
}

func gadgetFindings() []result.Finding {
	finding := func(path, value string) result.Finding {
		return result.Finding{Check: term.CheckNothingLost, Rule: term.Rule5, Class: term.Violation, Object: "gadget", Kind: "Gadget", Copy: "gadget-1", CopyRole: term.Treated,
			Path: path, Outcome: term.Changed, Cause: term.Unattributed, Step: 9, Stage: "new", Before: value, After: value + "-2", AcknowledgedStep: 6,
			Message: fmt.Sprintf("gadgets/gadget-1 %s was %s, answered Invalid value: %q", path, value, value)}
	}
	return []result.Finding{finding(".spec.token", gadgetToken), finding(fmt.Sprintf(".spec.keys[=%q]", gadgetKey), gadgetKey), finding(".spec.note", gadgetNote)}
}

// TestShortValuesInAStatus: the page has none of a value too short to be searched
// for in what a server says; unmarked, it stands there.
func TestShortValuesInAStatus(t *testing.T) {
	for _, marked := range []bool{true, false} {
		run := gadgetRun(marked)
		if marked {
			run.Plan.Confidential["Gadget"] = []string{".spec.keys", ".spec.pin", ".spec.token"}
		}
		status := `{"kind":"Status","message":"Invalid value: 719, not abc","details":{"causes":[{"field":"spec.pin","message":"719 is too much for abc"}]}}`
		last := &run.Ledger.Copies[len(run.Ledger.Copies)-1]
		last.Rows = append(last.Rows, result.Row{Step: 1, Outcome: term.Kept, Requests: []result.Request{{Answer: "status"}}})
		blobsOf(&run, map[string]history.Blob{"status": {JSON: []byte(status)}})
		all := readData(t, run).text()
		assert.Contains(t, all, `"field":"spec.pin"`)
		assert.Equal(t, !marked, regexp.MustCompile(`\b719 is\b`).MatchString(all))
		assert.Equal(t, !marked, regexp.MustCompile(`\babc\b`).MatchString(all))
	}
}

// TestNamesAreNotScrubbed: a value that is a copy's name, or one of skewsim's words,
// stays where a finding says it; one that is neither goes.
func TestNamesAreNotScrubbed(t *testing.T) {
	run := gadgetRun(true)
	run.Plan.Manifests["gadget.yaml"] = plan.Manifest{Kind: "Gadget", Body: map[string]any{"kind": "Gadget",
		"spec": map[string]any{"token": []any{"gadget-1", "unattributed", "flat", gadgetToken}}}}
	f := &run.Result.Findings[len(run.Result.Findings)-1]
	f.Message = "gadget-1 is flat: unattributed, and not " + gadgetToken
	sealed := view.Sealed(run)
	assert.Equal(t, "gadget-1 is flat: unattributed, and not "+redact.Withheld, sealed.Result.Findings[len(run.Result.Findings)-1].Message)
}

// countsAlone are the formats that count findings and show no value.
var countsAlone = []string{"merged.json", "merged.html", "merged.md", "merged.txt"}

// TestNothingMarkedIsShown: a marked value is in no format, and what is beside it
// is in each that shows values; unmarked, it is in every one of them.
func TestNothingMarkedIsShown(t *testing.T) {
	t.Parallel()
	for name := range formats {
		hidden, open := shownBy(t, name, true), shownBy(t, name, false)
		for _, value := range []string{gadgetToken, gadgetKey} {
			assert.NotContains(t, hidden, value, name)
			if slices.Contains(countsAlone, name) {
				continue
			}
			assert.Contains(t, open, value, "%s: nothing marks it, and the test could not fail", name)
		}
		assert.Equal(t, !slices.Contains(countsAlone, name), strings.Contains(hidden, gadgetNote), name)
		assert.Equal(t, strings.Contains(open, modePath), strings.Contains(hidden, modePath), name)
	}
}

// shownBy is all that a format holds, unpacked.
func shownBy(t *testing.T, name string, marked bool) string {
	t.Helper()
	run := gadgetRun(marked)
	if strings.HasSuffix(name, ".json") {
		run = view.Sealed(run)
	}
	got := write(t, name, run)
	if name == "report.html" {
		got += laidOpen(t, got)
	}
	return got
}

// TestSealingTwice is sealing once: writers seal what New has sealed.
func TestSealingTwice(t *testing.T) {
	once := view.Sealed(gadgetRun(true))
	twice := view.Sealed(once)
	assert.Equal(t, once.Result, twice.Result)
	assert.Equal(t, once.Ledger, twice.Ledger)
}
