package page

import (
	"cmp"
	"fmt"
	"html/template"
	"strings"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// How many findings the page draws: enough to see what they have in common. The states show
// the rest.
const (
	drawnOfKind = 20
	drawnKinds  = 40
)

// finding is a finding's sentence with the link to its evidence.
type finding struct {
	Fact, Why string // the sentence: what was seen, and what follows its first semicolon
	Link      template.URL
}

// kind is a group of similar findings: the first is written out, the others are folded.
type kind struct {
	view.GroupKey
	Whole  string // what is meant without a path
	Rule   term.Rule
	Count  int
	Step   int // of the first finding
	Stage  string
	Lead   finding
	Like   []finding
	More   int // number of findings that are not drawn
	Filter template.URL
}

// kinds are the findings of one part of the section, the worst first.
type kinds struct {
	Kinds  []kind
	Count  int // of all findings
	More   int // number of findings in no drawn kind
	States []stateCount
}

// stateCount is the number of findings with a state.
type stateCount struct {
	State term.Outcome
	Count int
}

// matched is the findings that one expectation matches.
type matched struct {
	Place    int
	Sentence template.HTML // what the worst of them is; "" if there is none
	Line     string
	kinds
}

// sentenceOf says what the worst of some findings is.
func sentenceOf(res result.Result, findings []result.Finding) template.HTML {
	if len(findings) == 0 {
		return ""
	}
	quoted := func(text string) string { return "`" + text + "`" }
	outcomes := view.Outcomes{Versions: view.VersionsOf(res), Code: quoted, Prose: term.Visible}
	return prose(view.AsSentence(outcomes.Sentence(view.WorstFirst(findings)[0])))
}

// prose shows what a text has between backticks as code.
func prose(text string) template.HTML {
	var b strings.Builder
	for i, part := range strings.Split(term.Visible(text), "`") {
		escaped := template.HTMLEscapeString(part)
		if i%2 == 1 {
			escaped = "<code>" + escaped + "</code>"
		}
		b.WriteString(escaped)
	}
	return template.HTML(b.String()) //nolint:gosec // all parts are escaped
}

// drawKinds draws findings by kind.
func drawKinds(findings []result.Finding) kinds {
	drawn := kinds{Count: len(findings), States: countStates(findings)}
	at := map[view.GroupKey]int{}
	for _, f := range view.WorstFirst(findings) {
		key := view.KeyOf(f)
		i, ok := at[key]
		switch {
		case ok:
			drawn.Kinds[i].add(f)
		case len(drawn.Kinds) < drawnKinds:
			at[key] = len(drawn.Kinds)
			drawn.Kinds = append(drawn.Kinds, kindOf(f))
		default:
			drawn.More++
		}
	}
	return drawn
}

// kindOf returns a kind with its first finding.
func kindOf(f result.Finding) kind {
	filter := view.FilterLink("outcome", string(f.Outcome), "path", f.Path)
	whole := "the whole object"
	if f.Copy == "" {
		whole = cmp.Or(term.Visible(f.Kind), "a server")
		filter = view.FindingLink(f) // no state shows it
	}
	return kind{
		GroupKey: view.KeyOf(f), Whole: whole, Rule: f.Rule, Count: 1,
		Step: f.Step, Stage: f.Stage, Lead: drawFinding(f), Filter: view.Linked(filter),
	}
}

// add draws a finding below the first, or counts it.
func (k *kind) add(f result.Finding) {
	k.Count++
	if len(k.Like) < drawnOfKind-1 {
		k.Like = append(k.Like, drawFinding(f))
		return
	}
	k.More++
}

// Alike is how many findings are folded, drawn or not.
func (k kind) Alike() int { return k.Count - 1 }

// Where returns where the first was seen.
func (k kind) Where() string {
	if k.Step == 0 {
		return term.Visible(k.Stage)
	}
	first := ""
	if k.Count > 1 {
		first = "first in "
	}
	return fmt.Sprintf("%sstep %d, %s", first, k.Step, term.Visible(k.Stage))
}

// drawFinding cuts the sentence where it begins to explain.
func drawFinding(f result.Finding) finding {
	fact, why, _ := strings.Cut(term.Visible(f.Message), "; ")
	if why != "" {
		fact += ";"
	}
	return finding{Fact: fact, Why: why, Link: view.Linked(view.FindingLink(f))}
}

// countStates counts findings by state, the worst first.
func countStates(findings []result.Finding) []stateCount {
	counts := map[term.Outcome]int{}
	for _, f := range findings {
		counts[f.Outcome]++
	}
	var all []stateCount
	for _, e := range term.RunOutcomes() {
		if n := counts[e.Word]; n > 0 {
			all = append(all, stateCount{e.Word, n})
		}
	}
	return all
}
