package oracle_test

import (
	"cmp"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// oneStored is a story of one bystander, in step 3 of upgrading 1/2.
func oneStored(t *testing.T) *story {
	s := mixed(t)
	s.create("bystander-1", plainSpec)
	return s
}

// A LIST through any form that is refused is reported with its form; a page that
// expired is legal, and leaves open what it would have shown.
func TestFormsOfList(t *testing.T) {
	s := oneStored(t)
	l := s.listed(s.edge(), "b")
	l.Form = term.CachedList
	s.finds()
	l.Items = nil
	fails(&l.Exchange, 429, "storage is (re)initializing")
	message(t, s.finds(`everything-decodes violation storage undecodable unattributed   in step 4 (upgrading 1/2)`),
		`Widget: LIST (cached) through b (v1.0.0) in step 4 (upgrading 1/2) was answered 429: storage is (re)initializing: one object that cannot be decoded breaks the whole resource`)

	s = oneStored(t)
	l = s.listed(s.edge(), "b")
	l.Form, l.Pages, l.Items = term.PagedList, 2, nil
	fails(&l.Exchange, 410, "expired")
	verdict(t, check(t, s.finds(), term.CheckEverythingDecodes), term.Unknown,
		"1 facts are indeterminate: a LIST's pages expired before the last: that is legal, and what they would have shown is not known")
	l.Pages = 0
	s.finds(`everything-decodes violation storage refused unattributed   in step 4 (upgrading 1/2)`)
}

// What a cache has not seen yet, it need not show.
func TestListThatLags(t *testing.T) {
	s := oneStored(t)
	l := s.listed(s.edge(), "b")
	l.Form, l.Items = term.CachedList, nil
	l.Exchange.Revision = s.revision["bystander-1"] - 1
	verdict(t, check(t, s.finds(), term.CheckEverythingDecodes), term.Unknown, "1 facts are indeterminate: every LIST from a cache was older than bystander-1")
	later := s.listed(s.edge(), "b")
	later.Form, later.Exchange.Revision = term.CachedList, s.head
	verdict(t, check(t, s.finds(), term.CheckEverythingDecodes), term.Pass, "")
	l = s.listed(4, "b")
	l.Exchange.Revision++
	message(t, s.finds(`everything-decodes violation storage lost unattributed bystander-1  in step 4 (upgrading 1/2)`),
		`Widget bystander-1: LIST (cached) through b (v1.0.0) in step 4 (upgrading 1/2) does not show it, and no step deleted it`)
	for _, asksTheStore := range []term.ListForm{term.ConsistentList, term.PagedList} {
		l.Form, l.Exchange.Revision = asksTheStore, 1
		s.finds(`everything-decodes violation storage lost unattributed bystander-1  in step 4 (upgrading 1/2)`)
	}
}

// A value that a release cannot read is reported once, and LISTs that stumble over
// it once for all of them.
func TestUndecodableIsReportedOnce(t *testing.T) {
	s := oneStored(t)
	created := 3
	fails(s.recorded(created, history.Look, "b"), 500, "unable to decode")
	for range 2 {
		edge := s.edge()
		l := s.listed(edge, "b")
		l.Items = nil
		fails(&l.Exchange, 500, "unable to decode")
	}
	res := s.finds(
		`everything-decodes violation storage undecodable unattributed bystander-1  in step 3 (upgrading 1/2)`,
		`everything-decodes violation storage undecodable unattributed   in step 4 (upgrading 1/2)`)
	want := `Widget: LIST through b (v1.0.0) in step 4 (upgrading 1/2) was answered 500: unable to decode: it holds bystander-1, which this release cannot read`
	if got := res.Findings[1].Message; got != want {
		t.Errorf("message:\n%s\nwant:\n%s", got, want)
	}
	touched := s.patch("bystander-1")
	fails(s.recorded(touched, history.Look, "b"), 500, "unable to decode")
	if got := len(s.h.Operations); got == 0 {
		t.Fatal("nothing recorded")
	}
	s.finds(
		`everything-decodes violation storage undecodable unattributed bystander-1  in step 3 (upgrading 1/2)`,
		`everything-decodes violation storage undecodable unattributed   in step 4 (upgrading 1/2)`,
		`everything-decodes violation storage undecodable unattributed bystander-1  in step 6 (upgrading 1/2)`)
}

// A watch tells each change in order. One that was closed before it had caught
// up may have told the rest; one that told of later ones skipped some.
func TestWatch(t *testing.T) {
	begin := func(t *testing.T) (*story, *watching) {
		s := mixed(t)
		w := s.watch("b") // step 3, revision 10
		s.create("bystander-1", plainSpec)
		s.patch("bystander-1")
		s.delete("bystander-1") // revisions 11, 12, 13
		return s, w
	}
	s, w := begin(t)
	w.catchUp().close()
	if c := check(t, s.finds(), term.CheckEverythingDecodes); c.Indeterminate != 0 {
		t.Errorf("the control: %+v", c)
	}

	s, w = begin(t)
	w.catchUp(12)
	message(t, s.finds(`everything-decodes violation storage lost unattributed bystander-1  in step 5 (upgrading 1/2)`),
		`Widget bystander-1: the WATCH through b (v1.0.0), opened in step 3 (upgrading 1/2) at revision 10, does not send revision 12, and sends revision 13: an informer misses it`)

	s, w = begin(t)
	w.catchUp(13)
	w.tell(history.WatchBookmark, "", 13)
	s.finds(`everything-decodes violation storage lost unattributed bystander-1  in step 6 (upgrading 1/2)`)

	s, w = begin(t)
	w.catchUp(12, 13).close()
	verdict(t, check(t, s.finds(), term.CheckEverythingDecodes), term.Unknown,
		"2 facts are indeterminate: the WATCH of Widget through b, opened in step 3, was closed before it had sent all changes")

	s, w = begin(t)
	w.catchUp()
	w.tell(history.WatchModified, "bystander-1", 12)
	message(t, s.finds(`everything-decodes violation storage changed unattributed   in step 3 (upgrading 1/2)`),
		`Widget: the WATCH through b (v1.0.0), opened in step 3 (upgrading 1/2), sent revision 12 after a newer one: an informer takes the older object for what is stored`)
}

// What is stored when the watch's server is gone is not owed by the watch.
func TestWatchOfAServerThatWent(t *testing.T) {
	s := mixed(t)
	w := s.watch("a")
	s.create("bystander-1", plainSpec)
	w.catchUp().close()
	s.stage("rolled-back", term.Old, term.Old)
	s.patch("bystander-1")
	if c := check(t, s.finds(), term.CheckEverythingDecodes); c.Indeterminate != 0 {
		t.Errorf("%+v", c)
	}
}

// An error event ends a watch: what comes next could not be read. 410 is legal.
func TestWatchThatFails(t *testing.T) {
	s := mixed(t)
	w := s.watch("b")
	s.create("bystander-1", plainSpec)
	w.catchUp()
	s.patch("bystander-1")
	w.fails(500, "unable to decode")
	message(t, s.finds(`everything-decodes violation storage undecodable unattributed   in step 5 (upgrading 1/2)`),
		`Widget: the WATCH through b (v1.0.0), opened in step 3 (upgrading 1/2), ended with the error 500: unable to decode after revision 11; the next change is that of bystander-1 at revision 12; everything stored decodes in every release that may have to read it`)

	s.h.Watches[len(s.h.Watches)-1].Code = 410
	if c := check(t, s.finds(), term.CheckEverythingDecodes); c.Indeterminate != 0 {
		t.Errorf("410: %+v", c)
	}
}

// A watch that tells nothing from a value on that its release cannot read is
// told of once; what comes after it is not owed.
func TestWatchThatStalls(t *testing.T) {
	s := mixed(t)
	w := s.watch("b")
	s.create("bystander-1", plainSpec)
	w.catchUp()
	touched := s.patch("bystander-1")
	s.patch("bystander-1")
	w.close()
	if c := check(t, s.finds(), term.CheckEverythingDecodes); c.Indeterminate != 2 {
		t.Errorf("the control: %+v", c)
	}
	s.changeOf("bystander-1").Encoding = "encrypted"
	s.h.Changes[len(s.h.Changes)-2].Encoding = "encrypted"
	fails(s.recorded(touched, history.Look, "b"), 500, "no key")
	fails(s.recorded(touched+1, history.Look, "b"), 500, "no key")
	res := s.finds(
		`everything-decodes violation storage undecodable key-missing   in step 5 (upgrading 1/2)`,
		`everything-decodes violation storage undecodable key-missing bystander-1  in step 5 (upgrading 1/2)`,
		`everything-decodes violation storage undecodable key-missing bystander-1  in step 6 (upgrading 1/2)`)
	want := `Widget: the WATCH through b (v1.0.0), opened in step 3 (upgrading 1/2), sends nothing after revision 11: the next change is that of bystander-1 at revision 12, which this release cannot read; key-missing: the value is encrypted with a key that the release was not given; everything stored decodes in every release that may have to read it`
	if got := res.Findings[0].Message; got != want {
		t.Errorf("message:\n%s\nwant:\n%s", got, want)
	}
	if c := check(t, res, term.CheckEverythingDecodes); c.Indeterminate != 0 {
		t.Errorf("%+v", c)
	}
}

// A server that waited to serve opens its watches from a cache that is older
// than they are: it stalls at a value from before the watch.
func TestWatchThatStallsBeforeItOpens(t *testing.T) {
	begin := func(t *testing.T) (*story, int) {
		s := mixed(t)
		created := s.create("bystander-1", plainSpec)
		w := s.watch("b")
		s.h.Watches[len(s.h.Watches)-1].Revision = 10 // the cache's, not the store's
		s.create("bystander-2", plainSpec)
		w.close()
		return s, created
	}
	s, _ := begin(t)
	if c := check(t, s.finds(), term.CheckEverythingDecodes); c.Indeterminate != 1 {
		t.Errorf("the control: %+v", c)
	}
	s, created := begin(t)
	s.changeOf("bystander-1").Encoding = "encrypted"
	fails(s.recorded(created, history.Look, "b"), 500, "no key")
	res := s.finds(
		`everything-decodes violation storage undecodable key-missing bystander-1  in step 3 (upgrading 1/2)`,
		`everything-decodes violation storage undecodable key-missing   in step 4 (upgrading 1/2)`)
	if c := check(t, res, term.CheckEverythingDecodes); c.Indeterminate != 0 {
		t.Errorf("%+v", c)
	}
}

// What a release cannot read it cannot write either, for the same cause; nor
// does a server of it start in its usual time.
func TestWhatFollowsFromTheUnread(t *testing.T) {
	s := oneStored(t)
	s.changeOf("bystander-1").Encoding = "encrypted"
	fails(s.recorded(3, history.Look, "b"), 500, "no key")
	l := s.listed(s.edge(), "b")
	l.Items = nil
	fails(&l.Exchange, 500, "no key")
	step := s.attempt("bystander-1")
	fails(&s.tried(step, "bystander-1", "b", term.LabelAttempt).Exchange, 500, "no key")
	s.h.Servers = []history.Server{
		{Step: 1, Replica: "a", Role: term.Old, Version: oldVersion, Event: history.Ready, Seconds: 2},
		{Step: 2, Replica: "a", Role: term.New, Version: newVersion, Event: history.Ready, Seconds: 2.2},
		{Step: 2, Replica: "b", Role: term.Old, Version: oldVersion, Event: history.Ready, Seconds: 61},
	}
	res := s.finds(
		`everything-decodes violation storage failed unattributed   in step 2 (upgrading 1/2)`,
		`everything-decodes violation storage undecodable key-missing bystander-1  in step 3 (upgrading 1/2)`,
		`everything-decodes violation storage undecodable key-missing   in step 4 (upgrading 1/2)`,
		`stays-writable violation stays-writable frozen key-missing bystander-1  in step 5 (upgrading 1/2)`)
	want := `the server of b (v1.0.0) that started in step 2 (upgrading 1/2) was ready after 61.0 s only, where the run's first servers took 2.0 s; everything stored decodes in every release that may have to read it`
	if got := res.Findings[0].Message; got != want {
		t.Errorf("message:\n%s\nwant:\n%s", got, want)
	}
}

// Trials: what a release cannot read, and why, as far as its envelope tells.
func TestTrials(t *testing.T) {
	const at = ` bystander-1  in step 3 (upgrading 1/2)`
	cases := []struct {
		name string
		bend func(s *story, c *history.Change)
		code int
		want string
	}{
		{"read", nil, 200, ""},
		{"no cause is known", nil, 500, `undecodable unattributed`},
		{"gone", nil, 404, `lost unattributed`},
		{"the cache never fills", func(s *story, _ *history.Change) {
			s.trialOf(history.TrialGet, term.Old, "bystander-1").Message = "storage is (re)initializing"
		}, 429, `undecodable unattributed`},
		{"the server is busy", nil, 429, `failed unattributed`},
		{"the server is going", nil, 503, `failed unattributed`},
		{"an encoding that it reads of nothing else", func(_ *story, c *history.Change) { c.Encoding = "cbor" }, 500, `undecodable encoding`},
		{"an encoding that it reads elsewhere", func(s *story, c *history.Change) {
			c.Encoding = "json"
			s.changeOf("bystander-2").Encoding = "json"
		}, 500, `undecodable unattributed`},
		{"encrypted", func(_ *story, c *history.Change) { c.Encoding = "encrypted" }, 500, `undecodable key-missing`},
		{"encrypted with a key that it has not", func(s *story, c *history.Change) { s.encrypted(c, "k2", "k1", "widgets.example.dev") }, 500, `undecodable key-missing`},
		{"encrypted with a key that it has", func(s *story, c *history.Change) { s.encrypted(c, "k1", "k1", "widgets.example.dev") }, 500, `undecodable unattributed`},
		{"with a key for another kind", func(s *story, c *history.Change) { s.encrypted(c, "k1", "k1", "gadgets.example.dev") }, 500, `undecodable key-missing`},
		{"a version that the other release alone serves", func(s *story, c *history.Change) {
			c.APIVersion, c.Kind = "example.dev/v2", "Widget"
			r := s.h.Releases[term.New]
			r.Resources = append(r.Resources, history.Resource{APIVersion: c.APIVersion, Kind: c.Kind})
			s.h.Releases[term.New] = r
		}, 500, `undecodable storage-version`},
		{"a version that it reads nothing else in", func(s *story, c *history.Change) {
			c.APIVersion, c.Kind, c.Encoding = "example.dev/v3", "Widget", "json"
			other := s.changeOf("bystander-2")
			other.APIVersion, other.Kind, other.Encoding = "example.dev/v1", "Widget", "json"
		}, 500, `undecodable storage-version`},
		{"a version that nothing is known of", func(_ *story, c *history.Change) { c.APIVersion, c.Kind = "example.dev/v3", "Widget" }, 500, `undecodable unattributed`},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := mixed(t)
			s.blind = true // no replica has read what the trial could not
			s.create("bystander-1", plainSpec)
			s.blind = false
			s.create("bystander-2", plainSpec)
			s.trial()
			if c.bend != nil {
				c.bend(s, s.changeOf("bystander-1"))
			}
			if c.want == "" {
				s.finds()
				return
			}
			get := s.trialOf(history.TrialGet, term.Old, "bystander-1")
			get.Code, get.Answer, get.Message = c.code, "", cmp.Or(get.Message, "oops")
			s.finds(`everything-decodes violation storage ` + c.want + at)
		})
	}
}

// LIST, WATCH and a start over recorded values.
func TestTrialsOfAResource(t *testing.T) {
	begin := func(t *testing.T) *story {
		s := oneStored(t)
		s.h.Servers = []history.Server{{Step: 1, Replica: "a", Role: term.New, Event: history.Ready, Seconds: 2}}
		s.trial()
		return s
	}
	begin(t).finds()

	s := begin(t)
	list := s.trialOf(history.TrialList, term.New, "")
	list.Form, list.Code, list.Message = term.PagedList, 500, "oops"
	message(t, s.finds(`everything-decodes violation storage undecodable unattributed   in step 4 (upgrading 1/2)`),
		`Widget: LIST (paged) by v2.0.0, on a scratch store of 1 values, in step 4 (upgrading 1/2) was answered 500: oops; everything stored decodes in every release that may have to read it`)

	s = begin(t)
	s.trialOf(history.TrialWatch, term.Old, "").Missing = []string{"bystander-1"}
	message(t, s.finds(`everything-decodes violation storage lost unattributed bystander-1  in step 4 (upgrading 1/2)`),
		`Widget bystander-1: WATCH by v1.0.0, on a scratch store that holds it, does not show it in step 4 (upgrading 1/2); everything stored decodes in every release that may have to read it`)

	for seconds, want := range map[float64]string{
		31: `a server of v1.0.0 that started in step 4 (upgrading 1/2) over 1 recorded values was ready after 31.0 s only, where the run's first servers took 2.0 s; everything stored decodes in every release that may have to read it`,
		30: "", 19: "",
	} {
		s = begin(t)
		s.trialOf(history.TrialStart, term.Old, "").Seconds = seconds
		if want == "" {
			s.finds()
			continue
		}
		message(t, s.finds(`everything-decodes violation storage failed unattributed   in step 4 (upgrading 1/2)`), want)
	}

	s = begin(t)
	start := s.trialOf(history.TrialStart, term.New, "")
	start.Seconds, start.Error = 60, "exited with status 1"
	message(t, s.finds(`everything-decodes violation storage failed unattributed   in step 4 (upgrading 1/2)`),
		`a server of v2.0.0 that started in step 4 (upgrading 1/2) over 1 recorded values was not ready after 60.0 s: exited with status 1; everything stored decodes in every release that may have to read it`)
}

// A watch that could not be opened tells nothing; what it would stumble over is
// named where it is known.
func TestWatchThatIsRefused(t *testing.T) {
	s := oneStored(t)
	w := s.watch("b")
	s.h.Watches = nil
	w.fails(429, "storage is (re)initializing")
	w.close()
	message(t, s.finds(`everything-decodes violation storage undecodable unattributed   in step 4 (upgrading 1/2)`),
		`Widget: the WATCH through b (v1.0.0) of step 4 (upgrading 1/2) could not be opened: 429: storage is (re)initializing; everything stored decodes in every release that may have to read it`)
	fails(s.recorded(3, history.Look, "b"), 500, "unable to decode")
	res := s.finds(
		`everything-decodes violation storage undecodable unattributed bystander-1  in step 3 (upgrading 1/2)`,
		`everything-decodes violation storage undecodable unattributed   in step 4 (upgrading 1/2)`)
	want := `Widget: the WATCH through b (v1.0.0) of step 4 (upgrading 1/2) could not be opened: 429: storage is (re)initializing: it holds bystander-1, which this release cannot read; everything stored decodes in every release that may have to read it`
	if got := res.Findings[1].Message; got != want {
		t.Errorf("message:\n%s\nwant:\n%s", got, want)
	}
}

// A watch that was being opened when the run was interrupted is nobody's fault;
// of a run that finished it is reported.
func TestWatchThatTheRunCutOff(t *testing.T) {
	for _, interrupted := range []bool{true, false} {
		s := oneStored(t)
		w := s.watch("b")
		s.h.Watches = nil
		w.fails(0, "context canceled")
		w.close()
		if interrupted {
			s.h.End = &history.End{Outcome: history.Interrupted}
		}
		res, _ := s.judge()
		if c := check(t, res, term.CheckEverythingDecodes); (c.Indeterminate == 1) != interrupted || (c.Findings == 0) != interrupted {
			t.Errorf("interrupted %t: %+v", interrupted, c)
		}
	}
}

// A damaged history may say anything: it is judged as far as it goes.
func TestRolesThatAreNone(t *testing.T) {
	s := oneStored(t)
	s.watch("b").fails(500, "oops")
	s.trial()
	for i := range s.h.Trials {
		s.h.Trials[i].Role, s.h.Trials[i].Code = "neither", 500
	}
	for i := range s.h.Operations {
		s.h.Operations[i].Role = "neither"
		if s.h.Operations[i].Purpose == history.Look {
			fails(&s.h.Operations[i].Exchange, 500, "oops")
		}
	}
	s.h.End = nil
	s.judge()
}
