package oracle_test

import (
	"fmt"
	"slices"
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
)

// laterVersion has the releases serve v2 of the widgets too, and an object "later" that
// is made in it.
func (s *story) laterVersion(served ...term.Role) {
	s.h.Header.Plan.Manifests["later"] = plan.Manifest{APIVersion: "example.dev/v2", Kind: "Widget"}
	for _, role := range served {
		r := s.h.Releases[role]
		r.Resources = append(r.Resources, history.Resource{APIVersion: "example.dev/v2", Kind: "Widget", Plural: "widgets"})
		s.h.Releases[role] = r
	}
}

// createLater makes such an object, which nobody looks at, and which is stored as v2.
func (s *story) createLater(name string) int {
	s.blind = true
	defer func() { s.blind = false }()
	step := s.create(name, plainSpec)
	copies := s.h.Header.Plan.Copies
	copies[len(copies)-1].Manifest = "later"
	change := s.changeOf(name)
	change.APIVersion, change.Kind = "example.dev/v2", "Widget"
	return step
}

// A watch tells nothing after a value of its resource that its release cannot read,
// whatever version the copy was made in: that is the finding, and what follows is not
// owed. A version that the release does not serve it may read all the same.
func TestWatchOverAnotherVersion(t *testing.T) {
	const found = `everything-decodes violation storage undecodable storage-version   in step %d (upgrading 1/2)`
	for _, c := range []struct {
		name   string
		serves []term.Role
		code   int // of a LIST through the release
		want   []string
		untold int
	}{
		{"the release cannot read it", []term.Role{term.New}, 500, []string{fmt.Sprintf(found, 4), fmt.Sprintf(found, 7)}, 0},
		{"the release reads what it does not serve", []term.Role{term.New}, 200, nil, 1},
		{"both serve it", []term.Role{term.Old, term.New}, 200, nil, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := mixed(t)
			s.laterVersion(c.serves...)
			w := s.watch("b")
			s.createLater("bystander-2")
			s.createLater("bystander-3")
			s.create("bystander-1", plainSpec)
			edge := s.edge()
			if c.code != 200 {
				fails(&s.listed(edge, "b").Exchange, c.code, "no kind is registered")
			}
			// They were stored in another order than they were planned in.
			s.h.Changes[0].Revision, s.h.Changes[1].Revision = s.h.Changes[1].Revision, s.h.Changes[0].Revision
			w.close()
			if got := check(t, s.finds(c.want...), term.CheckEverythingDecodes).Indeterminate; got != c.untold {
				t.Errorf("indeterminate %d, want %d", got, c.untold)
			}
		})
	}
}

// A cache that does not fill shows what it had: that is reported with the LIST that
// fails, and leaves nothing indeterminate.
func TestCacheThatDoesNotFill(t *testing.T) {
	for code, untold := range map[int]int{500: 0, 200: 1} {
		s := mixed(t)
		s.laterVersion(term.New)
		s.createLater("bystander-2")
		s.create("bystander-1", plainSpec)
		edge := s.edge()
		if code != 200 {
			fails(&s.listed(edge, "b").Exchange, code, "no kind is registered")
		}
		late := *s.listed(edge, "b")
		late.Form, late.Items, late.Exchange = term.CachedList, nil, history.Exchange{Code: 200, Revision: 5}
		s.h.Listings = append(s.h.Listings, late)
		res, _ := s.judge()
		if c := check(t, res, term.CheckEverythingDecodes); c.Indeterminate != untold {
			t.Errorf("LIST answered %d: %+v", code, c)
		}
	}
}

// On a scratch store a watch that shows nothing more is a finding where the release was
// seen not to read what the store holds.
func TestTrialThatIsBlocked(t *testing.T) {
	for read, want := range map[bool]string{true: "", false: `everything-decodes violation storage undecodable unattributed   in step 4 (upgrading 1/2)`} {
		s := oneStored(t)
		s.trial()
		watch := s.trialOf(history.TrialWatch, term.Old, "")
		watch.GaveUp, watch.Missing = true, []string{"bystander-1"}
		if read {
			if c := check(t, s.finds(), term.CheckEverythingDecodes); c.Indeterminate != 1 {
				t.Errorf("%+v", c)
			}
			continue
		}
		get := s.trialOf(history.TrialGet, term.Old, "bystander-1")
		change := s.changeOf("bystander-1")
		get.Code, get.Message, get.Answer, get.Key, get.Value = 500, "unable to decode", "", change.Key, change.Value
		s.finds(`everything-decodes violation storage undecodable unattributed bystander-1  in step 3 (upgrading 1/2)`, want)
	}
}

// follow has the new release serve v2 of the widgets alone, so that copies made in v1 are
// asked for through that.
func (s *story) follow() {
	r := s.h.Releases[term.New]
	r.Resources = []history.Resource{{APIVersion: "example.dev/v2", Kind: "Widget", Plural: "widgets"}}
	r.Follows = map[string]string{history.Follow("example.dev/v1", "Widget"): "example.dev/v2"}
	s.h.Releases[term.New] = r
	for i := range s.h.Operations {
		if o := &s.h.Operations[i]; o.Role == term.New && (o.Purpose == history.Look || o.Purpose == history.Try) {
			o.Follows = "example.dev/v2"
		}
	}
	for i := range s.h.Listings {
		if l := &s.h.Listings[i]; l.Role == term.New {
			l.APIVersion = "example.dev/v2"
		}
	}
	for i := range s.h.Watches {
		if w := &s.h.Watches[i]; w.Role == term.New {
			w.APIVersion = "example.dev/v2"
		}
	}
}

// What a release serves in another version alone is asked for through that version: that
// it cannot be read, written or found there is reported. What it looks like there is not
// held against what it is in its own version.
func TestFollowedVersion(t *testing.T) {
	begin := func(t *testing.T) (*story, int, int, int) {
		s := mixed(t)
		w := s.watch("a")
		created := s.create("bystander-1", plainSpec, via("b"))
		change := s.changeOf("bystander-1")
		change.APIVersion, change.Kind = "example.dev/v1", "Widget"
		w.catchUp().close()
		return s, created, s.edge(), s.attempt("bystander-1")
	}
	t.Run("read", func(t *testing.T) {
		s, created, edge, _ := begin(t)
		s.follow()
		look := s.recorded(created, history.Look, "a")
		look.Answer = s.bend(look.Answer, ".spec.colour", nil) // v2 calls it something else
		item := s.listed(edge, "a").Items
		item[0].Answer = look.Answer
		s.finds()
	})
	t.Run("not read", func(t *testing.T) {
		s, created, edge, tried := begin(t)
		s.follow()
		fails(s.recorded(created, history.Look, "a"), 500, "no kind is registered")
		fails(&s.listed(edge, "a").Exchange, 500, "no kind is registered")
		fails(&s.tried(tried, "bystander-1", "a", term.LabelAttempt).Exchange, 500, "no kind is registered")
		s.finds(
			`everything-decodes violation storage undecodable storage-version bystander-1  in step 4 (upgrading 1/2)`,
			`everything-decodes violation storage undecodable storage-version   in step 5 (upgrading 1/2)`,
			`stays-writable violation stays-writable frozen storage-version bystander-1  in step 6 (upgrading 1/2)`)
	})
	t.Run("not listed", func(t *testing.T) {
		s, _, edge, _ := begin(t)
		s.follow()
		s.listed(edge, "a").Items = nil
		s.finds(`everything-decodes violation storage lost unattributed bystander-1  in step 5 (upgrading 1/2)`)
	})
	t.Run("not watched", func(t *testing.T) {
		s, _, _, _ := begin(t)
		s.h.Watches = slices.DeleteFunc(s.h.Watches, func(w history.Watch) bool { return w.Copy != "" })
		s.follow()
		if c := check(t, s.finds(), term.CheckEverythingDecodes); c.Indeterminate != 1 {
			t.Errorf("%+v", c)
		}
	})
}
