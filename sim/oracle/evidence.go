package oracle

import (
	"cmp"
	"slices"

	"sigs.k8s.io/structured-merge-diff/v6/fieldpath"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/redact"
	"github.com/skewsim/skewsim/sim/schema"
)

// evidence is the history, put in order copy by copy.
type evidence struct {
	history *history.History
	policy  redact.Policy // what of it no result shows
	schemas Schemas
	steps   map[int]place
	acts    map[int]history.Operation // by step: the operation itself
	reads   map[int]history.Operation // by step: the GET of a GET-PUT
	byCopy  []*life
	related [][]fieldpath.Path // groups of paths that servers keep in step
	reigns  []reign
	memo    memo
	zeros   zeros
	dealt   map[spot]dealings // what releases did about a place, where that was asked
	calls   *calls
	// counting: kinds of which some object has a generation, once it was asked.
	counting map[string]bool
	// alikeForms: of a kind and an API version that it is stored in, whether both have one form.
	alikeForms map[string]bool
	// emulator is the end whose servers emulate the version of the other; "": none does.
	emulator term.Role
}

// place is a step with its stage.
type place struct {
	step  plan.Step // in the version that it went through, where its client discovered one
	sign  string    // of the step as it was planned
	stage string
	index int // of the stage
}

// life is all that is known of one copy.
type life struct {
	copy       plan.Copy
	manifest   plan.Manifest
	kind       schema.Kind // the newest published form, whose list keys name elements
	created    int         // the first step that brought it into being; 0: none did
	deleted    int         // the last step that took it away, unless it came back; 0: none did
	milestones []milestone // its births and deaths, in the order of the plan
	acts       []int       // the steps that asked something of it, in the order of the plan
	versions   []version
	sights     []sight
	asides     []sight // of its stored versions, with no place among the steps
	entries    []*entry
}

// sight is one answer that showed, or should have shown, the copy, in its place among the
// steps. It is two words: a long history has a hundred of each copy.
type sight struct {
	*observed
	step int
}

// observed is what one answer says of a copy. Sights share it, and so nobody changes it.
type observed struct {
	revision int64
	answer   string // blob
	replica  string // "" for a trial: nobody was served
	role     term.Role
	purpose  history.Purpose // "" for a LIST
	wrote    bool            // it answers a write
	object   bool            // its body is the object
	cached   bool            // it is of a LIST from a cache, which may be late
	part     bool            // it answers for the object, and shows another: its scale, or another apiVersion's form
	types    term.Client     // whose types made of protobuf what is recorded; "": the body is recorded as it came
	code     int
	message  string
}

// noSight is that of no answer.
func noSight() sight { return sight{observed: &observed{}} }

// lately is how many sights back an equal answer is looked for: a stage's edge lists every
// copy in each form through each replica, and the edge before it mostly showed the same.
const lately = 24

// sees adds an answer to what is known of the copy.
func (l *life) sees(step int, o observed) {
	for i := len(l.sights) - 1; i >= max(0, len(l.sights)-lately); i-- {
		if same := l.sights[i].observed; *same == o {
			l.sights = append(l.sights, sight{same, step})
			return
		}
	}
	fresh := new(observed)
	*fresh = o
	l.sights = append(l.sights, sight{fresh, step})
}

// inOrder puts sights in the order in which a step gives them: what it read,
// what it did, then what each replica showed.
func inOrder(a, b sight) int {
	return cmp.Or(cmp.Compare(a.step, b.step), cmp.Compare(turnOf(a.purpose), turnOf(b.purpose)), cmp.Compare(a.replica, b.replica))
}

// turnOf is the place of a purpose among those of a step.
func turnOf(p history.Purpose) int {
	return slices.Index([]history.Purpose{history.Read, history.Act, history.Look}, p)
}

func (s sight) list() bool { return s.purpose == "" }

// ok tells whether the sight shows the object. A success with anything else in
// it shows nothing: least of all that values are gone.
func (s sight) ok() bool { return s.code >= 200 && s.code < 300 && s.object }

// dated tells whether the sight's revision is one of the object's.
func (s sight) dated() bool {
	return s.ok() || s.part && s.code >= 200 && s.code < 300 && s.revision > 0
}

func indexSteps(h *history.History) map[int]place {
	all := map[int]place{}
	manifests := map[string]plan.Manifest{} // by copy
	objects := map[string]plan.Manifest{}   // of a LIST, which is about no copy
	for _, c := range h.Header.Plan.Copies {
		manifests[c.Name] = h.Header.Plan.Manifests[c.Manifest]
		if _, known := objects[c.Object]; !known {
			objects[c.Object] = manifests[c.Name]
		}
	}
	for i, stage := range h.Header.Plan.Stages {
		for _, step := range stage.Steps {
			sign := step.Signature()
			if step.Discovers != "" {
				m, known := manifests[step.Copy]
				if !known {
					m = objects[step.Object]
				}
				step.APIVersion = h.Releases[step.Discovers].Discovered(m.APIVersion, m.Kind)
			}
			all[step.Number] = place{step, sign, stage.Name, i}
		}
	}
	return all
}

// gather orders the evidence. Steps, not the order of lines, say what came
// before what: operations of a stage overlap, and each has its own copy,
// or waits for those of its copy that come before it.
func gather(h *history.History, schemas Schemas) *evidence {
	e := &evidence{
		history: h, policy: redact.For(h.Header.Plan.Confidential), schemas: schemas, steps: indexSteps(h),
		acts: map[int]history.Operation{}, reads: map[int]history.Operation{}, related: relatedPaths(h.Header.Plan), reigns: reigns(h),
	}
	lives := e.lives()
	makeRoom(h, lives)
	skipped := map[int]bool{}
	for _, s := range h.Skips {
		skipped[s.Step] = true
	}
	for _, op := range h.Operations {
		// A conflict is not what a step came to when its client went on from it,
		// and then could not.
		if op.Purpose != history.Act || !skipped[op.Step] {
			e.addOperation(op, lives[op.Copy])
		}
	}
	for _, l := range h.Listings {
		e.addListing(l, lives)
	}
	changes := map[int64]history.Change{}
	keys := map[string][]history.Change{}
	for _, c := range h.Changes {
		changes[c.Revision] = c
		keys[c.Key] = append(keys[c.Key], c)
	}
	e.addAsides(lives, changes)
	for _, l := range e.byCopy {
		slices.Sort(l.acts)
		slices.SortStableFunc(l.sights, inOrder)
		stored := keys[l.key(changes)]
		e.addMilestones(l, stored)
		e.addVersions(l, stored)
		e.keepAccount(l)
		e.settle(l)
	}
	e.calls = e.indexCalls()
	e.calls.invalid = e.alwaysInvalid()
	return e
}

// makeRoom lets a copy hold as many sights as the history has of it: there are
// a hundred of each copy, and growing to that takes the same again.
func makeRoom(h *history.History, lives map[string]*life) {
	sights := map[*life]int{}
	for _, op := range h.Operations {
		if slices.Contains([]history.Purpose{history.Act, history.Read, history.Look}, op.Purpose) {
			sights[lives[op.Copy]]++
		}
	}
	for _, l := range h.Listings {
		for _, item := range l.Items {
			sights[lives[item.Copy]]++
		}
	}
	delete(sights, nil)
	for l, n := range sights {
		l.sights = make([]sight, 0, n)
	}
}

// lackedBody is the reason for what a lost body leaves untold.
const lackedBody = "the history lacks the body of an answer"

// lacks tells whether the record lost the answer's body. What is left of it
// says nothing of what the server showed.
func (e *evidence) lacks(x history.Exchange) bool {
	return x.Answer != "" && !e.history.Holds(x.Answer)
}

// unreadBody is the reason for what an answer leaves untold that nobody could read.
const unreadBody = "the client could not read the answer to a write"

// mute tells that a success shows nothing of what the server answered: its body
// was cut, or is protobuf that the client's types could not decode. A body that
// is empty is an answer, which shows nothing.
func (e *evidence) mute(op history.Operation) bool {
	x := op.Exchange
	broken := x.Answer != "" || x.Error != "" || op.Undecoded != ""
	return x.Succeeded() && broken && !e.history.HasObject(x.Answer)
}

func (e *evidence) lives() map[string]*life {
	all := map[string]*life{}
	p := e.history.Header.Plan
	for _, c := range p.Copies {
		m := p.Manifests[c.Manifest]
		l := &life{copy: c, manifest: m, kind: e.kind(m)}
		all[c.Name] = l
		e.byCopy = append(e.byCopy, l)
	}
	return all
}

// kind is the kind as the newest release that serves it publishes it.
func (e *evidence) kind(m plan.Manifest) schema.Kind {
	for _, role := range newestFirst() {
		if k, ok := e.typesOf(role).Kind(m.APIVersion, m.Kind); ok {
			return k
		}
	}
	return schema.Kind{}
}

// declares tells whether a release publishes a place for the path.
func (e *evidence) declares(role term.Role, l *life, p fieldpath.Path) bool {
	k, ok := e.schemas[role].Kind(l.manifest.APIVersion, l.manifest.Kind)
	return ok && k.Declares(p)
}

// tells tells whether a sight would show the path if it were there: the release
// publishes it, and so does that of the types which read the answer.
func (e *evidence) tells(l *life, s sight, p fieldpath.Path) bool {
	role, typed := s.types.Role()
	return e.declares(s.role, l, p) && (!typed || e.typesDeclare(role, l, p))
}

// addOperation takes in a request of a step. What was only tried is no sight: a
// dry run answers with what would be stored.
func (e *evidence) addOperation(op history.Operation, l *life) {
	switch op.Purpose {
	case history.Act:
		takeTurn(e.acts, op)
	case history.Read:
		takeTurn(e.reads, op)
	case history.Look:
	default:
		return
	}
	if l == nil || op.Follows != "" { // another version's form of it
		return
	}
	if op.Purpose == history.Act && !slices.Contains(l.acts, op.Step) {
		l.acts = append(l.acts, op.Step)
	}
	x, step := op.Exchange, e.steps[op.Step].step
	s := observed{
		replica: op.Replica, role: op.Role, purpose: op.Purpose,
		code: x.Code, message: x.Message, revision: x.Revision, answer: x.Answer,
		wrote: op.Purpose == history.Act && step.Verb.Writes(),
		part:  op.Purpose != history.Look && apart(l, step),
	}
	if x.AnswerBytes != "" {
		s.types = op.Client
	}
	if step.Verb == term.DeleteCollection {
		s.revision = 0 // that of a list, and so any object's
	}
	s.object = !s.part && e.history.HasObject(x.Answer)
	l.sees(op.Step, s)
}

// takeTurn keeps the last turn of a step that met conflicts: what it came to.
func takeTurn(turns map[int]history.Operation, op history.Operation) {
	if before, ok := turns[op.Step]; !ok || op.Turn >= before.Turn {
		turns[op.Step] = op
	}
}

// apart tells whether a step's own answers are about the copy without showing
// it as it is looked at: those of /scale, of a POST of another kind, of a delete, and of another apiVersion.
func apart(l *life, step plan.Step) bool {
	return ofScale(step) || step.Verb == term.Post || step.Verb.Deletes() || otherVersion(l, step)
}

// versionOf is the apiVersion that a step goes through.
func versionOf(l *life, step plan.Step) string {
	return cmp.Or(step.APIVersion, l.manifest.APIVersion)
}

// otherVersion tells whether the step goes through another apiVersion than the copy's own.
func otherVersion(l *life, step plan.Step) bool {
	return step.APIVersion != "" && step.APIVersion != l.manifest.APIVersion
}

func (e *evidence) addListing(l history.Listing, lives map[string]*life) {
	if l.FieldSelector != "" {
		return // the one beside it shows the same, and all of it
	}
	for _, item := range l.Items {
		life := lives[item.Copy]
		if life == nil || life.manifest.APIVersion != l.APIVersion || life.manifest.Kind != l.Kind {
			continue
		}
		life.sees(l.Step, observed{
			replica: l.Replica, role: l.Role, code: l.Exchange.Code,
			revision: item.Revision, answer: item.Answer, object: e.history.HasObject(item.Answer), cached: l.Form == term.CachedList,
		})
	}
}
