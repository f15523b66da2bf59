package checks_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// A LIST that the caller may not make says nothing of what is stored, and one
// that cannot be read breaks the resource though it is a success.
func TestListTurnedAwayOrUnreadable(t *testing.T) {
	for state, x := range map[string]history.Exchange{
		"failed":      {Code: 403, Message: "not you"},
		"undecodable": {Code: 200, Error: "the answer cannot be read: no items"},
	} {
		run := oracletest.NewMixed(t)
		run.Create("bystander-1", `{"colour": "red"}`)
		l := run.Listing(run.Observe(), "b")
		l.Exchange, l.Items = x, nil
		run.ExpectFindings(`everything-decodes violation storage ` + state + ` unattributed   in step 4 (upgrading 1/2)`)
	}
}

// A LIST in another version of the kind says nothing of a copy: neither that it
// is gone nor that its values are.
func TestListInAnotherVersion(t *testing.T) {
	for version, want := range map[string][]string{
		"example.dev/v2": nil,
		"example.dev/v1": {`nothing-lost violation rule-2 hidden unattributed bystander-1 .spec.colour in step 5 (upgrading 1/2)`,
			`everything-decodes violation storage lost unattributed bystander-2  in step 5 (upgrading 1/2)`},
	} {
		run := oracletest.NewMixed(t)
		run.Create("bystander-1", `{"colour": "red", "size": "1"}`)
		run.Create("bystander-2", `{"colour": "red"}`)
		l := run.Listing(run.Observe(), "a")
		l.APIVersion, l.Items = version, l.Items[:1]
		l.Items[0].Answer = run.Edited(l.Items[0].Answer, ".spec.colour", nil)
		run.ExpectFindings(want...)
	}
}

// One object that cannot be decoded breaks the whole LIST: that is one finding
// about the kind, not one for each copy.
func TestListThatFails(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", `{"colour": "red"}`)
	run.Create("bystander-2", `{"colour": "red"}`)
	edge := run.Observe()
	run.ExpectFindings()
	l := run.Listing(edge, "b")
	l.Items = nil
	oracletest.Fail(&l.Exchange, 500, "unable to decode")
	res := run.ExpectFindings(`everything-decodes violation storage undecodable unattributed   in step 5 (upgrading 1/2)`)
	f := res.Findings[0]
	want := `Widget: LIST through b (v1.0.0) in step 5 (upgrading 1/2) was answered 500: unable to decode: one object that cannot be decoded breaks the whole resource`
	if f.Message != want || f.Verb != term.ListAll || f.Kind != "Widget" || f.Replica != "b" || f.Via != term.Old {
		t.Errorf("finding: %+v", f)
	}
}

// A LIST that succeeds must show every copy of its kind that was created by
// then, and those alone count.
func TestListWithAnItemMissing(t *testing.T) {
	run := oracletest.NewMixed(t)
	first := run.Observe()
	run.Create("bystander-1", `{"colour": "red"}`)
	run.Create("bystander-2", `{"size": "1"}`, oracletest.Of("gadget"))
	edge := run.Observe()
	res := run.ExpectFindings()
	if got, want := oracletest.Check(t, res, term.CheckEverythingDecodes).Judged, 2+2+2; got != want {
		t.Errorf("judged %d, want %d: two GETs of each copy, and the widget in two LISTs", got, want)
	}
	if len(run.Listing(first, "a").Items) != 0 {
		t.Fatal("the first LIST is before any copy")
	}
	run.Listing(edge, "a").Items = nil
	run.ExpectFindings(`everything-decodes violation storage lost unattributed bystander-1  in step 6 (upgrading 1/2)`)
}

// The operations of a stage overlap, so a LIST among them may come after a
// delete of a higher number. The stage's edge may not.
func TestListBesideADelete(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", `{"colour": "red"}`)
	listed := run.List("a")
	run.Delete("bystander-1")
	run.Listing(listed, "a").Items = nil
	run.ExpectFindings()

	run = oracletest.NewMixed(t)
	run.Create("bystander-1", `{"colour": "red"}`)
	listed = run.List("a")
	run.Stage("new", term.New, term.New)
	run.Delete("bystander-1")
	run.Listing(listed, "a").Items = nil
	run.ExpectFindings(`everything-decodes violation storage lost unattributed bystander-1  in step 4 (upgrading 1/2)`)
}

// A LIST in one version fails at what is stored in another that only the other
// release serves: nobody can GET that, and the version is why.
func TestListOverAnotherVersion(t *testing.T) {
	for _, c := range []struct {
		name, stored string
		serves       term.Role // which serves v2; "" for both
		want         string
	}{
		{"the other release's", "example.dev/v2", term.New, "storage-version"},
		{"one that both serve", "example.dev/v2", "", "unattributed"},
		{"the one that is listed", "example.dev/v1", term.New, "unattributed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := oracletest.NewMixed(t)
			run.Unobserved = true // no GET shows it
			run.Create("bystander-1", oracletest.PlainSpec)
			change := run.StoredChange("bystander-1")
			change.APIVersion, change.Kind = c.stored, "Widget"
			for _, role := range []term.Role{term.Old, term.New} {
				if c.serves == "" || c.serves == role {
					r := run.History.Releases[role]
					r.Resources = append(r.Resources, history.Resource{APIVersion: "example.dev/v2", Kind: "Widget", Plural: "widgets"})
					run.History.Releases[role] = r
				}
			}
			oracletest.Fail(&run.Listing(run.Observe(), "b").Exchange, 500, "no kind is registered")
			run.ExpectFindings(`everything-decodes violation storage undecodable ` + c.want + `   in step 4 (upgrading 1/2)`)
		})
	}
}

// A LIST through any form that is refused is reported with its form; a page that
// expired is legal, and leaves open what it would have shown.
func TestFormsOfList(t *testing.T) {
	run := oneStored(t)
	l := run.Listing(run.Observe(), "b")
	l.Form = term.CachedList
	run.ExpectFindings()
	l.Items = nil
	oracletest.Fail(&l.Exchange, 429, "storage is (re)initializing")
	oracletest.ExpectOnlyMessage(t, run.ExpectFindings(`everything-decodes violation storage undecodable unattributed   in step 4 (upgrading 1/2)`),
		`Widget: LIST (cached) through b (v1.0.0) in step 4 (upgrading 1/2) was answered 429: storage is (re)initializing: one object that cannot be decoded breaks the whole resource`)

	run = oneStored(t)
	l = run.Listing(run.Observe(), "b")
	l.Form, l.Pages, l.Items = term.PagedList, 2, nil
	oracletest.Fail(&l.Exchange, 410, "expired")
	oracletest.ExpectVerdict(t, oracletest.Check(t, run.ExpectFindings(), term.CheckEverythingDecodes), term.Unknown,
		"1 fact is indeterminate: a LIST's pages expired before the last: that is legal, and what they would have shown is not known")
	l.Pages = 0
	run.ExpectFindings(`everything-decodes violation storage refused unattributed   in step 4 (upgrading 1/2)`)
}

// What a cache has not seen yet, it need not show.
func TestListThatLags(t *testing.T) {
	run := oneStored(t)
	l := run.Listing(run.Observe(), "b")
	l.Form, l.Items = term.CachedList, nil
	l.Exchange.Revision = run.Revisions["bystander-1"] - 1
	oracletest.ExpectVerdict(t, oracletest.Check(t, run.ExpectFindings(), term.CheckEverythingDecodes), term.Unknown, "1 fact is indeterminate: every LIST from a cache was older than bystander-1")
	later := run.Listing(run.Observe(), "b")
	later.Form, later.Exchange.Revision = term.CachedList, run.Head
	oracletest.ExpectVerdict(t, oracletest.Check(t, run.ExpectFindings(), term.CheckEverythingDecodes), term.Pass, "")
	l = run.Listing(4, "b")
	l.Exchange.Revision++
	oracletest.ExpectOnlyMessage(t, run.ExpectFindings(`everything-decodes violation storage lost unattributed bystander-1  in step 4 (upgrading 1/2)`),
		`Widget bystander-1: LIST (cached) through b (v1.0.0) in step 4 (upgrading 1/2) does not show it, and no step deleted it`)
	for _, asksTheStore := range []term.ListForm{term.ConsistentList, term.PagedList} {
		l.Form, l.Exchange.Revision = asksTheStore, 1
		run.ExpectFindings(`everything-decodes violation storage lost unattributed bystander-1  in step 4 (upgrading 1/2)`)
	}
}
