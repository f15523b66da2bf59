package reports_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/reports"
	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// data is the page's data as its script reads it.
type data struct {
	Strings  []string
	Replicas []string
	Versions map[string]string
	States   []struct{ Word, Shape, Meaning string }
	Rules    map[string]struct{ Meaning, Advice string }
	Causes   map[string]struct{ Meaning, Advice string }
	Checks   map[string]struct{ Meaning string }
	Lists    map[string]map[string][]string
	Stages   []struct {
		Name     string
		Replicas map[string]string
	}
	Steps    map[string][]int
	Copies   copiesData
	Fields   struct{ Copy, Path, Value, Step, State []int }
	Findings []map[string]int
	Chunks   int
	Bodies   []int
	Omitted  int

	rows   map[int][]rowData
	bodies []bodyData
}

type copiesData struct {
	Name, Object, Kind, APIVersion, Role, State, Frozen, Chunk []int
	Rows                                                       [][]int
	States, Views                                              []string
}

type rowData struct {
	Requests []struct {
		result.Request
		Sent   int `json:"sent"` // in place of a digest
		Answer int `json:"answer"`
	}
	Stored json.RawMessage
	Views  []json.RawMessage
}

type viewData struct {
	Replica, Code, Answer  int
	Role, Version, Message string
	States                 map[string]int
	Diff                   []struct {
		result.Difference
		Acknowledged bool
	}
}

type bodyData struct {
	J, W string
	H    []byte
	N, O int
	D    []string
}

// readData reads the data of a run's page.
func readData(t *testing.T, run reports.Run) data {
	t.Helper()
	return readPage(t, write(t, "report.html", run))
}

func readPage(t *testing.T, page string) data {
	t.Helper()
	all := blocks(t, page)
	d := data{rows: map[int][]rowData{}}
	require.NoError(t, json.Unmarshal([]byte(all["pack-index"]), &d))
	for n := range d.Chunks {
		var chunk struct{ Copies map[int][]rowData }
		require.NoError(t, json.Unmarshal([]byte(all[fmt.Sprintf("pack-rows-%d", n)]), &chunk))
		for at, rows := range chunk.Copies {
			assert.Equal(t, n, d.Copies.Chunk[at], "chunk of copy %d", at)
			d.rows[at] = rows
		}
	}
	for n, first := range d.Bodies {
		assert.Len(t, d.bodies, first, "the first number of chunk %d", n)
		var chunk []bodyData
		require.NoError(t, json.Unmarshal([]byte(all[fmt.Sprintf("pack-bodies-%d", n)]), &chunk))
		d.bodies = append(d.bodies, chunk...)
	}
	return d
}

// copyAt is the place of a copy.
func (d data) copyAt(name string) int {
	return slices.IndexFunc(d.Copies.Name, func(n int) bool { return d.Strings[n] == name })
}

// view reads one replica's view of a row; whether it is there, and whether it
// is as in the row before.
func (d data) view(t *testing.T, raw json.RawMessage) (v viewData, shown, repeated bool) {
	t.Helper()
	switch string(raw) {
	case "null":
		return v, false, false
	case "0":
		return v, true, true
	}
	require.NoError(t, json.Unmarshal(raw, &v))
	return v, true, false
}

// stateAt is the state that a letter represents.
func (d data) stateAt(letters string, i int) term.Outcome {
	if letters[i] == '.' {
		return ""
	}
	return term.Outcome(d.States[letters[i]-'a'].Word)
}

// TestTheDataTellsTheLedger: whatever the ledger holds can be read from the page.
func TestTheDataTellsTheLedger(t *testing.T) {
	t.Parallel()
	run := view.Sealed(fixedRun(3))
	d := readData(t, run)
	require.Len(t, d.Copies.Name, len(run.Ledger.Copies))
	for i, c := range run.Ledger.Copies {
		told := []string{d.Strings[d.Copies.Object[i]], d.Strings[d.Copies.Kind[i]], d.Strings[d.Copies.APIVersion[i]], d.Strings[d.Copies.Role[i]], d.States[d.Copies.State[i]].Word}
		assert.Equal(t, []string{c.Object, c.Kind, c.APIVersion, string(c.Role), string(c.Outcome)}, told, c.Copy)
		require.Len(t, d.rows[i], len(c.Rows), c.Copy)
		for j, row := range c.Rows {
			at := d.Copies.Rows[i][j]
			assert.Equal(t, row.Step, d.Steps["number"][at], c.Copy)
			assert.Equal(t, row.Title, d.Strings[d.Steps["title"][at]], c.Copy)
			assert.Equal(t, row.Outcome, d.stateAt(d.Copies.States[i], j), c.Copy)
			d.compareRequests(t, c, row, d.rows[i][j])
			for k, v := range row.Views {
				d.compareView(t, run, c, j, k, v)
				assert.Equal(t, v.Outcome, d.stateAt(d.Copies.Views[i], j*len(d.Replicas)+k), c.Copy)
			}
		}
	}
}

func (d data) compareRequests(t *testing.T, c result.CopyLedger, row result.Row, got rowData) {
	t.Helper()
	require.Len(t, got.Requests, len(row.Requests), c.Copy)
	for i, q := range got.Requests {
		want := row.Requests[i]
		assert.Equal(t, want.Answer != "", q.Answer >= 0, "%s: the answer's body", c.Copy)
		assert.Equal(t, want.Sent != "", q.Sent >= 0, "%s: the sent body", c.Copy)
		q.Request.Sent, q.Request.Answer = want.Sent, want.Answer // which are numbers here
		if len(want.Warnings) == 0 {
			q.Warnings = want.Warnings
		}
		assert.Equal(t, want, q.Request, c.Copy)
	}
}

// compareView compares one view, which is in the last row that does not
// repeat it.
func (d data) compareView(t *testing.T, run reports.Run, c result.CopyLedger, row, replica int, want result.View) {
	t.Helper()
	rows := d.rows[d.copyAt(c.Copy)]
	got, shown, repeated := d.view(t, rows[row].Views[replica])
	for repeated {
		row--
		got, shown, repeated = d.view(t, rows[row].Views[replica])
	}
	require.True(t, shown, c.Copy)
	assert.Equal(t, []any{want.Replica, string(want.Role), want.Version, want.Code, want.Message},
		[]any{d.Replicas[got.Replica], got.Role, got.Version, got.Code, got.Message}, c.Copy)
	for path, state := range want.Outcomes {
		assert.Equal(t, string(state), d.States[got.States[path]].Word, c.Copy)
	}
	if body, ok := run.Blobs(want.Answer); ok && c.Kind != "Secret" {
		assert.JSONEq(t, string(body.JSON), d.bodies[got.Answer].J, c.Copy)
	}
	require.Len(t, got.Diff, len(want.Diff), c.Copy)
	for i, diff := range got.Diff {
		assert.Equal(t, want.Diff[i].Path, diff.Path, c.Copy)
		_, acknowledged := want.Outcomes[diff.Path]
		assert.Equal(t, acknowledged, diff.Acknowledged, c.Copy)
	}
}

// TestTheDataTellsWords: every state with its sign, in the order of scenarios/term; those that the
// fixture has a copy in, among the copies' states too.
func TestTheDataTellsWords(t *testing.T) {
	d := readData(t, fixedRun(0))
	require.Len(t, d.States, len(term.RunOutcomes()))
	for i, e := range term.RunOutcomes() {
		assert.Equal(t, string(e.Word), d.States[i].Word)
		assert.Equal(t, e.Meaning, d.States[i].Meaning)
		assert.NotEmpty(t, d.States[i].Shape)
		held := slices.ContainsFunc(d.Copies.States, func(letters string) bool { return strings.ContainsRune(letters, rune('a'+i)) })
		assert.Equal(t, slices.Contains(numbered, e.Word), held, "a copy of the fixture in %s", e.Word)
	}
	assert.Equal(t, term.Rules().Meaning(term.Rule4), d.Rules[string(term.Rule4)].Meaning)
	assert.Equal(t, term.AdviceOnRule(term.Rule4).String(), d.Rules[string(term.Rule4)].Advice)
	assert.Equal(t, term.AdviceOnCause(term.UnknownField).String(), d.Causes[string(term.UnknownField)].Advice)
	assert.Equal(t, term.Causes().Meaning(term.UnknownField), d.Causes[string(term.UnknownField)].Meaning)
	assert.Equal(t, term.Checks().Meaning(term.CheckNothingLost), d.Checks[string(term.CheckNothingLost)].Meaning)
	assert.Equal(t, []string{"name"}, d.Lists["v1/Pod"][".spec.volumes"])
	assert.Equal(t, map[string]string{"old": oldVersion, "new": newVersion}, d.Versions)
}

// TestTheDataTellsSteps: what the plan says of a step, and of its stage.
func TestTheDataTellsSteps(t *testing.T) {
	run := fixedRun(0)
	d := readData(t, run)
	stage := run.Plan.Stages[1]
	step := stage.Steps[len(stage.Steps)-2]
	at := slices.Index(d.Steps["number"], step.Number)
	for column, want := range map[string]string{"client": "old-typed", "verb": "put", "read": "a", "readRole": "new", "via": "b", "viaRole": "old"} {
		assert.Equal(t, want, d.Strings[d.Steps[column][at]], column)
	}
	assert.Equal(t, stage.Name, d.Stages[d.Steps["stage"][at]].Name)
	assert.Equal(t, map[string]string{"a": "new", "b": "old"}, d.Stages[d.Steps["stage"][at]].Replicas)
	assert.Equal(t, 0, d.Steps["edge"][at])
	assert.Equal(t, 1, d.Steps["edge"][at+1])
	assert.True(t, slices.IsSorted(d.Steps["number"]))
}

// TestAStageThatThePlanLacks: the rows of a damaged history keep theirs.
func TestAStageThatThePlanLacks(t *testing.T) {
	run := fixedRun(0)
	run.Plan.Stages = []plan.Stage{{Name: "old"}}
	d := readData(t, run)
	assert.Equal(t, stageNames[1], d.Stages[d.Steps["stage"][0]].Name)
	assert.Equal(t, "old", d.Stages[0].Name)
}

// TestFields: what was acknowledged, by copy; of a long value the start.
func TestFields(t *testing.T) {
	run := fixedRun(0)
	long := strings.Repeat("ö", 1022) // and two quotes
	run.Ledger.Copies[1].Fields = []result.Field{{Path: ".spec.note", Value: long, Step: 6, Outcome: term.Lost},
		{Path: ".spec.count", Value: int64(9007199254740993), Outcome: term.Dropped}, {Path: ".spec.longer", Value: long + "x", Outcome: term.Kept}}
	d := readData(t, run)
	at := slices.Index(d.Fields.Copy, 1)
	told := func(i int) []any {
		return []any{d.Strings[d.Fields.Path[i]], d.Strings[d.Fields.Value[i]], d.Fields.Step[i], d.States[d.Fields.State[i]].Word}
	}
	assert.Equal(t, []any{".spec.note", `"` + long + `"`, 6, "lost"}, told(at))
	assert.Equal(t, []any{".spec.count", "9007199254740993", 0, "dropped"}, told(at+1))
	assert.Equal(t, []any{".spec.longer", `"` + long + `x… 1 more characters`, 0, "kept"}, told(at+2))
	assert.Equal(t, 2, d.Fields.Copy[at+3])
}

// TestFindingsOfTheData: each with its copy, and one of a whole LIST with none.
func TestFindingsOfTheData(t *testing.T) {
	run := fixedRun(0)
	d := readData(t, run)
	require.Len(t, d.Findings, len(run.Result.Findings))
	for i, f := range run.Result.Findings {
		got := d.Findings[i]
		assert.Equal(t, d.copyAt(f.Copy), got["copy"])
		assert.Equal(t, []any{f.Path, f.Step, string(f.Outcome), string(f.Check), string(f.Rule), string(f.Class), string(f.Cause), f.Expected, f.AcknowledgedStep},
			[]any{d.Strings[got["path"]], got["step"], d.States[got["state"]].Word, d.Strings[got["check"]], d.Strings[got["rule"]], d.Strings[got["class"]],
				d.Strings[got["cause"]], got["expected"] == 1, got["acknowledged"]})
	}
	assert.True(t, slices.ContainsFunc(d.Findings, func(f map[string]int) bool { return f["copy"] == -1 }))
}

// TestFrozen: a finding that a copy can no longer be written marks it; another
// of the same check does not.
func TestFrozen(t *testing.T) {
	run := fixedRun(0)
	frozen, other := run.Ledger.Copies[1].Copy, run.Ledger.Copies[2].Copy
	run.Result.Findings = []result.Finding{
		{Check: term.CheckStaysWritable, Outcome: term.Frozen, Copy: frozen, Step: 12},
		{Check: term.CheckStaysWritable, Outcome: term.Failed, Copy: other, Step: 12},
	}
	d := readData(t, run)
	assert.Equal(t, 1, d.Copies.Frozen[1])
	assert.Equal(t, 0, d.Copies.Frozen[2])
}

// TestWhatRepeatsIsZero: a view or a stored value that equals the one in the row
// before, and none that differs from it, or has none before it.
func TestWhatRepeatsIsZero(t *testing.T) {
	run := fixedRun(0)
	view := func(message string) result.View {
		return result.View{Replica: "a", Role: term.Old, Version: oldVersion, Code: 500, Outcome: term.Failed, Message: message, Outcomes: map[string]term.Outcome{modePath: term.Lost}}
	}
	held := func(revision int64) *result.Stored { return &result.Stored{Revision: revision, Encoding: "json"} }
	run.Ledger.Copies = []result.CopyLedger{{Copy: "x", Kind: "Pod", Outcome: term.Failed, Rows: []result.Row{
		{Step: 6, Views: []result.View{view("busy")}, Stored: held(1)},
		{Step: 7, Views: []result.View{view("busy")}, Stored: held(1)},
		{Step: 8, Views: []result.View{view("busier")}, Stored: held(2)},
		{Step: 9},
		{Step: 10, Views: []result.View{view("busier")}, Stored: held(2)},
	}}}
	d := readData(t, run)
	var views, stored []string
	for _, row := range d.rows[0] {
		views = append(views, kindOfJSON(row.Views[0])+kindOfJSON(row.Views[1]))
		stored = append(stored, kindOfJSON(row.Stored))
	}
	assert.Equal(t, []string{"{null", "0null", "{null", "nullnull", "{null"}, views)
	assert.Equal(t, []string{"{", "0", "{", "null", "{"}, stored)
}

// kindOfJSON is 0 or null as it stands, and { for an object.
func kindOfJSON(raw json.RawMessage) string {
	if raw[0] == '{' {
		return "{"
	}
	return string(raw)
}

// TestTheWorstLookCounts: where a row looked at a replica more than once.
func TestTheWorstLookCounts(t *testing.T) {
	run := fixedRun(0)
	run.Ledger.Copies = []result.CopyLedger{{Copy: "x", Kind: "Pod", Outcome: term.Lost, Rows: []result.Row{{Step: 6, Outcome: term.Lost, Views: []result.View{
		{Replica: "a", Outcome: term.Kept, Message: "first"}, {Replica: "a", Outcome: term.Lost, Message: "worst"}, {Replica: "a", Outcome: term.Hidden, Message: "last"},
		{Replica: "b", Outcome: term.Kept, Message: "first"}, {Replica: "b", Outcome: term.Kept, Message: "second"},
		{Replica: "elsewhere", Outcome: term.Kept},
	}}}}}
	d := readData(t, run)
	assert.Equal(t, []string{"a", "b", "elsewhere"}, d.Replicas)
	assert.Equal(t, []term.Outcome{term.Lost, term.Kept}, []term.Outcome{d.stateAt(d.Copies.Views[0], 0), d.stateAt(d.Copies.Views[0], 1)})
	a, _, _ := d.view(t, d.rows[0][0].Views[0])
	b, _, _ := d.view(t, d.rows[0][0].Views[1])
	assert.Equal(t, []string{"worst", "first"}, []string{a.Message, b.Message})
}

// TestTheSameRunGivesTheSamePage: no order of a map shows.
func TestTheSameRunGivesTheSamePage(t *testing.T) {
	t.Parallel()
	assert.Equal(t, write(t, "report.html", fixedRun(20)), write(t, "report.html", fixedRun(20)))
}

// blobsOf lets a run answer for some digests itself.
func blobsOf(run *reports.Run, own map[string]history.Blob) {
	others := run.Blobs
	run.Blobs = func(digest string) (history.Blob, bool) {
		if b, ok := own[digest]; ok {
			return b, true
		}
		return others(digest)
	}
}
