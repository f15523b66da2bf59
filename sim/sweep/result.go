package sweep

import (
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/diff"
	"github.com/skewsim/skewsim/sim/result"
)

// SchemaVersion is the version of sweep.json's format.
const SchemaVersion = "skewsim.dev/sweep/v2"

// Result is the content of sweep.json.
type Result struct {
	SchemaVersion string `json:"schemaVersion"`
	Tool          string `json:"tool,omitempty"` // the version of skewsim
	Old           Build  `json:"old"`
	New           Build  `json:"new"`
	Date          string `json:"date"`              // the day of the sweep, in UTC: 2026-11-23
	Command       string `json:"command,omitempty"` // what repeats the sweep
	Seed          int64  `json:"seed"`
	// Answer is the summary in one sentence: what a cluster at default settings can lose.
	Answer string `json:"answer"`
	Totals Totals `json:"totals"`
	// Timing is what the sweep took, without builds; nil where it is not measured.
	Timing *Timing `json:"timing,omitempty"`
	// Laps are the journeys that were played.
	Laps []LapSummary `json:"laps"`
	// Rows are the differences, worst first.
	Rows []Row `json:"rows"`
	// Baseline is the comparison with an earlier sweep; nil: no baseline was given.
	Baseline *Baseline `json:"baseline,omitempty"`
	// Unconverted are the kinds of which differences were left out, since a webhook converts them and no file has
	// its rules.
	Unconverted []Unconverted `json:"unconverted,omitempty"`
	// Warning is what the reader should know before all else; "": nothing.
	Warning string `json:"warning,omitempty"`
	// NotCompared are what could not be compared, each with the reason.
	NotCompared []string `json:"notCompared"`
	// Mismatches are what servers say of their own validation: hand-written and declared rules differ.
	Mismatches []Mismatch `json:"mismatches"`
	Notes      []string   `json:"notes"` // the limits of the result
	// Ended is why the sweep ended early; "": it did not.
	Ended string `json:"ended,omitempty"`
}

// Build is a release that was swept.
type Build struct {
	Reference   string   `json:"reference"`
	Version     string   `json:"version"`
	Digest      string   `json:"digest,omitempty"`
	Substituted []string `json:"substituted,omitempty"`
	// From is the address or the file that the binary was taken from; absent if it was built, or
	// the reference names it.
	From string `json:"from,omitempty"`
}

// Totals count the rows.
type Totals struct {
	Differences int `json:"differences"`
	Playable    int `json:"playable"` // of those, the ones that a sweep can play
	Played      int `json:"played"`   // of those, the ones that this sweep played
	// Exercised are the differences with a verdict, NotExercised the others that a sweep can play, and Listed
	// those that it cannot play: together they are all differences.
	Exercised    int `json:"exercised"`
	NotExercised int `json:"notExercised"`
	Listed       int `json:"listed"`
	// Reasons are why differences are not exercised, the most frequent first.
	Reasons []Reason `json:"reasons"`
	// Shown counts the rows that no published difference has, and only servers show.
	Shown int `json:"shown"`
	// PreExisting counts the rows whose harm the old release alone does too, by lap: no verdict counts them.
	PreExisting map[term.Lap]int `json:"preExisting"`
	// NeedWebhook counts the differences that only a webhook could let a sweep play.
	NeedWebhook int `json:"needWebhook,omitempty"`
	// AddedFields counts differences of the kind field-added in kinds that both releases serve.
	AddedFields Fraction `json:"addedFields"`
	// VersionPairs counts the pairs of versions that a webhook converts, each direction for itself; absent where
	// there are none.
	VersionPairs *Fraction `json:"versionPairs,omitempty"`
	// Default and Gates count the outcomes of rows by lap, each as outcome or outcome:actor.
	Default map[string]int `json:"default"`
	Gates   map[string]int `json:"gates"`
}

// Reason is why differences are not exercised.
type Reason struct {
	Reason string `json:"reason"` // without what is of one row alone
	Rows   int    `json:"rows"`
	First  string `json:"first"` // the ID of the first of them
}

// Timing is what a sweep took, in seconds and bytes: of this program, and of its servers.
type Timing struct {
	Seconds      float64 `json:"seconds"`
	SimulatorCPU float64 `json:"simulatorCPU"`
	ServersCPU   float64 `json:"serversCPU"`
	Memory       int64   `json:"simulatorMemory"` // the most at once
}

// Fraction is a share of rows.
type Fraction struct {
	Exercised int `json:"exercised"`
	Of        int `json:"of"`
}

// LapSummary is one journey of a sweep.
type LapSummary struct {
	Lap     term.Lap          `json:"lap"`
	Gates   map[string]bool   `json:"gates,omitempty"` // switches of the new release; none: its defaults
	Run     string            `json:"run"`             // the run directory, relative to sweep.json
	Verdict term.VerdictWord  `json:"verdict"`
	Objects int               `json:"objects"` // that were written
	Copies  int               `json:"copies"`
	Seconds float64           `json:"seconds"`
	Skipped map[string]string `json:"skipped,omitempty"` // reasons, by object
}

// Row is one difference with what happened to it.
type Row struct {
	// ID is stable over sweeps of the same releases: a baseline is compared by it.
	ID string `json:"id"`
	diff.Difference
	// Reachable reports whether the difference can be used at default settings of both releases.
	Reachable bool `json:"reachable"`
	// NeedsWebhook reports that a webhook converts the kind, and no file has its rules, without which the
	// difference cannot be played.
	NeedsWebhook bool `json:"needsWebhook,omitempty"`
	// LapResult is the headline: that of the default lap if the difference was exercised there,
	// else that of the gates lap.
	LapResult
	// Laps are the outcomes of each lap that played the difference.
	Laps []LapResult `json:"laps,omitempty"`

	also []string // the IDs of rows that it explains, whose objects count for it: see declared
}

// LapResult is what happened to a difference in one lap.
type LapResult struct {
	Lap term.Lap `json:"lap,omitempty"`
	// Object is the name of the object in the lap's scenario, Origin where it came from.
	Object string            `json:"object,omitempty"`
	Origin term.ObjectOrigin `json:"origin,omitempty"`
	// WasPlayed reports whether a server answered a write of the object, or a dry run of the rule.
	WasPlayed bool `json:"played"`
	// Exercised reports whether servers showed what becomes of the difference: there is a verdict.
	Exercised bool `json:"exercised"`
	// Reason is why it was not exercised, or the servers' words for what happened to it.
	Reason string `json:"reason,omitempty"`
	term.Effect
	// Notes are findings on other values of the object, which no other object of the kind has.
	Notes []string `json:"notes,omitempty"`
	// Cells are what was done, one each. LeftOut counts those that are not listed, by outcome or
	// outcome:actor: a lap lists 32 at most, one of each verb, client, release and stage first.
	Cells   []Cell         `json:"cells,omitempty"`
	LeftOut map[string]int `json:"cellsLeftOut,omitempty"`
	// Unplayed is how many further changes the releases answer differently, which were not played: of one rule at
	// most six are, one of each kind.
	Unplayed int `json:"unplayed,omitempty"`
	// Class, Rule and Cause are of the worst finding; "" without one.
	Class term.Class `json:"class,omitempty"`
	Rule  term.Rule  `json:"rule,omitempty"`
	Cause term.Cause `json:"cause,omitempty"`
	// Broken is how many cells break a rule, whatever the worst of them is: the others are impacts,
	// which rule-6 expects.
	Broken int `json:"broken,omitempty"`
	// PreExisting reports that the old release alone does what the verdict says, before the upgrade: the row
	// is listed apart, and fails no sweep.
	PreExisting bool `json:"preExisting,omitempty"`
	// Accepted is the owner of an allow-list's line that accepts the row; "" for none.
	Accepted string `json:"accepted,omitempty"`
	// Known is the public issue that reports it, as an allow-list's line says; "" for none.
	Known string `json:"known,omitempty"`
	// History is the address of the object's history, relative to sweep.json:
	// default/report.html#...
	History string `json:"history,omitempty"`
}

// Cell is one treatment of one copy, with its outcome.
type Cell struct {
	// Write is what was done, in words that name the verb, the client and the release.
	Write string `json:"write"`
	Stage string `json:"stage,omitempty"`
	Copy  string `json:"copy,omitempty"`
	Step  int    `json:"step,omitempty"` // of the finding, or of the write
	Path  string `json:"path,omitempty"`
	term.Effect
	Class term.Class `json:"class,omitempty"`
	Rule  term.Rule  `json:"rule,omitempty"`
	Cause term.Cause `json:"cause,omitempty"`
	// PreExisting reports that the old release alone does the same, before the upgrade.
	PreExisting bool `json:"preExisting,omitempty"`
	// Message is the sentence of the finding; "" for what was kept.
	Message string `json:"message,omitempty"`
}

// JSONSchema returns the JSON Schema of sweep.json, generated from the Go types:
// docs/sweep.schema.json contains it.
func JSONSchema() ([]byte, error) {
	return result.SchemaOf(Result{}, "The differences between two releases, with what happened to each")
}
