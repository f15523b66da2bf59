package reports_test

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/sim/history"
	"github.com/skewsim/skewsim/sim/redact"
	"github.com/skewsim/skewsim/sim/result"
)

// storedBody is what the data has of what etcd held of a copy in its first row.
func (d data) storedBody(t *testing.T, name string) bodyData {
	t.Helper()
	var stored struct{ Body int }
	require.NoError(t, json.Unmarshal(d.rows[d.copyAt(name)][0].Stored, &stored))
	return d.bodies[stored.Body]
}

// TestStoredBytesAreDecoded: they stand as bytes, cut, and as what they hold;
// those of a Secret in neither form.
func TestStoredBytesAreDecoded(t *testing.T) {
	run := largeRun(2, 6, 3)
	b := readData(t, run).storedBody(t, largeName(0))
	value, _ := run.Blobs(bodyName(0, 0, "etcd", false))
	assert.Equal(t, value.Bytes, b.H)
	assert.Equal(t, len(value.Bytes), b.N)
	assert.Equal(t, "protobuf v1 Pod", b.D[0])
	assert.Contains(t, b.D, `1.1 = "`+largeName(0)+`"`)

	run = largeRun(2, 6, 3)
	run.Ledger.Copies[0].Kind = "Secret"
	d := readData(t, run)
	assert.Equal(t, bodyData{W: redact.Withheld}, d.storedBody(t, largeName(0)))
	assert.NotEmpty(t, d.storedBody(t, largeName(1)).H)
}

// TestLongStoredBytesAreCut: only the start of the bytes stands there, and of
// the lines as many as have room.
func TestLongStoredBytesAreCut(t *testing.T) {
	run := largeRun(1, 6, 3)
	var long []string
	for i := range 5000 {
		long = append(long, fmt.Sprintf("%q:%q", fmt.Sprint("k", i), strings.Repeat("v", 20)))
	}
	value := []byte(`{"apiVersion":"v1","kind":"Pod","data":{` + strings.Join(long, ",") + `}}`)
	blobsOf(&run, map[string]history.Blob{bodyName(0, 0, "etcd", false): {Bytes: value}})
	b := readData(t, run).storedBody(t, largeName(0))
	assert.Equal(t, value[:4096], b.H)
	assert.Equal(t, len(value), b.N)
	assert.Contains(t, b.D[len(b.D)-1], "more lines, in history.jsonl.zst")
	assert.Less(t, len(strings.Join(b.D, "")), 70<<10)
}

// TestASecretInAList: a body about something else may hold a Secret, or what the
// scenario marks, and may name the kind with letters written as numbers.
func TestASecretInAList(t *testing.T) {
	for _, kind := range []string{`Secret`, `\u0053ecret`} {
		run := largeRun(1, 6, 3)
		list := fmt.Sprintf(`{"kind":"List","items":[{"kind":"%s","data":{"password":%q}},{"kind":"ConfigMap","data":{"colour":"red"}}]}`, kind, secretEncoded)
		blobsOf(&run, map[string]history.Blob{bodyName(0, 0, "old", false): {JSON: []byte(list)}})
		all := readData(t, run).text()
		assert.NotContains(t, all, secretEncoded, kind)
		assert.Contains(t, all, `"password":"sha256:`, kind)
		assert.Contains(t, all, `"colour":"red"`, kind)
		run.Plan.Confidential = map[string][]string{"ConfigMap": {".data.colour"}}
		assert.NotContains(t, readData(t, run).text(), `"colour":"red"`, kind)
	}
}

// text is what all JSON bodies hold.
func (d data) text() string {
	var all strings.Builder
	for _, b := range d.bodies {
		all.WriteString(b.J)
	}
	return all.String()
}

// TestABodyThatTheHistoryLacks has no number; one that is no JSON is shown as bytes.
func TestABodyThatTheHistoryLacks(t *testing.T) {
	run := largeRun(1, 6, 3)
	run.Ledger.Copies[0].Rows = []result.Row{{Step: 1, Outcome: term.Kept, Stored: &result.Stored{Value: "gone"},
		Requests: []result.Request{{Sent: "gone", Answer: "broken"}}}}
	blobsOf(&run, map[string]history.Blob{"broken": {JSON: []byte(`{"kind":`)}})
	d := readData(t, run)
	q := d.rows[0][0].Requests[0]
	assert.Equal(t, -1, q.Sent)
	assert.Equal(t, `{"kind":`, string(d.bodies[q.Answer].H))
	assert.Contains(t, string(d.rows[0][0].Stored), `"body":-1`)
}

// TestWhatIsSentAndStoredAlike: the same bytes are a body here, and bytes there.
func TestWhatIsSentAndStoredAlike(t *testing.T) {
	run := largeRun(1, 6, 3)
	run.Ledger.Copies[0].Rows = []result.Row{{Step: 1, Outcome: term.Kept, Stored: &result.Stored{Value: "alike"}, Requests: []result.Request{{Sent: "alike"}}}}
	text := []byte(`{"apiVersion":"v1","kind":"Pod"}`)
	blobsOf(&run, map[string]history.Blob{"alike": {JSON: text, Bytes: text}})
	d := readData(t, run)
	assert.Equal(t, bodyData{J: string(text)}, d.bodies[d.rows[0][0].Requests[0].Sent])
	b := d.storedBody(t, largeName(0))
	assert.Equal(t, text, b.H)
	assert.Equal(t, "json v1 Pod", b.D[0])
}

// noise gives bodies that do not compress well, the same at every call.
func noise(digest string, size int) history.Blob {
	sum := fnv.New64a()
	sum.Write([]byte(digest))
	random := rand.New(rand.NewPCG(sum.Sum64(), 0))
	var text []byte
	for len(text) < size {
		text = strconv.AppendUint(text, random.Uint64(), 36)
	}
	return history.Blob{JSON: []byte(`"` + string(text) + `"`)}
}

// TestWhatDoesNotFitIsLeftOut: copies with findings keep their bodies, others
// say that theirs are left out, and the page stays small.
func TestWhatDoesNotFitIsLeftOut(t *testing.T) {
	t.Parallel()
	run := largeRun(20, 4, 2)
	run.Blobs = func(digest string) (history.Blob, bool) { return noise(digest, 64<<10), true }
	page := write(t, "report.html", run)
	d := readPage(t, page)
	left := map[bool]int{}
	for at, rows := range d.rows {
		found := run.Ledger.Copies[at].Outcome == term.Lost
		for _, row := range rows {
			for _, q := range row.Requests {
				left[found] += d.bodies[q.Answer].O
			}
		}
	}
	assert.Zero(t, left[true], "of copies with findings")
	assert.Positive(t, left[false], "of others")
	assert.Positive(t, d.Omitted)
	assert.Zero(t, readData(t, largeRun(20, 4, 2)).Omitted)
}

// TestNoBodyTellsASecret: neither as text nor as the bytes that base64 hides.
func TestNoBodyTellsASecret(t *testing.T) {
	for n, b := range readData(t, fixedRun(0)).bodies {
		for _, secret := range []string{secretValue, secretEncoded} {
			assert.NotContains(t, string(b.H)+strings.Join(b.D, "\n")+b.J, secret, n)
		}
	}
}
