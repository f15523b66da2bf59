package matrix

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// FileName is the file that a matrix leaves in its directory.
const FileName = "matrix.json"

// Version names the form of matrix.json.
const Version = "skewsim.dev/matrix/v1"

// Phase says how far a matrix, or one of its cells, has come.
type Phase string

// The phases. Of a matrix: running, interrupted, done.
const (
	Waiting     Phase = "waiting"     // its turn has not come
	Running     Phase = "running"     // it is played, or was when skewsim was killed
	Interrupted Phase = "interrupted" // it was ended from outside: --resume plays it again
	Done        Phase = "done"        // it came to its end
	Inapt       Phase = "inapt"       // of a cell: its builds, once made, are such that the scenario does not apply
)

// Outcome says in a word how a run ended.
type Outcome string

// The outcomes.
const (
	Passed       Outcome = "pass"
	Failed       Outcome = "FAIL"
	FoundImpacts Outcome = "impacts"
	Unjudged     Outcome = "unknown"
	Refused      Outcome = "refused"
	NotPlayed    Outcome = "not played"
	Ended        Outcome = "interrupted" // from outside
)

// Verdict returns the verdict behind an outcome: what has none could not be judged.
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

// State is the content of matrix.json: what a matrix is of, and what has come of it. It
// is written anew whenever that changes.
type State struct {
	SchemaVersion string `json:"schemaVersion"`
	Tool          string `json:"tool"` // skewsim's version
	Seed          int64  `json:"seed"`
	Shard         *Shard `json:"shard,omitempty"` // absent: the matrix is whole
	Phase         Phase  `json:"phase"`
	// Verdict is the worst of the cells', as merged.json has it; unknown while cells
	// are left.
	Verdict  term.VerdictWord `json:"verdict"`
	Reason   string           `json:"reason"` // the verdict in a sentence
	Totals   Totals           `json:"totals"`
	Cells    []Cell           `json:"cells"`    // by component, pair (by version) and scenario
	Excluded []Excluded       `json:"excluded"` // what is not played, each with its reason
}

// Totals counts cells. Pass, Fail, Unknown and Left add up to Cells.
type Totals struct {
	Cells    int `json:"cells"` // that are played here
	Pass     int `json:"pass"`
	Fail     int `json:"fail"`
	Impacts  int `json:"impacts,omitempty"` // that found impacts only, of scenarios without expectations
	Unknown  int `json:"unknown"`           // that could not be judged, or not played
	Left     int `json:"left"`              // that have not come to their end
	Excluded int `json:"excluded"`          // that are not played, as excluded has them
	Inapt    int `json:"inapt"`             // that are not played since their builds turned out to be such
	Retried  int `json:"retried"`           // that the machine ended at least once
}

// Cell is a scenario that is played with a pair.
type Cell struct {
	Scenario  string `json:"scenario"`            // with its twin: add-field+required
	Component string `json:"component,omitempty"` // what the scenario, and so the pair, is of
	Pair      string `json:"pair"`
	Dir       string `json:"dir"`     // of the run, from that of matrix.json; with slashes
	Journey   int    `json:"journey"` // cells with one number share servers and a store; from 1
	Steps     int    `json:"steps"`   // of its plan
	// Estimate is what it was thought to cost, in seconds.
	Estimate float64 `json:"estimate"`
	Phase    Phase   `json:"phase"`
	// Earlier is true where all below is of an earlier matrix, and this one has not found
	// out yet whether it still holds: the cell counts as left.
	Earlier bool `json:"earlier,omitempty"`
	// Verdict is absent until the cell has come to its end.
	Verdict term.VerdictWord `json:"verdict,omitempty"`
	// Outcome is the verdict as lines tell it: pass, FAIL, unknown, refused, not played.
	Outcome Outcome `json:"outcome,omitempty"`
	Reason  string  `json:"reason,omitempty"` // why it did not pass, where that is known without its result
	// Infrastructure is true where the machine has kept it from a verdict, also at the
	// last attempt: --resume plays it again.
	Infrastructure bool    `json:"infrastructure,omitempty"`
	Took           float64 `json:"took"`    // seconds, of its journey
	Seconds        float64 `json:"seconds"` // of these, its own part: what --costs reads
	// Attempts are how often it was played, and what each came to; those that an earlier
	// matrix left too.
	Attempts []Attempt `json:"attempts,omitempty"`
	Builds   []Build   `json:"builds,omitempty"`
	// Key is a digest of all that the result hangs on: plan, seed, builds, skewsim.
	Key string `json:"key,omitempty"`
	// Result is the digest of its result.json.
	Result string `json:"result,omitempty"`
}

// Attempt is one time that a cell was played.
type Attempt struct {
	Outcome Outcome `json:"outcome"`
	Reason  string  `json:"reason,omitempty"`
	Took    float64 `json:"took"`           // seconds
	With    int     `json:"with,omitempty"` // how many others were on its journey
	// Infrastructure says what of the machine ended it; absent: nothing did.
	Infrastructure string `json:"infrastructure,omitempty"`
}

// Flaky tells whether the machine has ended the cell, once at least.
func (c Cell) Flaky() bool {
	return slices.ContainsFunc(c.Attempts, func(a Attempt) bool { return a.Infrastructure != "" })
}

// IsInterrupted reports whether the attempt was ended from outside.
func (a Attempt) IsInterrupted() bool { return a.Outcome == Ended }

// IsRefused reports whether a cell's object was refused, or a flag: its run shows nothing.
func (c Cell) IsRefused() bool { return c.Outcome == Refused && c.Verdict != term.Fail }

// Counts returns a result as it counts for its cell. Where the cell's state says worse, since
// something ended the run, or since somebody changed either, that counts, and what the
// checks found shows nothing of it.
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

// AttemptsLine says in a line how each attempt ended.
func (c Cell) AttemptsLine() string {
	var parts []string
	for _, a := range c.Attempts {
		switch {
		case a.Infrastructure != "":
			parts = append(parts, a.Infrastructure)
		case a.With == 1:
			parts = append(parts, fmt.Sprintf("%s with 1 other", a.Outcome))
		case a.With > 1:
			parts = append(parts, fmt.Sprintf("%s with %d others", a.Outcome, a.With))
		default:
			parts = append(parts, string(a.Outcome))
		}
	}
	return strings.Join(parts, ", then ")
}

// Build is what a release was played with.
type Build struct {
	Role      term.Role `json:"role"`
	Reference string    `json:"reference"`
	Version   string    `json:"version"`
	Digest    string    `json:"digest"`
	Client    bool      `json:"client,omitempty"` // it is the release's typed clients
}

// Read reads a matrix.json. Errors: it is cut, or of another form.
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

// Sum counts the cells again, and gives the verdict that follows.
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
	if c.Flaky() {
		t.Retried++
	}
	if c.Phase == Inapt {
		t.Inapt++
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

// verdict is the worst of the cells'. What is left is unknown.
func (t Totals) verdict() (term.VerdictWord, string) {
	reason := fmt.Sprintf("of %s %d passed, %d failed, %d could not be judged, %d are left", numbered(t.Cells), t.Pass, t.Fail, t.Unknown, t.Left)
	if t.Cells == 0 {
		reason = "there is no cell to play"
	}
	if t.Impacts > 0 {
		reason += fmt.Sprintf(", %d found impacts only", t.Impacts)
	}
	if t.Inapt > 0 {
		reason += fmt.Sprintf("; %s turned out not to apply to what was built", numbered(t.Inapt))
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

func numbered(cells int) string {
	if cells == 1 {
		return "1 cell"
	}
	return fmt.Sprintf("%d cells", cells)
}

// IsDone tells whether a cell need not be played again: it came to its end, nothing of
// the machine kept it from a verdict, and its result, which hangs on the same, is there.
func (c Cell) IsDone(key, result string) bool {
	return c.Phase == Done && !c.Infrastructure && c.Key == key && c.Result != "" && c.Result == result
}
