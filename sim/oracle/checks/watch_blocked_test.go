package checks_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/plan"
)

// laterVersion has the releases serve v2 of the widgets too, and an object "later" that
// is made in it.
func laterVersion(run *oracletest.Run, served ...term.Role) {
	run.History.Header.Plan.Manifests["later"] = plan.Manifest{APIVersion: "example.dev/v2", Kind: "Widget"}
	for _, role := range served {
		r := run.History.Releases[role]
		r.Resources = append(r.Resources, history.Resource{APIVersion: "example.dev/v2", Kind: "Widget", Plural: "widgets"})
		run.History.Releases[role] = r
	}
}

// createLater makes such an object, which nobody looks at, and which is stored as v2.
func createLater(run *oracletest.Run, name string) int {
	run.Unobserved = true
	defer func() { run.Unobserved = false }()
	step := run.Create(name, oracletest.PlainSpec)
	copies := run.History.Header.Plan.Copies
	copies[len(copies)-1].Manifest = "later"
	change := run.StoredChange(name)
	change.APIVersion, change.Kind = "example.dev/v2", "Widget"
	return step
}

// A watch shows nothing after a value of its resource that its release cannot read,
// whatever version the copy was made in: that is the finding, and what follows is not
// owed. A version that the release does not serve it may read all the same.
func TestWatchOverAnotherVersion(t *testing.T) {
	const found = `everything-decodes violation storage undecodable storage-version   in step %d (upgrading 1/2)`
	for _, c := range []struct {
		name          string
		serves        []term.Role
		code          int // of a LIST through the release
		want          []string
		indeterminate int
	}{
		{"the release cannot read it", []term.Role{term.New}, 500, []string{fmt.Sprintf(found, 4), fmt.Sprintf(found, 7)}, 0},
		{"the release reads what it does not serve", []term.Role{term.New}, 200, nil, 1},
		{"both serve it", []term.Role{term.Old, term.New}, 200, nil, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := oracletest.NewMixed(t)
			laterVersion(run, c.serves...)
			w := run.Watch("b")
			createLater(run, "bystander-2")
			createLater(run, "bystander-3")
			run.Create("bystander-1", oracletest.PlainSpec)
			edge := run.Observe()
			if c.code != 200 {
				oracletest.Fail(&run.Listing(edge, "b").Exchange, c.code, "no kind is registered")
			}
			// They were stored in another order than they were planned in.
			run.History.Changes[0].Revision, run.History.Changes[1].Revision = run.History.Changes[1].Revision, run.History.Changes[0].Revision
			w.Close()
			if got := oracletest.Check(t, run.ExpectFindings(c.want...), term.CheckEverythingDecodes).Indeterminate; got != c.indeterminate {
				t.Errorf("indeterminate %d, want %d", got, c.indeterminate)
			}
		})
	}
}

// A cache that does not fill shows what it had: that is reported with the LIST that
// fails, and leaves nothing indeterminate.
func TestCacheThatDoesNotFill(t *testing.T) {
	for code, indeterminate := range map[int]int{500: 0, 200: 1} {
		run := oracletest.NewMixed(t)
		laterVersion(run, term.New)
		createLater(run, "bystander-2")
		run.Create("bystander-1", oracletest.PlainSpec)
		edge := run.Observe()
		if code != 200 {
			oracletest.Fail(&run.Listing(edge, "b").Exchange, code, "no kind is registered")
		}
		late := *run.Listing(edge, "b")
		late.Form, late.Items, late.Exchange = term.CachedList, nil, history.Exchange{Code: 200, Revision: 5}
		run.History.Listings = append(run.History.Listings, late)
		res, _ := run.Judge()
		if c := oracletest.Check(t, res, term.CheckEverythingDecodes); c.Indeterminate != indeterminate {
			t.Errorf("LIST answered %d: %+v", code, c)
		}
	}
}

// On a scratch store a watch that shows nothing more is a finding where the release was
// seen not to read what the store holds.
func TestScratchStoreThatIsBlocked(t *testing.T) {
	for read, want := range map[bool]string{true: "", false: `everything-decodes violation storage undecodable unattributed   in step 4 (upgrading 1/2)`} {
		run := oneStored(t)
		run.ReadScratchStores()
		watch := run.ScratchRead(history.TrialWatch, term.Old, "")
		watch.GaveUp, watch.Missing = true, []string{"bystander-1"}
		if read {
			if c := oracletest.Check(t, run.ExpectFindings(), term.CheckEverythingDecodes); c.Indeterminate != 1 {
				t.Errorf("%+v", c)
			}
			continue
		}
		get := run.ScratchRead(history.TrialGet, term.Old, "bystander-1")
		change := run.StoredChange("bystander-1")
		get.Code, get.Message, get.Answer, get.Key, get.Value = 500, "unable to decode", "", change.Key, change.Value
		run.ExpectFindings(`everything-decodes violation storage undecodable unattributed bystander-1  in step 3 (upgrading 1/2)`, want)
	}
}

// follow has the new release serve v2 of the widgets alone, so that copies made in v1 are
// asked for through that.
func follow(run *oracletest.Run) {
	r := run.History.Releases[term.New]
	r.Resources = []history.Resource{{APIVersion: "example.dev/v2", Kind: "Widget", Plural: "widgets"}}
	r.Follows = map[string]string{history.Follow("example.dev/v1", "Widget"): "example.dev/v2"}
	run.History.Releases[term.New] = r
	for i := range run.History.Operations {
		if o := &run.History.Operations[i]; o.Role == term.New && (o.Purpose == history.Look || o.Purpose == history.Try) {
			o.Follows = "example.dev/v2"
		}
	}
	for i := range run.History.Listings {
		if l := &run.History.Listings[i]; l.Role == term.New {
			l.APIVersion = "example.dev/v2"
		}
	}
	for i := range run.History.Watches {
		if w := &run.History.Watches[i]; w.Role == term.New {
			w.APIVersion = "example.dev/v2"
		}
	}
}

// What a release serves in another version alone is asked for through that version: that
// it cannot be read, written or found there is reported. What it looks like there is not
// held against what it is in its own version.
func TestFollowedVersion(t *testing.T) {
	begin := func(t *testing.T) (*oracletest.Run, int, int, int) {
		run := oracletest.NewMixed(t)
		w := run.Watch("a")
		created := run.Create("bystander-1", oracletest.PlainSpec, oracletest.Via("b"))
		change := run.StoredChange("bystander-1")
		change.APIVersion, change.Kind = "example.dev/v1", "Widget"
		w.CatchUp().Close()
		return run, created, run.Observe(), run.DryRuns("bystander-1")
	}
	t.Run("read", func(t *testing.T) {
		run, created, edge, _ := begin(t)
		follow(run)
		look := run.Exchange(created, history.Look, "a")
		look.Answer = run.Edited(look.Answer, ".spec.colour", nil) // v2 calls it something else
		item := run.Listing(edge, "a").Items
		item[0].Answer = look.Answer
		run.ExpectFindings()
	})
	t.Run("not read", func(t *testing.T) {
		run, created, edge, tried := begin(t)
		follow(run)
		oracletest.Fail(run.Exchange(created, history.Look, "a"), 500, "no kind is registered")
		oracletest.Fail(&run.Listing(edge, "a").Exchange, 500, "no kind is registered")
		oracletest.Fail(&run.DryRun(tried, "bystander-1", "a", term.LabelAttempt).Exchange, 500, "no kind is registered")
		run.ExpectFindings(
			`everything-decodes violation storage undecodable storage-version bystander-1  in step 4 (upgrading 1/2)`,
			`everything-decodes violation storage undecodable storage-version   in step 5 (upgrading 1/2)`,
			`stays-writable violation stays-writable frozen storage-version bystander-1  in step 6 (upgrading 1/2)`)
	})
	t.Run("not listed", func(t *testing.T) {
		run, _, edge, _ := begin(t)
		follow(run)
		run.Listing(edge, "a").Items = nil
		run.ExpectFindings(`everything-decodes violation storage lost unattributed bystander-1  in step 5 (upgrading 1/2)`)
	})
	t.Run("not watched", func(t *testing.T) {
		run, _, _, _ := begin(t)
		run.History.Watches = slices.DeleteFunc(run.History.Watches, func(w history.Watch) bool { return w.Copy != "" })
		follow(run)
		if c := oracletest.Check(t, run.ExpectFindings(), term.CheckEverythingDecodes); c.Indeterminate != 1 {
			t.Errorf("%+v", c)
		}
	})
}
