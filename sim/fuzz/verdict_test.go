package fuzz

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
)

func TestVerdict(t *testing.T) {
	laps := func(accepted int) []Lap {
		return []Lap{{Features: "off", Kinds: []KindLap{{Kind: "Gadget", Objects: 10, Accepted: accepted}}}}
	}
	impact, violation := Finding{Class: term.Impact, Message: "it is hidden"}, Finding{Class: term.Violation, Message: "it is gone", First: 3}
	for name, c := range map[string]struct {
		result Result
		want   term.VerdictWord
	}{
		"half":                 {Result{Laps: laps(5), Findings: []Finding{impact}}, term.Pass},
		"too few":              {Result{Laps: laps(4)}, term.Unknown},
		"none":                 {Result{Laps: laps(0)}, term.Unknown},
		"no lap":               {Result{}, term.Unknown},
		"violation":            {Result{Laps: laps(10), Findings: []Finding{impact, violation}}, term.Fail},
		"few, and a violation": {Result{Laps: laps(1), Findings: []Finding{violation}}, term.Fail},
	} {
		c.result.judge()
		assert.Equal(t, c.want, c.result.Verdict, name)
	}
	r := Result{Old: "v1", New: "v2", Seed: 7, Laps: laps(10), Findings: []Finding{impact, violation}, Replay: "skewsim fuzz a..b --seed 7"}
	r.judge()
	var text bytes.Buffer
	require.NoError(t, Text(&text, r))
	assert.Contains(t, text.String(), "again: skewsim fuzz a..b --seed 7 --only 3\n")
	assert.Contains(t, text.String(), "FAIL  v1 .. v2, seed 7\n")
}

func TestTextOfCleared(t *testing.T) {
	cleared := func(path string) Finding {
		return Finding{Class: term.Impact, Outcome: term.Dropped, Kind: "Gadget", Path: path, Message: "a message of " + path}
	}
	lost := Finding{Class: term.Violation, Outcome: term.Dropped, Kind: "Gadget", Path: ".lost", Message: "a message of .lost"}
	var text bytes.Buffer
	require.NoError(t, Text(&text, Result{Findings: []Finding{cleared(".b"), cleared(".a"), lost, cleared(".b")}}))
	assert.Contains(t, text.String(), "  Gadget: .a, .b\n")
	assert.Contains(t, text.String(), "a message of .lost")
	assert.NotContains(t, text.String(), "a message of .a")
}
