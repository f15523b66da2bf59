package oracle_test

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/oracle"
	"github.com/skewsim/skewsim/sim/result"
)

// The baseline holds a line for each recorded history: its name, and the result and the ledger
// that the oracle made of it at the commit before the oracle was divided into packages. It is
// never written again. Where the wording of a sentence has changed since, reworded.yaml says so.
const (
	baselineFile = "testdata/baseline.jsonl.gz"
	rewordedFile = "testdata/reworded.yaml"
)

// rewording replaces a part of the baseline's text.
type rewording struct {
	Was string `json:"was"`
	Is  string `json:"is"`
	Why string `json:"why"`
}

// TestResultsEqualTheBaseline compares whole results and ledgers, not summaries: all that a
// rearrangement of the oracle could change without being noticed.
func TestResultsEqualTheBaseline(t *testing.T) {
	a, rewordings := openHistories(t), readRewordings(t)
	used, baseline, judged := make([]bool, len(rewordings)), readBaseline(t), 0
	for name, want := range baseline {
		t.Run(name, func(t *testing.T) {
			judged++
			f := readHistory(t, a, name)
			res, ledger := oracle.Judge(f.History, f.Schemas)
			leaveOutNewer(res, ledger)
			var moved []term.CheckName
			res.Checks, moved = withoutMoved(res)
			got := judgement(t, name, res, ledger)
			for i, r := range rewordings {
				if strings.Contains(want, r.Was) {
					want, used[i] = strings.ReplaceAll(want, r.Was, r.Is), true
				}
			}
			assert.JSONEq(t, withoutChecks(t, want, moved), got)
		})
	}
	if judged < len(baseline) {
		return // -run chose some of them
	}
	for i, r := range rewordings {
		assert.True(t, used[i], "%s: %q is in no result: remove it", rewordedFile, r.Was)
	}
}

// leaveOutNewer removes the errors of refusals, and who lost values, which results did not have yet.
func leaveOutNewer(res result.Result, ledger result.Ledger) {
	for i := range res.Findings {
		res.Findings[i].StatusCauses, res.Findings[i].Actor = nil, ""
	}
	for _, c := range ledger.Copies {
		for _, row := range c.Rows {
			for i := range row.Requests {
				row.Requests[i].StatusCauses = nil
			}
		}
	}
}

// withoutMoved returns the checks without those whose verdict or reason comes of what others report, and the names of
// these: they passed without a reason, or did not apply, when the baseline was written.
func withoutMoved(res result.Result) (rest []result.Check, moved []term.CheckName) {
	for _, c := range res.Checks {
		n, _ := res.BrokenElsewhere(c.Name)
		expected, _ := res.BrokenElsewhereAsExpected(c.Name)
		if n+expected > 0 && !res.Differs(c.Name) {
			moved = append(moved, c.Name)
			continue
		}
		rest = append(rest, c)
	}
	return rest, moved
}

func withoutChecks(t *testing.T, want string, names []term.CheckName) string {
	t.Helper()
	if len(names) == 0 {
		return want
	}
	var line map[string]any
	require.NoError(t, json.Unmarshal([]byte(want), &line))
	res, _ := line["result"].(map[string]any)
	checks, _ := res["checks"].([]any)
	res["checks"] = slices.DeleteFunc(checks, func(c any) bool {
		check, _ := c.(map[string]any)
		name, _ := check["name"].(string)
		return slices.Contains(names, term.CheckName(name))
	})
	raw, err := json.Marshal(line)
	require.NoError(t, err)
	return string(raw)
}

func judgement(t *testing.T, name string, res, ledger any) string {
	t.Helper()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	require.NoError(t, enc.Encode(map[string]any{"name": name, "result": res, "ledger": ledger}))
	return b.String()
}

func readRewordings(t *testing.T) (all []rewording) {
	t.Helper()
	raw, err := os.ReadFile(rewordedFile)
	require.NoError(t, err)
	require.NoError(t, yaml.UnmarshalStrict(raw, &all))
	for _, r := range all {
		require.NotEmpty(t, r.Was)
		require.NotEmpty(t, r.Why, r.Was)
	}
	return all
}

func readBaseline(t *testing.T) map[string]string {
	t.Helper()
	f, err := os.Open(baselineFile)
	require.NoError(t, err)
	defer f.Close()
	z, err := gzip.NewReader(f)
	require.NoError(t, err)
	all := map[string]string{}
	lines := bufio.NewScanner(z)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() {
		var line struct {
			Name string `json:"name"`
		}
		require.NoError(t, json.Unmarshal(lines.Bytes(), &line))
		all[line.Name] = lines.Text()
	}
	require.NoError(t, lines.Err())
	require.NotEmpty(t, all)
	return all
}
