package oracle_test

import (
	"fmt"
	"testing"

	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/plan"
	"github.com/skewsim/skewsim/sim/term"
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
			if got := check(t, s.finds(c.want...), term.EverythingDecodes).Untold; got != c.untold {
				t.Errorf("untold %d, want %d", got, c.untold)
			}
		})
	}
}

// A cache that does not fill shows what it had: that is told of with the LIST that
// fails, and leaves nothing untold.
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
		if c := check(t, res, term.EverythingDecodes); c.Untold != untold {
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
			if c := check(t, s.finds(), term.EverythingDecodes); c.Untold != 1 {
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
