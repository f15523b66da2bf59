package preflight

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/preflight/reading"
)

// tooLong is longer than the tests take on any machine, and shorter than what is looked up in a list for each of so many would.
const tooLong = 40 * time.Second

// TestManyFindings: what is asked for each object does not take longer the more objects have findings.
func TestManyFindings(t *testing.T) {
	const objects = 30_000
	finding := func(i int) Finding {
		return Finding{Outcome: term.Frozen, Direction: Back, Kind: "A", Namespace: "n", Name: fmt.Sprintf("object-%05d", i), Path: ".spec.a", Release: "v1.36.3"}
	}
	baseline, found := Judged{}, Judged{}
	for i := range objects {
		baseline.AddBaseline(finding(i))
		found.Add(finding(i))
	}
	kept := seen("v1.37.2", `{}`)
	kept.Record = &reading.Record{Kind: "A", Form: "v1", Namespace: "n", Object: kept.Object}
	began := time.Now()
	for i := range objects {
		f := finding(i)
		assert.True(t, baseline.Asks(f))
		f.Release = "v1.37.2"
		assert.False(t, baseline.Asks(f), "the baseline is that of another release")
		kept.Name = f.Name
		_, is := found.Kept(kept, ".spec.a.b", "v1.36.3", PhaseBack)
		assert.False(t, is, "the finding says it")
	}
	assert.Less(t, time.Since(began), tooLong)
}

// TestManyCauses: a refusal that names each of many elements is not read to its end, of which nothing would be shown.
func TestManyCauses(t *testing.T) {
	const elements = 6_000
	object, refused := []byte(`{"spec":{"list":[`), reading.Try{Write: reading.Put, Code: http.StatusUnprocessableEntity, Message: `A "x" is invalid: [spec.list[0].ip: Invalid value: "010.0.0.1": no]`}
	for i := range elements {
		object = fmt.Appendf(object, `{"ip":"010.0.0.1","name":"element-%d"},`, i)
		refused.Causes = append(refused.Causes, reading.Cause{Field: fmt.Sprintf("spec.list[%d].ip", i), Message: fmt.Sprintf(`Invalid value: "010.0.0.1": must not be like number %d of the list`, i)})
	}
	began := time.Now()
	f := Refusal(seen("v1.37.2", string(object)+`{}]}}`), Up, refused)
	assert.Equal(t, ".spec.list[].ip", f.Path)
	assert.Contains(t, f.Message, "must not be like number 0 of the list; ")
	assert.Less(t, time.Since(began), tooLong)
}

// TestManyUnlisted: a LIST that lacks all objects of a kind is looked up for each of them.
func TestManyUnlisted(t *testing.T) {
	const objects = 120_000
	list := &reading.Listing{}
	for i := range objects {
		list.Missing = append(list.Missing, fmt.Sprintf("/registry/as/n/object-%05d", i))
	}
	s := seen("v1.37.2", `{}`)
	s.List = list
	began, found := time.Now(), 0
	for _, key := range list.Missing {
		s.Key = key
		found += len(Unlisted(&s, s, Up)) // it was so before
		s.Key = key + "-other"
		found += len(Unlisted(nil, s, Up))
	}
	assert.Zero(t, found)
	s.Key = list.Missing[objects/2]
	assert.Len(t, Unlisted(nil, s, Up), 1)
	assert.Less(t, time.Since(began), tooLong)
}

// TestUnreadOfKinds: objects that cannot be read are counted once each, by their kinds.
func TestUnreadOfKinds(t *testing.T) {
	h := Hop{Baseline: []Finding{
		{Outcome: term.Undecodable, Group: "a.io", Kind: "A", Name: "a"}, {Outcome: term.Indeterminate, Group: "a.io", Kind: "A", Name: "a", Path: ".spec"},
		{Outcome: term.Undecodable, Group: "a.io", Kind: "A", Name: "b"}, {Outcome: term.Unserved, Kind: "A", Name: "a"},
		{Outcome: term.Frozen, Kind: "B", Name: "b", Write: string(reading.Label)}, {Outcome: term.Undecodable, Kind: "C"},
	}}
	assert.Equal(t, map[[2]string]int{{"a.io", "A"}: 2, {"", "A"}: 1}, h.Unread())
}
