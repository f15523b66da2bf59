package chain_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/chain"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/result"
	"github.com/skewsim/skewsim/sim/schema"
)

// TestHops: forward over every pair of neighbours, and back the same way.
func TestHops(t *testing.T) {
	p := chain.Plan{Releases: []string{"x@1", "x@2", "path:./bin/three"}}
	var names []string
	for _, h := range p.Hops() {
		names = append(names, h.Name())
	}
	assert.Equal(t, []string{"01-1..2", "02-2..three", "03-2..three-back", "04-1..2-back"}, names)
	p.Forward = true
	assert.Len(t, p.Hops(), 2)
}

// TestHopsHaveTheirPointsOptions: both releases of a hop start with the options of their
// points, forward and back; without points with options a hop has none.
func TestHopsHaveTheirPointsOptions(t *testing.T) {
	plain, off, on := scenarios.Options{}, scenarios.Options{EmulatedVersion: "1.1"}, scenarios.Options{FeatureGates: map[string]bool{"Shine": true}}
	p := chain.Plan{Releases: []string{"x@1.1", "x@1.2", "x@1.2"}, Options: []scenarios.Options{plain, off, on}}
	var all [][]scenarios.Options
	for _, h := range p.Hops() {
		all = append(all, h.Options)
	}
	assert.Equal(t, [][]scenarios.Options{{plain, off}, {off, on}, {off, on}, {plain, off}}, all)
	p.Options = nil
	assert.Nil(t, p.Hops()[0].Options)
}

const published = `{"openapi":"3.0.0","components":{"schemas":{"Thing":{"type":"object",
"x-kubernetes-group-version-kind":[{"group":"x.io","version":"v1","kind":"Thing"}],
"properties":{"apiVersion":{"type":"string"},"kind":{"type":"string"},"metadata":{"type":"object","x-kubernetes-preserve-unknown-fields":true},
"spec":{"type":"object","properties":{"size":{"type":"integer"}}}}},
"Secret":{"type":"object","x-kubernetes-group-version-kind":[{"group":"","version":"v1","kind":"Secret"}],
"properties":{"apiVersion":{"type":"string"},"kind":{"type":"string"},"metadata":{"type":"object","x-kubernetes-preserve-unknown-fields":true},
"data":{"type":"object","additionalProperties":{"type":"string"}}}}}}}`

// world makes legs by hand: what a chain sees of them, and nothing else.
type world struct {
	t      *testing.T
	schema *schema.Schema
	chain  *chain.Chain
	hops   []chain.Hop
	of     plan.Manifest // what the copy is
	path   string        // of the value that clients hold acknowledged
}

func newWorld(t *testing.T, p chain.Plan) world {
	t.Helper()
	p.Releases = []string{"x@1", "x@2"}
	parsed, err := schema.Parse([][]byte{[]byte(published)})
	require.NoError(t, err)
	return world{t, parsed, chain.New(p), p.Hops(), plan.Manifest{APIVersion: "x.io/v1", Kind: "Thing"}, ".spec.size"}
}

// thing is an object that a server shows, at a revision.
func thing(name string, size, revision int) string {
	return fmt.Sprintf(`{"apiVersion":"x.io/v1","kind":"Thing","metadata":{"name":%q,"resourceVersion":"%d"},"spec":{"size":%d}}`, name, revision, size)
}

// leg is one leg with the copy that the first makes: what its first stage shows
// of it, and its last. "" shows nothing.
func (w world) leg(i int, role term.CopyRole, first, last string, verdict term.VerdictWord) chain.Leg {
	hop := w.hops[i]
	next := w.chain.Next(hop)
	specimen := plan.Copy{Name: "thing-001", Object: "thing", Role: role, Manifest: "thing.yaml"}
	birth := plan.Step{Number: 1, Action: plan.Operate, Verb: term.Create, Birth: true, Copy: specimen.Name}
	if len(next.Carried) > 0 {
		specimen = next.Carried[0].Copy
		birth.Verb, birth.Adopts = term.Get, next.Carried[0].Values
	}
	h := &history.History{Blobs: map[string]history.Blob{}, End: &history.End{Outcome: history.Finished}}
	h.Header.Plan = plan.Plan{
		Journey: []term.Rollout{hop.Rollout()}, Copies: []plan.Copy{specimen},
		Manifests: map[string]plan.Manifest{"thing.yaml": w.of},
		Stages: []plan.Stage{
			{Steps: []plan.Step{birth, {Number: 2, Action: plan.Observe}}}, {Steps: []plan.Step{{Number: 3, Action: plan.Observe}}},
		},
	}
	h.Operations = []history.Operation{{Step: 1, Copy: specimen.Name, Purpose: history.Act, Exchange: history.Exchange{Code: 200, Answer: first}}}
	roles := map[int]term.Role{2: term.Old, 3: term.New}
	if hop.Back {
		roles = map[int]term.Role{2: term.New, 3: term.Old}
	}
	for step, body := range map[int]string{2: first, 3: last} {
		h.Blobs[body] = history.Blob{JSON: []byte(body)}
		listing := history.Listing{Step: step, Role: roles[step], APIVersion: w.of.APIVersion, Kind: w.of.Kind, Form: term.ConsistentList}
		listing.Exchange.Code = 200
		if body != "" {
			listing.Items = []history.Item{{Copy: specimen.Name, Answer: body}}
		}
		h.Listings = append(h.Listings, listing)
	}
	return chain.Leg{
		Hop: hop, History: h, Schemas: map[term.Role]*schema.Schema{term.Old: w.schema, term.New: w.schema},
		Result: result.Result{Verdict: verdict, Reason: "as it was made"},
		Ledger: result.Ledger{Copies: []result.CopyLedger{{Copy: specimen.Name, Fields: []result.Field{{Path: w.path, Step: 1, Outcome: term.Kept}}}}},
	}
}

// played is the verdict on two legs, there and back: each of the strings is what
// a stage shows.
func (w world) played(role term.CopyRole, there, far, farAgain, back string) chain.Verdict {
	w.t.Helper()
	w.chain.Add(w.leg(0, role, there, far, term.Pass))
	w.chain.Add(w.leg(1, role, farAgain, back, term.Pass))
	return w.chain.Verdict()
}

// TestSameThereAndBack: a rewrite, which moves the revision, is no difference.
func TestSameThereAndBack(t *testing.T) {
	v := newWorld(t, chain.Plan{}).played(term.Untouched, thing("thing-001", 3, 7), thing("thing-001", 3, 7), thing("thing-001", 3, 7), thing("thing-001", 3, 9))
	assert.Equal(t, term.Pass, v.Verdict, v.Reason)
	assert.Empty(t, v.Findings)
	assert.Positive(t, v.Compared)
	assert.Equal(t, 1, v.Legs[1].Adopted)
}

// TestOtherwiseOnTheWayBack: the value that the first release served, it must
// serve again; the finding says in which legs.
func TestOtherwiseOnTheWayBack(t *testing.T) {
	v := newWorld(t, chain.Plan{}).played(term.Untouched, thing("thing-001", 3, 7), thing("thing-001", 3, 7), thing("thing-001", 3, 7), thing("thing-001", 4, 9))
	assert.Equal(t, term.Fail, v.Verdict)
	require.Len(t, v.Findings, 1)
	f := v.Findings[0]
	assert.Equal(t, []any{".spec.size", 0, 1, 2, 2, "3", "4"}, []any{f.Path, f.Release, f.Served, f.LastSeen, f.Leg, f.Before, f.After})
}

// TestGoneOnTheWayBack: an object that nobody deleted.
func TestGoneOnTheWayBack(t *testing.T) {
	v := newWorld(t, chain.Plan{}).played(term.Untouched, thing("thing-001", 3, 7), thing("thing-001", 3, 7), thing("thing-001", 3, 7), "")
	assert.Equal(t, term.Fail, v.Verdict)
	require.Len(t, v.Findings, 1)
	assert.Contains(t, v.Findings[0].Message, "shows nothing of it in leg 2")
}

// TestLeftAcknowledged: what a leg left acknowledged of a touched copy, the next
// one finds; what that leg then does to it is its own affair.
func TestLeftAcknowledged(t *testing.T) {
	same := newWorld(t, chain.Plan{}).played(term.Bystander, thing("thing-001", 3, 7), thing("thing-001", 5, 8), thing("thing-001", 5, 8), thing("thing-001", 6, 9))
	assert.Equal(t, term.Pass, same.Verdict, same.Reason)
	other := newWorld(t, chain.Plan{}).played(term.Bystander, thing("thing-001", 3, 7), thing("thing-001", 5, 8), thing("thing-001", 6, 8), thing("thing-001", 6, 9))
	assert.Equal(t, term.Fail, other.Verdict)
	require.Len(t, other.Findings, 1)
	assert.Contains(t, other.Findings[0].Message, "leg 1 left 5 at .spec.size, acknowledged; new serves 6 there")
}

// bare is a thing without a size.
func bare(revision int) string {
	return fmt.Sprintf(`{"apiVersion":"x.io/v1","kind":"Thing","metadata":{"name":"thing-001","resourceVersion":"%d"},"spec":{}}`, revision)
}

// TestComparesSomething: only values that both legs show are compared. A value that a client
// sent and the release hides is not compared, and a kept value that no LIST showed leaves the
// chain unknown: neither is a difference.
func TestComparesSomething(t *testing.T) {
	played := func(state term.Outcome, path, far, farAgain string) chain.Verdict {
		w := newWorld(t, chain.Plan{})
		w.path = path
		first := w.leg(0, term.Bystander, thing("thing-001", 3, 7), far, term.Pass)
		first.Ledger.Copies[0].Fields[0].Outcome = state
		w.chain.Add(first)
		w.chain.Add(w.leg(1, term.Bystander, farAgain, thing("thing-001", 3, 9), term.Pass))
		return w.chain.Verdict()
	}
	size, sized := ".spec.size", thing("thing-001", 5, 8)
	v := played(term.Kept, size, sized, sized)
	assert.Equal(t, []any{term.Pass, 1}, []any{v.Verdict, v.Compared}, v.Reason)
	v = played(term.Hidden, size, bare(8), bare(8))
	assert.Equal(t, []any{term.Unknown, 0}, []any{v.Verdict, v.Compared}, "hidden: nothing was compared")
	assert.Empty(t, v.Unseen)
	v = played(term.Kept, ".spec.colour", sized, sized)
	assert.Equal(t, []any{term.Unknown, 0}, []any{v.Verdict, v.Compared}, "the release has no place for it")
	assert.Empty(t, v.Unseen)
	v = played(term.Kept, ".spec", sized, sized)
	assert.Empty(t, v.Unseen, "it was sent empty, and servers have filled it")
	v = played(term.Kept, ".spec", bare(8), sized)
	assert.Equal(t, []any{term.Pass, 1}, []any{v.Verdict, v.Compared}, v.Reason)
	v = played(term.Kept, size, "", sized)
	assert.Equal(t, term.Unknown, v.Verdict)
	assert.Equal(t, "thing-001: leg 1 ended with a LIST that did not show .spec.size, which is kept: leg 2 has nothing to hold it against", v.Reason)
	v = played(term.Kept, size, sized, bare(8))
	assert.Equal(t, []any{term.Fail, 1}, []any{v.Verdict, v.Compared}, "gone where there is a place for it")
}

// secret is a Secret that a server shows, with its value in base64.
func secret(password string, revision int) string {
	return fmt.Sprintf(`{"apiVersion":"v1","kind":"Secret","metadata":{"name":"thing-001","resourceVersion":"%d"},"data":{"password":%q}}`, revision, password)
}

// TestSecrets: a Secret's values are compared by fingerprints with one salt, the chain's, and
// the verdict contains only these fingerprints.
func TestSecrets(t *testing.T) {
	played := func(salt, later string) chain.Verdict {
		w := newWorld(t, chain.Plan{Salt: salt})
		w.of, w.path = plan.Manifest{APIVersion: "v1", Kind: "Secret"}, ".data.password"
		return w.played(term.Bystander, secret("aHVudGVy", 7), secret("aHVudGVy", 8), secret(later, 8), secret(later, 9))
	}
	same := played("salt", "aHVudGVy")
	assert.Equal(t, term.Pass, same.Verdict, same.Reason)
	other, again := played("salt", "b3RoZXI="), played("another", "b3RoZXI=")
	require.Len(t, other.Findings, 1)
	require.Len(t, again.Findings, 1)
	told := other.Findings[0]
	assert.Contains(t, told.Before, "sha256:")
	assert.NotEqual(t, told.Before, again.Findings[0].Before, "the fingerprint depends on the salt")
	assert.NotContains(t, told.Message, "aHVudGVy")
}

// TestVerdicts: the worst leg decides; one that is missing leaves it unknown; and
// a line of expect that no leg's finding met fails the chain that it is for.
func TestVerdicts(t *testing.T) {
	w := newWorld(t, chain.Plan{})
	w.chain.Add(w.leg(0, term.Untouched, thing("thing-001", 3, 7), thing("thing-001", 3, 7), term.Pass))
	assert.Equal(t, term.Unknown, w.chain.Verdict().Verdict, "half of it was played")
	w.chain.Unjudged(w.hops[1], 0, fmt.Errorf("no history"))
	assert.Equal(t, "leg 02-1..2-back: no history", w.chain.Verdict().Reason)
	w = newWorld(t, chain.Plan{})
	w.chain.Add(w.leg(0, term.Untouched, thing("thing-001", 3, 7), thing("thing-001", 3, 7), term.Fail))
	assert.Equal(t, term.Fail, w.chain.Verdict().Verdict)
	p := chain.Plan{Whole: true, Expect: []scenarios.Expectation{{Check: term.CheckNothingLost, Line: 12}}}
	v := newWorld(t, p).played(term.Untouched, thing("thing-001", 3, 7), thing("thing-001", 3, 7), thing("thing-001", 3, 7), thing("thing-001", 3, 9))
	assert.Equal(t, "the expectation on line 12 matches no finding of any leg", v.Reason)
	w = newWorld(t, p)
	w.chain.Add(w.leg(0, term.Untouched, thing("thing-001", 3, 7), thing("thing-001", 3, 7), term.Pass))
	w.chain.Unjudged(w.hops[1], 0, fmt.Errorf("no history"))
	unjudged := w.chain.Verdict()
	assert.Equal(t, term.Unknown, unjudged.Verdict, "what the leg that was not judged would have found nobody knows")
	assert.Empty(t, unjudged.Missing)
	assert.Equal(t, p.Expect, unjudged.Expect, "to be judged again")
	elsewhere := func(legs ...bool) chain.Verdict {
		w := newWorld(t, p)
		for i, other := range legs {
			leg := w.leg(i, term.Untouched, thing("thing-001", 3, 7), thing("thing-001", 3, 7), term.Pass)
			if other {
				leg.History.Header.Plan.Elsewhere = []plan.Elsewhere{{Place: 1}, {Place: 9}}
			}
			w.chain.Add(leg)
		}
		return w.chain.Verdict()
	}
	assert.Empty(t, elsewhere(true, true).Missing, "it is for pairs that the chain has not")
	assert.Len(t, elsewhere(false, true).Missing, 1, "it is for one that it has")
	p.Whole = false
	v = newWorld(t, p).played(term.Untouched, thing("thing-001", 3, 7), thing("thing-001", 3, 7), thing("thing-001", 3, 7), thing("thing-001", 3, 9))
	assert.Equal(t, term.Pass, v.Verdict, v.Reason)
}

// TestLeft: what a leg leaves in the store counts by what servers answered: an
// object whose delete was refused is there and goes on, one that may be gone is not
// handed on, and what an unjudged leg may have made is in the store too.
func TestLeft(t *testing.T) {
	after := func(code int) plan.Hop {
		w := newWorld(t, chain.Plan{})
		leg := w.leg(0, term.Bystander, thing("thing-001", 3, 7), thing("thing-001", 3, 7), term.Pass)
		last := &leg.History.Header.Plan.Stages[1]
		last.Steps = append(last.Steps, plan.Step{Number: 4, Action: plan.Operate, Verb: term.Delete, Copy: "thing-001"})
		if code >= 0 {
			leg.History.Operations = append(leg.History.Operations,
				history.Operation{Step: 4, Copy: "thing-001", Purpose: history.Act, Exchange: history.Exchange{Code: code}})
		}
		w.chain.Add(leg)
		return w.chain.Next(w.hops[1])
	}
	for code, exists := range map[int]bool{200: false, 404: false, 500: false, 0: false, 409: true, 422: true, -1: true} {
		assert.Len(t, after(code).Carried, map[bool]int{true: 1}[exists], "answer %d to the delete; -1: it was never sent", code)
	}
	w := newWorld(t, chain.Plan{})
	w.chain.Unjudged(w.hops[0], 5, fmt.Errorf("no history"))
	assert.Equal(t, 5, w.chain.Next(w.hops[1]).Left)
}

// TestAcrossUnjudged: what a leg that left nothing to judge has done nobody knows,
// so that nothing is compared across it.
func TestAcrossUnjudged(t *testing.T) {
	for _, role := range []term.CopyRole{term.Untouched, term.Bystander} {
		played := func(between func(world)) chain.Verdict {
			w := newWorld(t, chain.Plan{})
			w.chain.Add(w.leg(0, role, thing("thing-001", 3, 7), thing("thing-001", 5, 8), term.Pass))
			between(w)
			w.chain.Add(w.leg(1, role, thing("thing-001", 6, 8), thing("thing-001", 6, 9), term.Pass))
			return w.chain.Verdict()
		}
		v := played(func(world) {})
		assert.Equal(t, []any{term.Fail, 1}, []any{v.Verdict, len(v.Findings)}, "%s: %s", role, v.Reason)
		v = played(func(w world) { w.chain.Unjudged(w.hops[1], 0, fmt.Errorf("no history")) })
		assert.Equal(t, []any{term.Unknown, 0, 0}, []any{v.Verdict, len(v.Findings), v.Compared}, "%s: %s", role, v.Reason)
	}
}

// TestAcrossUnfinished: a leg that was killed may have changed what lines touch, and
// has left no word of how it ended. Untouched copies it has left alone.
func TestAcrossUnfinished(t *testing.T) {
	for role, want := range map[term.CopyRole][]any{term.Untouched: {term.Fail, 1}, term.Bystander: {term.Unknown, 0}} {
		w := newWorld(t, chain.Plan{})
		killed := w.leg(0, role, thing("thing-001", 5, 7), thing("thing-001", 5, 8), term.Unknown)
		killed.History.End = nil
		w.chain.Add(killed)
		w.chain.Add(w.leg(1, role, thing("thing-001", 6, 8), thing("thing-001", 5, 9), term.Pass))
		v := w.chain.Verdict()
		assert.Equal(t, want, []any{v.Verdict, len(v.Findings)}, "%s: %s", role, v.Reason)
	}
}

// TestOnce: every later leg takes over what one leg alone creates, and knows that it exists. Of
// other touched copies a leg takes some.
func TestOnce(t *testing.T) {
	taken := func(once ...string) plan.Hop {
		w := newWorld(t, chain.Plan{Once: once})
		assert.Empty(t, w.chain.Next(w.hops[0]).Made, "not yet")
		for i := range 6 {
			leg := w.leg(0, term.Treated, thing("thing-001", 3, 7), thing("thing-001", 3, 7), term.Pass)
			name := fmt.Sprintf("thing-l%02d", i)
			p := &leg.History.Header.Plan
			p.Copies = nil
			p.Stages[0].Steps, leg.History.Operations = nil, nil
			for n := range 2 {
				one := fmt.Sprint(name, "-", n)
				p.Copies = append(p.Copies, plan.Copy{Name: one, Object: "thing", Role: term.Treated, Manifest: "thing.yaml"})
				p.Stages[0].Steps = append(p.Stages[0].Steps, plan.Step{Number: 10 + n, Action: plan.Operate, Verb: term.Create, Birth: true, Copy: one})
				leg.History.Operations = append(leg.History.Operations,
					history.Operation{Step: 10 + n, Copy: one, Purpose: history.Act, Exchange: history.Exchange{Code: 201}})
			}
			w.chain.Add(leg)
		}
		return w.chain.Next(w.hops[1])
	}
	all := taken("thing", "other")
	assert.Len(t, all.Carried, 6, "one of each leg's")
	assert.Equal(t, []string{"thing"}, all.Made)
	some := taken()
	assert.Len(t, some.Carried, 4, "of two of each leg's")
	assert.Empty(t, some.Made)
}

// TestUncaught: a mutant that no leg shows is named, in a chain that was judged completely; one
// that fails a leg is not.
func TestUncaught(t *testing.T) {
	played := func(last term.VerdictWord) chain.Verdict {
		w := newWorld(t, chain.Plan{})
		w.chain = chain.New(chain.Plan{Releases: []string{"frobber@1.0", "frobber@1.1+required"}})
		w.hops = chain.Plan{Releases: []string{"frobber@1.0", "frobber@1.1+required"}}.Hops()
		same := thing("thing-001", 3, 7)
		w.chain.Add(w.leg(0, term.Untouched, same, same, term.Pass))
		w.chain.Add(w.leg(1, term.Untouched, same, same, last))
		return w.chain.Verdict()
	}
	assert.Equal(t, []string{"frobber@1.1+required"}, played(term.Pass).Uncaught)
	assert.Empty(t, played(term.Fail).Uncaught)
	assert.Empty(t, played(term.Unknown).Uncaught)
}
