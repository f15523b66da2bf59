package plan

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"path"
	"reflect"
	"slices"
	"strings"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
)

// Pair names the two builds a plan is for.
type Pair struct {
	Old, New string
	// OldVersion and NewVersion are the versions of builds whose references do not
	// tell them, as those of files; "" where nobody knows. They decide which objects
	// are made.
	OldVersion, NewVersion string
	// Programs is the program file of both releases, or auto; "": none.
	Programs string
	// FileNamesPrograms reports that the scenario's file names Programs, and not the user.
	FileNamesPrograms bool
	// OldExecutes and NewExecutes are, in words, what Programs says is executed beside the servers of each
	// release; "": unknown.
	OldExecutes, NewExecutes string
}

// version returns the version of a release of the pair, as far as it is known.
func (p Pair) version(role term.Role) string {
	reference, known := p.Old, p.OldVersion
	if role == term.New {
		reference, known = p.New, p.NewVersion
	}
	if _, version, named := strings.Cut(reference, "@"); known == "" && named {
		return version
	}
	return known
}

// Build decides everything a run of the scenario will do. Seed 0 keeps the
// order that the scenario gives; any other seed shuffles what the scenario
// leaves open: the order of a stage's operations.
func Build(s *scenarios.Scenario, pair Pair, seed int64) (*Plan, error) {
	return build(s, newPlan(s, pair, seed), pair, Hop{})
}

// build fills a plan that has no stages yet.
func build(s *scenarios.Scenario, p *Plan, pair Pair, hop Hop) (*Plan, error) {
	b := &builder{lines: lines{scenario: s, plan: p, pair: pair, hop: hop}}
	if err := olderClients(p); err != nil {
		return nil, err
	}
	if err := setAside(p, pair); err != nil {
		return nil, err
	}
	programs := pair.Programs != "" && !s.Surge // releases of programs have one set of definitions, and so no surge
	if !programs && scenarios.MovesPrograms(p.Journey) {
		return nil, fmt.Errorf("%s: journey: program-rollback and forgotten move programs, and the releases have none: name them in releases.programs or with --webhooks", p.File)
	}
	p.Stages = stages(p.Journey, p.Replicas, s.Surge, programs)
	if err := b.bounded(); err != nil {
		return nil, err
	}
	if err := b.copies(); err != nil {
		return nil, err
	}
	b.takeOver()
	b.order(p.Seed)
	b.number()
	return b.plan, nil
}

func newPlan(s *scenarios.Scenario, pair Pair, seed int64) *Plan {
	p := &Plan{
		Scenario:  s.Name,
		About:     strings.TrimSpace(s.About),
		File:      path.Base(s.File),
		Component: s.Releases.Of,
		Releases: []Release{
			{Role: term.Old, Reference: pair.Old, Options: s.Old, Given: given(s, term.Old), Program: pair.Programs, NamesProgram: pair.FileNamesPrograms, Executes: pair.OldExecutes},
			{Role: term.New, Reference: pair.New, Options: s.New, Given: given(s, term.New), Program: pair.Programs, NamesProgram: pair.FileNamesPrograms, Executes: pair.NewExecutes},
		},
		Clients: s.Releases.Clients,
		Seed:    seed,
		// A name of our own: a scenario may be called as a namespace that every
		// server makes.
		Namespace:    "skewsim-" + s.Name,
		Replicas:     scenarios.ReplicaNames(s.Replicas),
		Journey:      JourneyOf(s, pair.Programs),
		Manifests:    map[string]Manifest{},
		Expect:       s.Expect,
		NoExpect:     s.LacksExpect(),
		Related:      s.RelatedPaths(),
		Equal:        s.EqualPaths(),
		Confidential: s.ConfidentialPaths(),
	}
	p.AA = s.AA
	if mutant, plays := s.Mutants[s.Mutant]; plays {
		p.Mutant = &Mutant{Name: s.Mutant, About: strings.TrimSpace(mutant.About), Caught: mutant.Caught}
	}
	return p
}

// JourneyOf is the scenario's journey or, where releases have programs and the file names none, that of
// programs.
func JourneyOf(s *scenarios.Scenario, programs string) []term.Rollout {
	if _, given := s.Lines["journey"]; programs != "" && !s.Surge && !given && slices.Equal(s.Journey, scenarios.DefaultJourney()) {
		return scenarios.ProgramJourney()
	}
	return s.Journey
}

// given are the options that whoever plays the scenario gave a release; nil: none.
func given(s *scenarios.Scenario, role term.Role) *scenarios.Options {
	if o, some := s.Given[role]; some {
		return &o
	}
	return nil
}

// builder holds a plan while its stages fill.
type builder struct {
	lines
	origins map[string][]origin // by object
	// creates and operations are each stage's steps, before they are numbered.
	creates, operations map[int][]Step
	named               map[string]int // how many copies bear a stem
	// after are, by stage, what follows operations: the first of each, then the
	// second, ...
	after map[int][][]Step
	// rounds are, by stage, the operations of orders: the first of each, then the
	// second, ...
	rounds map[int][][]Step
	// ways are how the copies of a line go on at a stage: all cells of a line share them.
	ways       map[lineAt]goingOn
	unplayable unplayable
	controlled map[string]bool // which verbs are played on controls in later stages
}

// origin is one way in which an object is created: by a combination of a create line.
type origin struct {
	stage int
	step  Step
}

func (b *builder) copies() error {
	b.origins = map[string][]origin{}
	b.creates, b.operations = map[int][]Step{}, map[int][]Step{}
	b.named, b.rounds, b.after = map[string]int{}, map[int][][]Step{}, map[int][][]Step{}
	b.ways, b.unplayable, b.controlled = map[lineAt]goingOn{}, unplayable{}, map[string]bool{}
	for i, line := range b.scenario.Play {
		if line.Create != "" {
			b.addOrigins(i, line)
		}
	}
	for _, object := range slices.Sorted(maps.Keys(b.scenario.Objects)) {
		b.leaveUntouched(object)
		b.control(object)
	}
	for i, line := range b.scenario.Play {
		if line.Create == "" {
			b.addOperations(i, line)
		}
	}
	if err := b.unplayable.err(b.plan.File); err != nil && reflect.ValueOf(b.hop).IsZero() { // a leg of a chain has other stages
		return err
	}
	if err := b.orders(); err != nil {
		return err
	}
	if len(b.plan.Copies)+len(b.hop.Carried) == 0 {
		return fmt.Errorf("%s: play: no stage can create any object: nothing to observe; %s",
			b.plan.File, "let a create line go through a release that its stage has")
	}
	return nil
}

func (b *builder) addOrigins(index int, line scenarios.Line) {
	for _, c := range b.cells(index, line) {
		if c.skip != nil {
			b.plan.Skipped = append(b.plan.Skipped, *c.skip)
			continue
		}
		b.origins[line.Create] = append(b.origins[line.Create], origin{c.stage, c.step})
	}
}

// leaveUntouched creates, for each way in which an object is created, the copy that nothing
// happens to: of the treated form if there is one.
func (b *builder) leaveUntouched(object string) {
	form := term.Bystander
	if b.scenario.Objects[object].Treated != "" {
		form = term.Treated
	}
	for _, o := range b.origins[object] {
		b.create(object, term.Untouched, form, o)
	}
}

func (b *builder) addOperations(index int, line scenarios.Line) {
	_, object := line.VerbKey()
	for _, c := range b.cells(index, line) {
		switch {
		case c.skip != nil:
			b.plan.Skipped = append(b.plan.Skipped, *c.skip)
		case len(b.origins[object]) == 0 && b.scenario.Objects[object].Since != "":
			// The create line has said why.
		case len(b.origins[object]) == 0:
			b.skip(c, "no stage can create the object")
		default:
			b.addFollowed(index, line, c)
		}
	}
}

// addOperation gives the cell a copy of its own of each form, for each way in which the object
// is created by then. The steps of follow-up lines are on the same copy.
func (b *builder) addOperation(c cell, follows []followed) {
	if c.step.Verb.Lists() {
		b.operations[c.stage] = append(b.operations[c.stage], c.step)
		return
	}
	made := false
	for _, o := range b.origins[c.step.Object] {
		if o.stage > c.stage {
			continue
		}
		made = true
		for _, form := range b.forms(c.step.Object) {
			step := c.step
			step.Copy = b.create(step.Object, form, form, o)
			b.operations[c.stage] = append(b.operations[c.stage], step)
			b.addAfter(step.Copy, follows)
		}
	}
	if !made && c.named {
		b.skip(c, "the object is not created by then")
	}
}

func (b *builder) skip(c cell, reason string) {
	b.plan.Skipped = append(b.plan.Skipped, Skip{
		Line: c.step.Line, Stage: b.plan.Stages[c.stage].Name, Cell: describe(c.step), Reason: reason,
	})
}

func (ls lines) forms(object string) []term.CopyRole {
	var forms []term.CopyRole
	if ls.scenario.Objects[object].Treated != "" {
		forms = append(forms, term.Treated)
	}
	if ls.scenario.Objects[object].Bystander != "" {
		forms = append(forms, term.Bystander)
	}
	return forms
}

// create adds a copy and the step that creates it, and returns its name.
func (b *builder) create(object string, role, form term.CopyRole, o origin) string {
	stem := b.stem(object, role)
	b.named[stem]++
	c := Copy{Name: fmt.Sprintf("%s-%03d", stem, b.named[stem]), Object: object, Role: role}
	return b.bear(c, form, o)
}

// bear adds a copy of an object's form and the step that creates it, and returns
// its name.
func (b *builder) bear(c Copy, form term.CopyRole, o origin) string {
	c.Manifest = b.manifest(c.Object, form)
	b.plan.Copies = append(b.plan.Copies, c)
	step := o.step
	step.Copy, step.Birth = c.Name, true
	b.creates[o.stage] = append(b.creates[o.stage], step)
	return c.Name
}

// manifest makes sure that the plan holds the form's manifest, and returns its key.
func (b *builder) manifest(object string, form term.CopyRole) string {
	file := b.scenario.Objects[object].Bystander
	if form == term.Treated {
		file = b.scenario.Objects[object].Treated
	}
	if _, ok := b.plan.Manifests[file]; !ok {
		body := b.scenario.Manifests[file].Body
		apiVersion, _ := body["apiVersion"].(string)
		kind, _ := body["kind"].(string)
		b.plan.Manifests[file] = Manifest{APIVersion: apiVersion, Kind: kind, Body: body}
	}
	return file
}

func (ls lines) lineNumber(index int) int {
	return ls.scenario.Lines[fmt.Sprintf("play[%d]", index)]
}

// order puts each stage's steps together: edge, creates, operations, edge.
func (b *builder) order(seed int64) {
	random := rand.New(rand.NewPCG(uint64(seed), 0))
	last := len(b.plan.Stages) - 1
	for i := range b.plan.Stages {
		creates, operations := b.creates[i], b.operations[i]
		if seed != 0 {
			shuffle(random, creates)
			shuffle(random, operations)
		}
		stage := &b.plan.Stages[i]
		if i == 0 {
			stage.Steps = append(stage.Steps, Step{Action: Prepare, Replica: b.plan.Replicas[0]}, Step{Action: Watch})
		} else {
			stage.Steps = append(stage.Steps, Step{Action: Watch}, Step{Action: Observe})
		}
		if settled(*stage) && i > 0 && i < last {
			stage.Steps = append(stage.Steps, Step{Action: Attempt})
		}
		stage.Steps = append(stage.Steps, creates...)
		stage.Steps = append(stage.Steps, operations...)
		stage.Steps = append(stage.Steps, slices.Concat(b.after[i]...)...)
		stage.Steps = append(stage.Steps, b.rewrite(i == last)...)
		stage.Steps = append(stage.Steps, slices.Concat(b.rounds[i]...)...)
		if len(creates)+len(operations)+len(b.rounds[i]) > 0 {
			stage.Steps = append(stage.Steps, Step{Action: Observe})
		}
		// Before anything changes, for comparison; and at the end, when what the
		// last roll-out froze is still frozen: any operation between them that
		// wrote has shown that it could.
		if i == 0 || i == last {
			stage.Steps = append(stage.Steps, Step{Action: Attempt})
		}
		if i == last {
			stage.Steps = append(stage.Steps, Step{Action: Trial}, Step{Action: Stop})
		}
	}
}

func shuffle(random *rand.Rand, steps []Step) {
	random.Shuffle(len(steps), func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
}

func (b *builder) number() {
	n := 0
	for i := range b.plan.Stages {
		for j := range b.plan.Stages[i].Steps {
			n++
			b.plan.Stages[i].Steps[j].Number = n
		}
	}
}
