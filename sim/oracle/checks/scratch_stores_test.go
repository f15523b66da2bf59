package checks_test

import (
	"cmp"
	"testing"

	"github.com/skewsim/skewsim/scenarios"
	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
	"github.com/skewsim/skewsim/sim/plan"
)

// encrypted says with which key a value is encrypted, and with which the old release reads
// a resource.
func encrypted(run *oracletest.Run, c *history.Change, with, reads, resource string) {
	c.Encoding, c.Provider, c.KeyName = "encrypted", "aescbc", with
	run.History.Header.Plan.Releases = []plan.Release{{Role: term.Old, Options: scenarios.Options{
		Encryption: &scenarios.Encryption{Resources: []string{resource}, Reads: []string{reads}},
	}}}
	run.NamePlurals()
}

// What a scratch store waited for no longer is not reported: late and left out look the same.
func TestScratchStoreGaveUp(t *testing.T) {
	run := oneStored(t)
	run.ReadScratchStores()
	late := run.ScratchRead(history.TrialWatch, term.Old, "")
	late.Missing = []string{"bystander-1"}
	run.ExpectFindings(`everything-decodes violation storage lost unattributed bystander-1  in step 4 (upgrading 1/2)`)
	late.GaveUp = true
	oracletest.ExpectVerdict(t, oracletest.Check(t, run.ExpectFindings(), term.CheckEverythingDecodes), term.Unknown,
		"1 fact is indeterminate: on a scratch store, the run stopped waiting for what a LIST or a WATCH had not shown yet")
}

// Scratch stores: what a release cannot read, and why, as far as its envelope shows.
func TestScratchStores(t *testing.T) {
	const at = ` bystander-1  in step 3 (upgrading 1/2)`
	cases := []struct {
		name string
		edit func(run *oracletest.Run, c *history.Change)
		code int
		want string
	}{
		{"read", nil, 200, ""},
		{"no cause is known", nil, 500, `undecodable unattributed`},
		{"gone", nil, 404, `lost unattributed`},
		{"the cache never fills", func(run *oracletest.Run, _ *history.Change) {
			run.ScratchRead(history.TrialGet, term.Old, "bystander-1").Message = "storage is (re)initializing"
		}, 429, `undecodable unattributed`},
		{"the server is busy", nil, 429, `failed unattributed`},
		{"the server is going", nil, 503, `failed unattributed`},
		{"an encoding that it reads of nothing else", func(_ *oracletest.Run, c *history.Change) { c.Encoding = "cbor" }, 500, `undecodable encoding`},
		{"an encoding that it reads elsewhere", func(run *oracletest.Run, c *history.Change) {
			c.Encoding = "json"
			run.StoredChange("bystander-2").Encoding = "json"
		}, 500, `undecodable unattributed`},
		{"encrypted", func(_ *oracletest.Run, c *history.Change) { c.Encoding = "encrypted" }, 500, `undecodable key-missing`},
		{"encrypted with a key that it has not", func(run *oracletest.Run, c *history.Change) { encrypted(run, c, "k2", "k1", "widgets.example.dev") }, 500, `undecodable key-missing`},
		{"encrypted with a key that it has", func(run *oracletest.Run, c *history.Change) { encrypted(run, c, "k1", "k1", "widgets.example.dev") }, 500, `undecodable unattributed`},
		{"with a key for another kind", func(run *oracletest.Run, c *history.Change) { encrypted(run, c, "k1", "k1", "gadgets.example.dev") }, 500, `undecodable key-missing`},
		{"a version that the other release alone serves", func(run *oracletest.Run, c *history.Change) {
			c.APIVersion, c.Kind = "example.dev/v2", "Widget"
			r := run.History.Releases[term.New]
			r.Resources = append(r.Resources, history.Resource{APIVersion: c.APIVersion, Kind: c.Kind})
			run.History.Releases[term.New] = r
		}, 500, `undecodable storage-version`},
		{"a version that it reads nothing else in", func(run *oracletest.Run, c *history.Change) {
			c.APIVersion, c.Kind, c.Encoding = "example.dev/v3", "Widget", "json"
			other := run.StoredChange("bystander-2")
			other.APIVersion, other.Kind, other.Encoding = "example.dev/v1", "Widget", "json"
		}, 500, `undecodable storage-version`},
		{"a version that nothing is known of", func(_ *oracletest.Run, c *history.Change) { c.APIVersion, c.Kind = "example.dev/v3", "Widget" }, 500, `undecodable unattributed`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			run := oracletest.NewMixed(t)
			run.Unobserved = true // no replica has read what the scratch store could not
			run.Create("bystander-1", oracletest.PlainSpec)
			run.Unobserved = false
			run.Create("bystander-2", oracletest.PlainSpec)
			run.ReadScratchStores()
			if c.edit != nil {
				c.edit(run, run.StoredChange("bystander-1"))
			}
			if c.want == "" {
				run.ExpectFindings()
				return
			}
			get := run.ScratchRead(history.TrialGet, term.Old, "bystander-1")
			get.Code, get.Answer, get.Message = c.code, "", cmp.Or(get.Message, "oops")
			run.ExpectFindings(`everything-decodes violation storage ` + c.want + at)
		})
	}
}

// LIST, WATCH and a start over recorded values.
func TestScratchStoresOfAResource(t *testing.T) {
	begin := func(t *testing.T) *oracletest.Run {
		run := oneStored(t)
		run.History.Servers = []history.Server{{Step: 1, Replica: "a", Role: term.New, Event: history.Ready, Seconds: 2}}
		run.ReadScratchStores()
		return run
	}
	begin(t).ExpectFindings()

	run := begin(t)
	list := run.ScratchRead(history.TrialList, term.New, "")
	list.Form, list.Code, list.Message = term.PagedList, 500, "oops"
	oracletest.ExpectOnlyMessage(t, run.ExpectFindings(`everything-decodes violation storage undecodable unattributed   in step 4 (upgrading 1/2)`),
		`Widget: LIST (paged) by v2.0.0, on a scratch store of 1 values, in step 4 (upgrading 1/2) was answered 500: oops; everything stored decodes in every release that may have to read it`)

	run = begin(t)
	run.ScratchRead(history.TrialWatch, term.Old, "").Missing = []string{"bystander-1"}
	oracletest.ExpectOnlyMessage(t, run.ExpectFindings(`everything-decodes violation storage lost unattributed bystander-1  in step 4 (upgrading 1/2)`),
		`Widget bystander-1: WATCH by v1.0.0, on a scratch store that holds it, does not show it in step 4 (upgrading 1/2); everything stored decodes in every release that may have to read it`)

	for seconds, want := range map[float64]string{
		31: `a server of v1.0.0 that started in step 4 (upgrading 1/2) over 1 recorded values was ready after 31.0 s only, where the run's first servers took 2.0 s; everything stored decodes in every release that may have to read it`,
		30: "", 19: "",
	} {
		run = begin(t)
		run.ScratchRead(history.TrialStart, term.Old, "").Seconds = seconds
		if want == "" {
			run.ExpectFindings()
			continue
		}
		oracletest.ExpectOnlyMessage(t, run.ExpectFindings(`everything-decodes violation storage failed unattributed   in step 4 (upgrading 1/2)`), want)
	}

	run = begin(t)
	start := run.ScratchRead(history.TrialStart, term.New, "")
	start.Seconds, start.Error = 60, "exited with status 1"
	oracletest.ExpectOnlyMessage(t, run.ExpectFindings(`everything-decodes violation storage failed unattributed   in step 4 (upgrading 1/2)`),
		`a server of v2.0.0 that started in step 4 (upgrading 1/2) over 1 recorded values was not ready after 60.0 s: exited with status 1; everything stored decodes in every release that may have to read it`)
}
