package oracle_test

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle"
	"github.com/skewsim/skewsim/sim/result"
)

// cut is a history as a run leaves it that is killed: some lines of it, and some bytes of the
// line after them.
func cut(t *testing.T, lines [][]byte, n int, more bool) *history.History {
	t.Helper()
	text := bytes.Join(lines[:n], nil)
	if more && n < len(lines) {
		text = append(text, lines[n][:len(lines[n])/2]...)
	}
	h, err := history.Decode(bytes.NewReader(text))
	require.NoError(t, err)
	return h
}

// facts says of a finding what it is about, without its sentence.
func facts(f result.Finding) string {
	return fmt.Sprint(f.Check, " ", f.Rule, " ", f.Class, " ", f.Outcome, " ", f.Cause, " ", f.Copy, " ", f.Path, " ", f.Step, " ", f.Stage, " ", f.Replica)
}

// wantsOnly holds that what is left of a run shows nothing that the whole run does not show,
// and that its verdict is the whole one's, or that it could not be judged.
func wantsOnly(t *testing.T, whole, part result.Result, at string) {
	t.Helper()
	var has []string
	for _, f := range whole.Findings {
		has = append(has, facts(f))
	}
	for _, f := range part.Findings {
		assert.Contains(t, has, facts(f), "%s: found in a part of the history alone: %s", at, f.Message)
	}
	if part.Verdict != term.Unknown {
		assert.Equal(t, whole.Verdict, part.Verdict, at)
	}
	assert.NotEqual(t, term.Pass, part.Verdict, at)
}

// TestKilledRunsShowNothingElse: every prefix of recorded histories, at the end of a line
// and within one, gives what the whole gives, or could not be judged.
func TestKilledRunsShowNothingElse(t *testing.T) {
	a := openHistories(t)
	for _, name := range []string{"plural+alone", "policy-gate", "shine"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			text, err := a.Text(name)
			require.NoError(t, err)
			f := readHistory(t, a, name)
			whole, _ := oracle.Judge(f.History, f.Schemas)
			lines := bytes.SplitAfter(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
			require.LessOrEqual(t, len(lines), 400)
			require.True(t, f.History.Header.Intents, "record it again: make record RECORD=%s", name)
			settled, early := map[int]bool{}, 0
			for n := 1; n < len(lines); n++ {
				h := cut(t, lines, n, n%2 == 0)
				if at := n - h.Unsettled; h.Damage == nil && settled[at] {
					continue // judged already
				} else if h.Damage == nil {
					settled[at] = true
				}
				part, _ := oracle.Judge(h, f.Schemas)
				wantsOnly(t, whole, part, fmt.Sprintf("%d of %d lines", n, len(lines)))
				if len(part.Findings) > 0 {
					early++
				}
			}
			assert.Greater(t, len(settled), 10, "what a killed run has seen is judged")
			if len(whole.Findings) > 0 {
				assert.Positive(t, early, "findings of a killed run stand")
			}
		})
	}
}

// TestEffectBeforeAnswer: a change whose write has not been answered yet, when the run is
// killed, is nobody's, so it is left out. Judged anyway it would be a server's own.
func TestEffectBeforeAnswer(t *testing.T) {
	a := openHistories(t)
	f := readHistory(t, a, "shine")
	text, err := a.Text("shine")
	require.NoError(t, err)
	lines := bytes.SplitAfter(text, []byte("\n"))
	found := 0
	for _, op := range f.History.Operations {
		i := slices.IndexFunc(f.History.Changes, func(c history.Change) bool {
			return c.Revision == op.Exchange.Revision && c.Line < op.Line
		})
		if op.Purpose != history.Act || i < 0 || !op.Done() {
			continue
		}
		found++
		c := f.History.Changes[i]
		h := cut(t, lines, c.Line, false)
		assert.NotContains(t, h.Changes, c, "step %d", op.Step)
		assert.Positive(t, h.Unsettled)
		h = cut(t, lines, op.Line, false)
		assert.True(t, h.Unsettled > 0 || slices.Contains(h.Changes, c), "answered, it counts once nothing else is under way")
	}
	assert.Positive(t, found, "no write of the history was answered after its change was seen")
}
