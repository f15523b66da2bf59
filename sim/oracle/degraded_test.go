package oracle_test

import (
	"testing"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
)

// A server that does not get ready, since it does not read what is stored, is reported
// once for its release, whatever it serves; one that gets ready is not.
func TestServerThatDoesNotGetReady(t *testing.T) {
	story := func(lacks string) *story {
		s := mixed(t)
		created := s.create("bystander-1", plainSpec)
		if lacks != "" {
			s.changeOf("bystander-1").Encoding = "encrypted"
			fails(s.recorded(created, history.Look, "b"), 500, "no key")
		}
		for _, replica := range []string{"a", "b"} {
			s.h.Servers = append(s.h.Servers, history.Server{Step: 1, Replica: replica, Role: term.Old, Version: oldVersion, Event: history.Ready, Seconds: 2})
		}
		for range 2 {
			s.h.Servers = append(s.h.Servers, history.Server{Step: 2, Replica: "b", Role: term.Old, Version: oldVersion, Event: history.Ready, Seconds: 5, Lacks: lacks})
		}
		return s
	}
	story("").finds()
	res := story("[-]informer-sync failed: a LIST of /apis/example.dev/v1/widgets is answered 500").finds(
		`everything-decodes violation storage undecodable key-missing   in step 2 (upgrading 1/2)`,
		`everything-decodes violation storage undecodable key-missing bystander-1  in step 3 (upgrading 1/2)`)
	want := `the server of b (v1.0.0) that started in step 2 (upgrading 1/2) does not become ready: [-]informer-sync failed: a LIST of /apis/example.dev/v1/widgets is answered 500; the run stopped waiting and went on with the server as it is, where a roll-out that waits for readiness would stop; key-missing: the value is encrypted with a key that the release was not given; everything stored decodes in every release that may have to read it`
	if got := res.Findings[0].Message; got != want {
		t.Errorf("message:\n%s\nwant:\n%s", got, want)
	}
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
			s := mixed(t)
			s.blind = true // no GET tells
			s.create("bystander-1", plainSpec)
			change := s.changeOf("bystander-1")
			change.APIVersion, change.Kind = c.stored, "Widget"
			for _, role := range []term.Role{term.Old, term.New} {
				if c.serves == "" || c.serves == role {
					r := s.h.Releases[role]
					r.Resources = append(r.Resources, history.Resource{APIVersion: "example.dev/v2", Kind: "Widget", Plural: "widgets"})
					s.h.Releases[role] = r
				}
			}
			fails(&s.listed(s.edge(), "b").Exchange, 500, "no kind is registered")
			s.finds(`everything-decodes violation storage undecodable ` + c.want + `   in step 4 (upgrading 1/2)`)
		})
	}
}

// Several servers start at once over what their release cannot read, and which of them
// is seen not to get ready, or takes long, is chance. It is reported once, for the roll-out
// that is the first to start a server over it, with what keeps a LIST from being read.
func TestDegradedStartIsOfTheRollout(t *testing.T) {
	const lacks = "[-]storage-readiness failed: a LIST of /apis/example.dev/v1/widgets is answered 500"
	ready := func(step int, replica string, role term.Role) history.Server {
		return history.Server{Step: step, Replica: replica, Role: role, Version: newVersion, Event: history.Ready, Seconds: 2}
	}
	degraded := func(s history.Server) history.Server { s.Lacks = lacks; return s }
	slow := func(s history.Server) history.Server { s.Seconds = 61; return s }
	as := func(s history.Server) history.Server { return s }
	for _, c := range []struct {
		name          string
		first, second func(history.Server) history.Server
		stored, want  string
	}{
		{"both", degraded, degraded, "example.dev/v2", "undecodable storage-version"},
		{"the second alone", as, degraded, "example.dev/v2", "undecodable storage-version"},
		{"one is slow", slow, degraded, "example.dev/v2", "undecodable storage-version"},
		{"both are slow", slow, slow, "example.dev/v2", "undecodable storage-version"},
		{"slow over what can be read", slow, as, "example.dev/v1", "failed unattributed"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := tell(t)
			s.laterVersion(term.Old)
			s.createLater("bystander-1")
			s.changeOf("bystander-1").APIVersion = c.stored
			s.stage("upgrading 1/2", term.New, term.Old)
			first := s.steps
			s.stage("new", term.New, term.New)
			s.h.Servers = []history.Server{
				ready(1, "a", term.Old), c.second(ready(s.steps, "b", term.New)), c.first(ready(first, "a", term.New)),
			}
			s.finds("everything-decodes violation storage " + c.want + "   in step 3 (upgrading 1/2)")
		})
	}
}
