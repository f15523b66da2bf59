package trace_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/oracle/oracletest"
)

// TestStoreFailed: what servers answered, or ended of, when the store may have been gone
// is no finding. What they answered while another request of theirs succeeded
// that needs a store is one, and so is all of it where no store ended.
func TestStoreFailed(t *testing.T) {
	served := func(run *oracletest.Run) {
		run.Get("bystander-1")
		last := &run.History.Operations[len(run.History.Operations)-1]
		last.At, last.Exchange.Seconds = 9, 0.1
	}
	for name, c := range map[string]struct {
		after func(run *oracletest.Run) // what the run ends with
		later func(run *oracletest.Run) // what shows that the store was there by then
		kept  []string                  // what is found then
	}{
		"a write": {func(run *oracletest.Run) {
			run.Unobserved = true
			run.Patch("bystander-1", oracletest.Refused(500, "connection refused"))
		}, served, []string{`answers violation rule-1 failed unattributed bystander-1  in step 4 (upgrading 1/2)`}},
		"a LIST": {
			func(run *oracletest.Run) {
				number := run.Observe()
				l := run.Listing(number, "a")
				oracletest.Fail(&l.Exchange, 503, "etcdserver: no leader")
				l.At, l.Items = 3, nil
			},
			served,
			[]string{`everything-decodes violation storage failed unattributed   in step 4 (upgrading 1/2)`},
		},
		"a watch": {
			func(run *oracletest.Run) {
				run.ShowInWatch(history.WatchOpened, term.New, "bystander-1")
				run.History.Watches = append(run.History.Watches, history.Watch{
					At: 3, Step: 1, Replica: "a", Role: term.New, APIVersion: "example.dev/v1", Kind: "Widget", Event: history.WatchError, Code: 500,
				})
			},
			served,
			[]string{`everything-decodes violation storage undecodable unattributed   in step 1 (old)`},
		},
		"a trial": {
			func(run *oracletest.Run) {
				reported := run.ReadInScratchStore(term.Old, "bystander-1", run.Revisions["bystander-1"])
				reported.At, reported.Code, reported.Answer = 3, 500, ""
			},
			func(run *oracletest.Run) {
				reported := run.ReadInScratchStore(term.Old, "bystander-1", run.Revisions["bystander-1"])
				reported.At, reported.Seconds = 9, 0.1
			},
			[]string{`everything-decodes violation storage undecodable unattributed bystander-1  in step 3 (upgrading 1/2)`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			run := oracletest.NewMixed(t)
			run.Create("bystander-1", oracletest.PlainSpec)
			c.after(run)
			for i := range run.History.Operations {
				if x := &run.History.Operations[i]; x.Exchange.Code == 500 {
					x.At = 3
				}
			}
			run.History.End = &history.End{Outcome: history.StoreFailed, Message: "etcd was killed"}
			res := run.ExpectFindings()
			assert.Equal(t, term.Unknown, res.Verdict)
			assert.Equal(t, "the run could not continue: etcd was killed", res.Reason)

			run.History.End.Outcome = history.Failed
			assert.Equal(t, term.Fail, run.ExpectFindings(c.kept...).Verdict, "no store ended")
			run.History.End.Outcome = history.StoreFailed
			c.later(run)
			assert.Equal(t, term.Fail, run.ExpectFindings(c.kept...).Verdict, "the store was there")
		})
	}
}

// TestCachesNeedNoStore: a server answers from its cache, or tries what it has there,
// also where the store is gone.
func TestCachesNeedNoStore(t *testing.T) {
	for query, want := range map[string]term.VerdictWord{
		"": term.Fail, "resourceVersion=0": term.Unknown, "dryRun=All": term.Unknown, "fieldManager=x": term.Fail,
	} {
		run := oracletest.NewMixed(t)
		run.Create("bystander-1", oracletest.PlainSpec)
		run.Unobserved = true
		run.Patch("bystander-1", oracletest.Refused(500, "connection refused"))
		run.History.Operations[len(run.History.Operations)-1].At = 3
		run.Get("bystander-1")
		last := &run.History.Operations[len(run.History.Operations)-1]
		last.At, last.Exchange.Query = 9, query
		run.History.End = &history.End{Outcome: history.StoreFailed, Message: "etcd was killed"}
		res, _ := run.Judge()
		assert.Equal(t, want, res.Verdict, query)
	}
}

// TestDeathsWithTheStore: a server that ends when its store has is no finding about a release.
func TestDeathsWithTheStore(t *testing.T) {
	run := oracletest.NewMixed(t)
	run.Create("bystander-1", oracletest.PlainSpec)
	run.Exit("b")
	run.History.End = &history.End{Outcome: history.StoreFailed, Message: "etcd was killed"}
	assert.Equal(t, term.Unknown, run.ExpectFindings().Verdict)
	run.History.End.Outcome = history.Failed
	assert.Equal(t, term.Fail, run.ExpectFindings(`rule-1 violation rule-1 failed unattributed   in step 3 (upgrading 1/2)`).Verdict)
}
