package sweep

import (
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/result"
)

// TestCopiesOfLists: a LIST that one object fails is a finding on that object too, which no other call may show. Near twins: the
// object, or another copy of it, has the finding itself, the error names none or one that nobody created, and a LIST that only failed.
func TestCopiesOfLists(t *testing.T) {
	l := result.Ledger{Copies: []result.CopyLedger{{Copy: "a-treated-001", Object: "a"}, {Copy: "a-treated-002", Object: "a"}}}
	message := func(name string) string {
		return "LIST was answered 500: failed to read one or more things.example.dev from the storage: StorageError: corrupt object, Code: 7, Key: /registry/example.dev/things/ns/" +
			name + ", ResourceVersion: 0, AdditionalErrorMsg: object not decodable (and 15 more)"
	}
	list := func(name string) result.Finding {
		return result.Finding{Kind: "Thing", Outcome: term.Undecodable, Cause: term.NotConverted, Verb: term.ListAll, Via: term.New, Message: message(name)}
	}
	failed := list("a-treated-001")
	failed.Outcome = term.Failed
	own := result.Finding{Copy: "a-treated-001", Object: "a", Outcome: term.Undecodable, Via: term.New}
	other := own
	other.Via = term.Old
	nameless := list("")
	nameless.Message = "LIST was answered 500"
	for name, c := range map[string]struct {
		findings []result.Finding
		want     []string // the copies of further findings
	}{
		"named":               {[]result.Finding{list("a-treated-001"), list("a-treated-002")}, []string{"a-treated-001", "a-treated-002"}},
		"its own":             {[]result.Finding{list("a-treated-001"), own}, nil},
		"another copy's":      {[]result.Finding{list("a-treated-002"), own}, nil},
		"by the other server": {[]result.Finding{list("a-treated-001"), other}, []string{"a-treated-001"}},
		"nobody's":            {[]result.Finding{list("default")}, nil},
		"no name":             {[]result.Finding{nameless}, nil},
		"only failed":         {[]result.Finding{failed}, nil},
	} {
		all := withCopiesOfLists(c.findings, l)
		var copies []string
		for _, f := range all[len(c.findings):] {
			copies = append(copies, f.Copy)
			assert.Equal(t, "a", f.Object, name)
		}
		assert.Equal(t, c.want, copies, name)
		assert.Equal(t, c.findings, all[:len(c.findings)], name)
	}
}
