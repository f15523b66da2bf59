package page

import (
	"slices"

	"github.com/skewsim/skewsim/reports/view"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
)

// packFormat is the version of the packed data. The script and the data are in one file, so
// no script reads another version.
const packFormat = 1

// none is the number for no string, no state or no body.
const none = -1

// index is the part of the data that the page decompresses at once. Its lists are columns:
// entries with the same index belong together. Texts are numbers in Strings.
type index struct {
	Format   int                        `json:"format"`
	Strings  []string                   `json:"strings"`
	Replicas []string                   `json:"replicas"`
	Versions map[term.Role]string       `json:"versions"`
	States   []stateWord                `json:"states"` // worst first: a state is its index here
	Rules    map[term.Rule]meaning      `json:"rules"`
	Causes   map[term.Cause]meaning     `json:"causes"`
	Checks   map[term.CheckName]meaning `json:"checks"`
	// Lists are those of the ledger: how elements of lists are identified.
	Lists    map[string]map[string][]string `json:"lists"`
	Stages   []packedStage                  `json:"stages"`
	Steps    packedSteps                    `json:"steps"`
	Copies   packedCopies                   `json:"copies"`
	Fields   packedFields                   `json:"fields"`
	Findings []packedFinding                `json:"findings"`
	Chunks   int                            `json:"chunks"`
	Bodies   []int                          `json:"bodies"` // the first number of each chunk
	Omitted  int                            `json:"omitted"`
}

// stateWord is a state with what is shown with its word.
type stateWord struct {
	Word    term.Outcome `json:"word"`
	Name    string       `json:"name"`
	Shape   string       `json:"shape"`
	Meaning string       `json:"meaning"`
}

// meaning is what a word of scenarios/term means, and what the guide advises about it.
type meaning struct {
	Meaning string `json:"meaning"`
	Advice  string `json:"advice,omitempty"`
}

// packedStage is a stage with the release that each replica runs.
type packedStage struct {
	Name     string               `json:"name"`
	Replicas map[string]term.Role `json:"replicas"`
}

// packedSteps are the steps of all rows, in order.
type packedSteps struct {
	Number   []int `json:"number"`
	Stage    []int `json:"stage"`
	Title    []int `json:"title"`
	Client   []int `json:"client"`
	Verb     []int `json:"verb"`
	Read     []int `json:"read"`
	ReadRole []int `json:"readRole"`
	Via      []int `json:"via"`
	ViaRole  []int `json:"viaRole"`
	Edge     []int `json:"edge"` // 1: the step only read
}

// packedCopies are the copies, in the order of the ledger.
type packedCopies struct {
	Name       []int `json:"name"`
	Object     []int `json:"object"`
	Kind       []int `json:"kind"`
	APIVersion []int `json:"apiVersion"`
	Role       []int `json:"role"`
	State      []int `json:"state"`
	// Rows has, for each copy, the index of each row's step.
	Rows [][]int `json:"rows"`
	// States has one letter for each row, Views one for each of the row's
	// replicas: see letter.
	States []string `json:"states"`
	Views  []string `json:"views"`
	Frozen []int    `json:"frozen"` // 1: stays-writable found it no longer writable
	Chunk  []int    `json:"chunk"`  // the chunk of its rows' details
}

// packedFields are the acknowledged values, by copy.
type packedFields struct {
	Copy  []int `json:"copy"`
	Path  []int `json:"path"`
	Value []int `json:"value"` // as JSON
	Step  []int `json:"step"`  // 0: no answer acknowledged it
	State []int `json:"state"`
}

// packedFinding is a finding as the page shows it beside its copy.
type packedFinding struct {
	Copy         int `json:"copy"` // none: a whole LIST, or a copy that the ledger lacks
	Path         int `json:"path"`
	Step         int `json:"step"`
	Stage        int `json:"stage"` // its name; the copy may have no row of it
	State        int `json:"state"`
	Check        int `json:"check"`
	Rule         int `json:"rule"`
	Class        int `json:"class"`
	Cause        int `json:"cause"`
	Expected     int `json:"expected"`
	Message      int `json:"message"`
	Acknowledged int `json:"acknowledged"` // the step; 0 for none
}

// texts numbers texts, each once.
type texts struct {
	list []string
	at   map[string]int
}

// of returns the number of a text.
func (t *texts) of(text string) int {
	n, known := t.at[text]
	if !known {
		n = len(t.list)
		t.at[text], t.list = n, append(t.list, text)
	}
	return n
}

// meanings returns the meanings of a closed list's words, with the guide's advice.
func meanings[W ~string](list term.List[W], advice func(W) term.Advice) map[W]meaning {
	all := make(map[W]meaning, len(list))
	for _, e := range list {
		all[e.Word] = meaning{e.Meaning, advice(e.Word).String()}
	}
	return all
}

// unadvised is for words that the guide has no advice on.
func unadvised(term.CheckName) term.Advice { return term.Advice{} }

// stateWords returns all states with their signs.
func stateWords() []stateWord {
	var all []stateWord
	for _, e := range term.RunOutcomes() {
		all = append(all, stateWord{e.Word, string(e.Word), view.Shape(e.Word), e.Meaning})
	}
	return all
}

// letter returns the character of a state in a text: a for the worst, . for no state.
func letter(state int) byte {
	if state == none {
		return '.'
	}
	return byte('a' + state)
}

// newIndex returns the index before the copies are read.
func newIndex(r view.Run) index {
	x := index{
		Format: packFormat, Replicas: replicasOf(r), Versions: map[term.Role]string{}, States: stateWords(),
		Rules: meanings(term.Rules(), term.AdviceOnRule), Causes: meanings(term.Causes(), term.AdviceOnCause), Checks: meanings(term.Checks(), unadvised),
		Lists: r.Ledger.Lists, Stages: []packedStage{}, Findings: []packedFinding{},
	}
	if x.Lists == nil {
		x.Lists = map[string]map[string][]string{}
	}
	for i, b := range r.Result.Builds {
		x.Versions[b.Role] = b.Version
		if i < len(r.Result.Releases) { // distinguishes two that differ only in options
			x.Versions[b.Role] = r.Result.Releases[i]
		}
	}
	for _, s := range r.Plan.Stages {
		x.Stages = append(x.Stages, drawStage(s))
	}
	return x
}

// drawStage draws a stage of the plan.
func drawStage(s plan.Stage) packedStage {
	drawn := packedStage{Name: s.Name, Replicas: map[string]term.Role{}}
	for _, replica := range s.Replicas {
		drawn.Replicas[replica.Replica] = replica.Role
	}
	return drawn
}

// replicasOf returns the plan's replicas, and then others that the ledger names.
func replicasOf(r view.Run) []string {
	names := append([]string{}, r.Plan.Replicas...)
	for _, c := range r.Ledger.Copies {
		for _, row := range c.Rows {
			for _, v := range row.Views {
				if !slices.Contains(names, v.Replica) {
					names = append(names, v.Replica)
				}
			}
		}
	}
	return names
}

// addSteps numbers and draws the steps of all rows.
func (p *packer) addSteps(r view.Run) {
	known := map[int]result.Row{}
	var numbers []int
	for _, c := range r.Ledger.Copies {
		for _, row := range c.Rows {
			if _, ok := known[row.Step]; !ok {
				known[row.Step] = row
				numbers = append(numbers, row.Step)
			}
		}
	}
	slices.Sort(numbers)
	stages := newStages(r.Plan)
	for i, number := range numbers {
		p.place[number] = i
		p.addStep(known[number], stages)
	}
	p.index.Stages = append(p.index.Stages, stages.further...)
}

// addStep draws one step: what the row shows, and what the plan does.
func (p *packer) addStep(row result.Row, stages *stages) {
	step := stages.steps[row.Step]
	s := &p.index.Steps
	s.Number = append(s.Number, row.Step)
	s.Stage = append(s.Stage, stages.of(row))
	s.Edge = append(s.Edge, flag(row.Edge))
	for _, column := range []struct {
		to   *[]int
		text string
	}{
		{&s.Title, row.Title}, {&s.Client, string(step.Client)}, {&s.Verb, string(step.Verb)},
		{&s.Read, step.Read}, {&s.ReadRole, string(step.ReadRole)}, {&s.Via, step.Via}, {&s.ViaRole, string(step.ViaRole)},
	} {
		*column.to = append(*column.to, p.texts.of(column.text))
	}
}

// flag is 1 for true.
func flag(is bool) int {
	if is {
		return 1
	}
	return 0
}

// stages finds steps of the plan, and their stages.
type stages struct {
	steps   map[int]plan.Step
	at      map[int]int    // the stage of a step
	named   map[string]int // the first stage of a name
	further []packedStage  // those that only rows name
}

// newStages reads a plan.
func newStages(p plan.Plan) *stages {
	s := &stages{steps: map[int]plan.Step{}, at: map[int]int{}, named: map[string]int{}}
	for i, stage := range p.Stages {
		if _, known := s.named[stage.Name]; !known {
			s.named[stage.Name] = i
		}
		for _, step := range stage.Steps {
			s.steps[step.Number], s.at[step.Number] = step, i
		}
	}
	return s
}

// of returns the stage of a row. A damaged history may name one that the plan lacks.
func (s *stages) of(row result.Row) int {
	if at, planned := s.at[row.Step]; planned {
		return at
	}
	at, known := s.named[row.Stage]
	if !known {
		at = len(s.named)
		s.named[row.Stage] = at
		s.further = append(s.further, packedStage{Name: row.Stage, Replicas: map[string]term.Role{}})
	}
	return at
}
