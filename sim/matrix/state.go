package matrix

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// FileName is the file that a matrix writes to its directory.
const FileName = "matrix.json"

// Version is the version of matrix.json's format.
const Version = "skewsim.dev/matrix/v2"

// Phase is the progress of a matrix or of one of its cells.
type Phase string

// The phases. Of a matrix: running, interrupted, done.
const (
	Waiting       Phase = "waiting"        // not started
	Running       Phase = "running"        // it is running, or was when skewsim was killed
	Interrupted   Phase = "interrupted"    // it was interrupted: --resume plays it again
	Done          Phase = "done"           // it completed
	NotApplicable Phase = "not-applicable" // of a cell: its builds showed that the scenario does not apply
)

// Outcome is how a run ended, in a word.
type Outcome string

// The outcomes.
const (
	Passed       Outcome = "pass"
	Failed       Outcome = "FAIL"
	FoundImpacts Outcome = "impacts"
	Unjudged     Outcome = "unknown"
	Refused      Outcome = "refused"
	NotPlayed    Outcome = "not played"
	Ended        Outcome = "interrupted" // interrupted from outside
)

// Verdict returns the verdict behind an outcome: unknown for an outcome without one.
func (o Outcome) Verdict() term.VerdictWord {
	switch o {
	case Passed:
		return term.Pass
	case Failed:
		return term.Fail
	case FoundImpacts:
		return term.Impacts
	}
	return term.Unknown
}

// OutcomeOf returns the outcome of a run with a verdict.
func OutcomeOf(v term.VerdictWord) Outcome {
	switch v {
	case term.Pass:
		return Passed
	case term.Fail:
		return Failed
	case term.Impacts:
		return FoundImpacts
	}
	return Unjudged
}

// State is the content of matrix.json: the cells of a matrix and their outcomes. It is written
// again at every change.
type State struct {
	SchemaVersion string `json:"schemaVersion"`
	Tool          string `json:"tool"` // skewsim's version
	Seed          int64  `json:"seed"`
	Shard         *Shard `json:"shard,omitempty"` // absent: the matrix is complete
	Phase         Phase  `json:"phase"`
	// Verdict is the worst of the cells', as merged.json has it; unknown while cells
	// are left.
	Verdict  term.VerdictWord `json:"verdict"`
	Reason   string           `json:"reason"` // the verdict in a sentence
	Totals   Totals           `json:"totals"`
	Cells    []Cell           `json:"cells"`    // by component, pair (by version) and scenario
	Excluded []Excluded       `json:"excluded"` // what is not played, with the reasons
}

// Totals counts cells. Pass, Fail, Unknown and Left add up to Cells.
type Totals struct {
	Cells         int `json:"cells"` // that are played here
	Pass          int `json:"pass"`
	Fail          int `json:"fail"`
	Impacts       int `json:"impacts,omitempty"` // that found only impacts, of scenarios without expectations
	Unknown       int `json:"unknown"`           // that could not be judged, or not played
	Left          int `json:"left"`              // that are not completed
	Excluded      int `json:"excluded"`          // that are not played, according to excluded
	NotApplicable int `json:"notApplicable"`     // that are not played because their builds showed that the scenario does not apply
	Retried       int `json:"retried"`           // with an infrastructure failure at least once
}

// Cell is a scenario that is played with a pair.
type Cell struct {
	Scenario  string `json:"scenario"`            // with its mutant: add-field+required
	Component string `json:"component,omitempty"` // the component of the scenario and the pair
	Pair      string `json:"pair"`
	Dir       string `json:"dir"`     // of the run, relative to matrix.json; with slashes
	Journey   int    `json:"journey"` // cells with the same number share servers and a store; from 1
	Steps     int    `json:"steps"`   // of its plan
	// Estimate is its estimated cost, in seconds.
	Estimate float64 `json:"estimate"`
	Phase    Phase   `json:"phase"`
	// Earlier is true if all below is from an earlier matrix, and this one has not checked yet
	// whether it is still valid: the cell counts as left.
	Earlier bool `json:"earlier,omitempty"`
	// Verdict is absent until the cell has completed.
	Verdict term.VerdictWord `json:"verdict,omitempty"`
	// Outcome is the verdict as lines print it: pass, FAIL, unknown, refused, not played.
	Outcome Outcome `json:"outcome,omitempty"`
	Reason  string  `json:"reason,omitempty"` // why it did not pass, if that is known without its result
	// Infrastructure is true if an infrastructure failure kept it from a verdict, also at the
	// last attempt: --resume plays it again.
	Infrastructure bool    `json:"infrastructure,omitempty"`
	Took           float64 `json:"took"`    // of its journey, in seconds
	Seconds        float64 `json:"seconds"` // its own part of these: what --costs reads
	// Attempts are the times it was played, with the outcome of each; those of an earlier
	// matrix too.
	Attempts []Attempt `json:"attempts,omitempty"`
	Builds   []Build   `json:"builds,omitempty"`
	// Key is a digest of everything that the result depends on: plan, seed, builds, skewsim.
	Key string `json:"key,omitempty"`
	// Result is the digest of its result.json.
	Result string `json:"result,omitempty"`
}

// Attempt is one time that a cell was played.
type Attempt struct {
	Outcome Outcome `json:"outcome"`
	Reason  string  `json:"reason,omitempty"`
	Took    float64 `json:"took"`           // seconds
	With    int     `json:"with,omitempty"` // number of other cells on its journey
	// Infrastructure is the infrastructure failure that ended it; absent without one.
	Infrastructure string `json:"infrastructure,omitempty"`
}

// HadInfrastructureFailure reports whether an infrastructure failure has ended the cell at least once.
func (c Cell) HadInfrastructureFailure() bool {
	return slices.ContainsFunc(c.Attempts, func(a Attempt) bool { return a.Infrastructure != "" })
}

// IsInterrupted reports whether the attempt was interrupted from outside.
func (a Attempt) IsInterrupted() bool { return a.Outcome == Ended }

// IsRefused reports whether an object or a flag of the cell was refused: its run shows nothing.
func (c Cell) IsRefused() bool { return c.Outcome == Refused && c.Verdict != term.Fail }

// Counts returns a result as it counts for its cell. If the cell's state is worse, because
// something ended the run or because somebody changed one of the two, the state counts.
func (c Cell) Counts(res result.Result) result.Result {
	is, has := c.Verdict, res.Verdict
	if !term.Verdicts().Has(is) {
		is = term.Unknown
	}
	if !is.WorseThan(has) {
		return res
	}
	told := fmt.Sprintf("%s says %s, and result.json %s: the worse counts", FileName, is, has)
	if why := strings.TrimPrefix(strings.TrimPrefix(c.Reason, told), ": "); why != "" { // it may say so already
		told += ": " + why
	}
	res.Verdict, res.Reason, res.Checks = is, told, nil
	return res
}

// AttemptsLine returns in a line how each attempt ended.
func (c Cell) AttemptsLine() string {
	var parts []string
	for _, a := range c.Attempts {
		switch {
		case a.Infrastructure != "":
			parts = append(parts, a.Infrastructure)
		case a.With == 1:
			parts = append(parts, fmt.Sprintf("%s with 1 other", a.Outcome))
		case a.With > 1:
			parts = append(parts, fmt.Sprintf("%s with %s", a.Outcome, term.Numbered(a.With, "other")))
		default:
			parts = append(parts, string(a.Outcome))
		}
	}
	return strings.Join(parts, ", then ")
}

// Build is the build of a release that was played.
type Build struct {
	Role      term.Role `json:"role"`
	Reference string    `json:"reference"`
	Version   string    `json:"version"`
	Digest    string    `json:"digest"`
	Client    bool      `json:"client,omitempty"` // it has the release's typed clients
}

// Read reads a matrix.json. It returns an error if the file is truncated or has another form.
func Read(raw []byte) (State, error) {
	var s State
	if err := json.Unmarshal(raw, &s); err != nil {
		return State{}, fmt.Errorf("is no matrix.json: %w", err)
	}
	if s.SchemaVersion != Version {
		return State{}, fmt.Errorf("is of the form %q, and not %s", s.SchemaVersion, Version)
	}
	return s, nil
}

// Sum counts the cells again, and sets the verdict that follows.
func (s *State) Sum() {
	s.Totals = Totals{}
	for _, e := range s.Excluded {
		s.Totals.Excluded += max(1, len(e.Pairs))
	}
	for _, c := range s.Cells {
		s.Totals.add(c)
	}
	s.Verdict, s.Reason = s.Totals.verdict()
}

func (t *Totals) add(c Cell) {
	if c.HadInfrastructureFailure() {
		t.Retried++
	}
	if c.Phase == NotApplicable {
		t.NotApplicable++
		return
	}
	t.Cells++
	switch {
	case c.Phase != Done || c.Earlier:
		t.Left++
	case c.Verdict == term.Pass:
		t.Pass++
	case c.Verdict == term.Fail:
		t.Fail++
	case c.Verdict == term.Impacts:
		t.Impacts++
	default:
		t.Unknown++
	}
}

// verdict returns the worst verdict of the cells. Cells that are left are unknown.
func (t Totals) verdict() (term.VerdictWord, string) {
	reason := fmt.Sprintf("of %s %d passed, %d failed, %d could not be judged, %d are left", term.Numbered(t.Cells, "cell"), t.Pass, t.Fail, t.Unknown, t.Left)
	if t.Cells == 0 {
		reason = "there is no cell to play"
	}
	if t.Impacts > 0 {
		reason += fmt.Sprintf(", %d found impacts only", t.Impacts)
	}
	if t.NotApplicable > 0 {
		reason += fmt.Sprintf("; %s turned out not to apply to what was built", term.Numbered(t.NotApplicable, "cell"))
	}
	switch {
	case t.Fail > 0:
		return term.Fail, reason
	case t.Cells == 0:
		return term.Unknown, reason
	case t.Unknown+t.Left > 0:
		return term.Unknown, reason
	case t.Impacts > 0:
		return term.Impacts, reason
	}
	return term.Pass, reason
}

// IsDone reports whether a cell need not be played again: it completed without an
// infrastructure failure, and its result exists and depends on the same inputs.
func (c Cell) IsDone(key, result string) bool {
	return c.Phase == Done && !c.Infrastructure && c.Key == key && c.Result != "" && c.Result == result
}
