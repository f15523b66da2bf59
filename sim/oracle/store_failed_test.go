package oracle_test

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// TestStoreFailed: what servers answered, or ended of, when the store may have been gone
// is no finding. What they answered while another request of theirs succeeded
// that needs a store is one, and so is all of it where no store ended.
func TestStoreFailed(t *testing.T) {
	served := func(s *story) {
		s.get("bystander-1")
		last := &s.h.Operations[len(s.h.Operations)-1]
		last.At, last.Exchange.Seconds = 9, 0.1
	}
	for name, c := range map[string]struct {
		after func(s *story) // what the story ends with
		later func(s *story) // what shows that the store was there by then
		kept  []string       // what is found then
	}{
		"a write": {
			func(s *story) { s.blind = true; s.patch("bystander-1", refused(500, "connection refused")) },
			served,
			[]string{`answers violation rule-1 failed unattributed bystander-1  in step 4 (upgrading 1/2)`},
		},
		"a LIST": {
			func(s *story) {
				number := s.edge()
				l := s.listed(number, "a")
				fails(&l.Exchange, 503, "etcdserver: no leader")
				l.At, l.Items = 3, nil
			},
			served,
			[]string{`everything-decodes violation storage failed unattributed   in step 4 (upgrading 1/2)`},
		},
		"a watch": {
			func(s *story) {
				s.eventOf(history.WatchOpened, term.New, "bystander-1")
				s.h.Watches = append(s.h.Watches, history.Watch{
					At: 3, Step: 1, Replica: "a", Role: term.New, APIVersion: "example.dev/v1", Kind: "Widget", Event: history.WatchError, Code: 500,
				})
			},
			served,
			[]string{`everything-decodes violation storage undecodable unattributed   in step 1 (old)`},
		},
		"a trial": {
			func(s *story) {
				told := s.triedAt(term.Old, "bystander-1", s.revision["bystander-1"])
				told.At, told.Code, told.Answer = 3, 500, ""
			},
			func(s *story) {
				told := s.triedAt(term.Old, "bystander-1", s.revision["bystander-1"])
				told.At, told.Seconds = 9, 0.1
			},
			[]string{`everything-decodes violation storage undecodable unattributed bystander-1  in step 3 (upgrading 1/2)`},
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := mixed(t)
			s.create("bystander-1", plainSpec)
			c.after(s)
			for i := range s.h.Operations {
				if x := &s.h.Operations[i]; x.Exchange.Code == 500 {
					x.At = 3
				}
			}
			s.h.End = &history.End{Outcome: history.StoreFailed, Message: "etcd was killed"}
			res := s.finds()
			assert.Equal(t, term.Unknown, res.Verdict)
			assert.Equal(t, "the run could not continue: etcd was killed", res.Reason)

			s.h.End.Outcome = history.Failed
			assert.Equal(t, term.Fail, s.finds(c.kept...).Verdict, "no store ended")
			s.h.End.Outcome = history.StoreFailed
			c.later(s)
			assert.Equal(t, term.Fail, s.finds(c.kept...).Verdict, "the store was there")
		})
	}
}

// TestCachesNeedNoStore: a server answers from its cache, or tries what it has there,
// also where the store is gone.
func TestCachesNeedNoStore(t *testing.T) {
	for query, want := range map[string]term.VerdictWord{
		"": term.Fail, "resourceVersion=0": term.Unknown, "dryRun=All": term.Unknown, "fieldManager=x": term.Fail,
	} {
		s := mixed(t)
		s.create("bystander-1", plainSpec)
		s.blind = true
		s.patch("bystander-1", refused(500, "connection refused"))
		s.h.Operations[len(s.h.Operations)-1].At = 3
		s.get("bystander-1")
		last := &s.h.Operations[len(s.h.Operations)-1]
		last.At, last.Exchange.Query = 9, query
		s.h.End = &history.End{Outcome: history.StoreFailed, Message: "etcd was killed"}
		res, _ := s.judge()
		assert.Equal(t, want, res.Verdict, query)
	}
}

// TestDeathsWithTheStore: a server that ends when its store has is no finding about a release.
func TestDeathsWithTheStore(t *testing.T) {
	s := mixed(t)
	s.create("bystander-1", plainSpec)
	s.dies("b")
	s.h.End = &history.End{Outcome: history.StoreFailed, Message: "etcd was killed"}
	assert.Equal(t, term.Unknown, s.finds().Verdict)
	s.h.End.Outcome = history.Failed
	assert.Equal(t, term.Fail, s.finds(`rule-1 violation rule-1 failed unattributed   in step 3 (upgrading 1/2)`).Verdict)
}
