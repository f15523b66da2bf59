package preflight

import (
	"net/http"
	"testing"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/preflight/reading"
)

// TestLists: what an object that cannot be read does to the LIST of its kind is in its finding; a LIST that
// fails, or lacks an object, is a finding if it did not before.
func TestLists(t *testing.T) {
	failing := reading.Listing{APIVersion: "a.io/v1", Kind: "A", Objects: 31, Code: http.StatusInternalServerError, Message: "no s3cr3t"}
	bad := failed(http.StatusInternalServerError, "no")
	bad.List = &failing
	assert.Contains(t, Worse(seen("old", `{}`), bad, Up)[0].Message, "(31 objects)")
	assert.NotContains(t, Worse(seen("old", `{}`), failed(http.StatusInternalServerError, "no"), Up)[0].Message, "LIST")

	first, second := seen("old", `{}`), seen("new", `{}`)
	first.Key, second.Key = "k", "k"
	assert.Empty(t, Unlisted(&first, second, Up))
	second.List = &reading.Listing{Missing: []string{"k"}}
	assert.Equal(t, []term.Outcome{term.Undecodable}, classes(Unlisted(&first, second, Up)))
	assert.Empty(t, Unlisted(&second, second, Up), "it was so before")
	second.List = &reading.Listing{Differing: []string{"k"}}
	assert.Equal(t, []term.Outcome{term.Changed}, classes(Unlisted(nil, second, Up)))
	assert.Empty(t, Unlisted(&second, second, Up), "it differed before")

	all := FailingLists(nil, reading.Listings{failing, {Kind: "B"}}, "new", PhaseAlone, Up)
	assert.Equal(t, []term.Outcome{term.Undecodable}, classes(all))
	assert.NotContains(t, all[0].Message, "s3cr3t")
	for _, unanswered := range []reading.Listing{{Kind: "C", Code: http.StatusTooManyRequests, Message: "busy"}, {Kind: "C", Message: "EOF"}} {
		one := reading.Listings{unanswered}
		assert.Equal(t, []term.Outcome{term.Indeterminate}, classes(FailingLists(reading.Listings{{Kind: "C"}}, one, "new", PhaseAlone, Up)), "nobody knows what kubectl get shows")
		assert.Empty(t, FailingLists(one, one, "new", PhaseAlone, Up), "it was not answered before")
		assert.Empty(t, FailingLists(nil, one, "old", PhaseBaseline, Up), "there is nothing to compare it with")
	}
	assert.Empty(t, FailingLists(reading.Listings{failing}, reading.Listings{failing}, "new", PhaseAlone, Up), "it failed before")
	for _, another := range []reading.Listing{{APIVersion: "b.io/v1", Kind: "A"}, {APIVersion: "a.io/v1", Kind: "B"}} {
		another.Code, another.Message, another.Unreadable = http.StatusInternalServerError, "no", 1
		assert.Len(t, FailingLists(reading.Listings{another}, reading.Listings{failing, another}, "new", PhaseAlone, Up), 1, "%s %s fails by itself, and says nothing of another kind", another.APIVersion, another.Kind)
	}
	once := failing
	once.Again = true
	assert.Equal(t, []term.Outcome{term.Indeterminate}, classes(FailingLists(nil, reading.Listings{once}, "new", PhaseAlone, Up)), "the server answered it later")
	failing.Unreadable = 1
	assert.Empty(t, FailingLists(nil, reading.Listings{failing}, "new", PhaseAlone, Up), "an object says it")
	other := reading.Listing{APIVersion: "a.io/v1beta1", Kind: "A", Objects: 1, Code: http.StatusInternalServerError, Message: "no"}
	assert.Empty(t, FailingLists(nil, reading.Listings{failing, other}, "new", PhaseAlone, Up), "an object in another version says it")
}

// TestAgain: a write that was refused, or a GET that failed, and then was accepted, is undecided. Near twin: one that stays
// refused.
func TestAgain(t *testing.T) {
	refused := reading.Try{Write: reading.Put, Code: http.StatusUnprocessableEntity, Message: "no"}
	accepted := reading.Try{Write: reading.Put, Code: http.StatusOK}
	first := withTries(seen("old", `{}`), accepted)
	assert.Equal(t, []term.Outcome{term.Frozen}, classes(Worse(first, withTries(seen("new", `{}`), refused), Up)))
	refused.Again = true
	for _, again := range []reading.Try{refused, {Write: reading.Get, Code: http.StatusInternalServerError, Message: "no", Again: true}} {
		s := withTries(seen("new", `{}`), again)
		for _, all := range [][]Finding{Worse(first, s, Up), Alone(s, Up)} {
			assert.Equal(t, []term.Outcome{term.Indeterminate}, classes(all))
			assert.NotEqual(t, string(reading.Get), all[0].Write)
		}
	}
}
