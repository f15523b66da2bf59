package conformance_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"regexp"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
)

// mask removes from a server's bytes what differs between any two servers: UIDs, which it
// numbers in order of appearance, generated names, times, and the address.
type mask struct {
	began time.Time
	ids   map[string]string // by UID
}

func newMask() *mask { return &mask{began: time.Now(), ids: map[string]string{}} }

var (
	madeUp   = regexp.MustCompile(`[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}|\bd-[0-9a-z]{5}\b`)
	moment   = regexp.MustCompile(`20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z`)
	age      = regexp.MustCompile(`"[0-9]+s"`)
	unknown  = regexp.MustCompile(`\.[a-zA-Z.]+: field not declared in schema`)
	loopback = regexp.MustCompile(`(127\.0\.0\.1)?:[0-9]{5}\b`)
)

// hide returns the masked bytes. Replacements have the length of the time or UID, so that
// protobuf's lengths stay valid.
func (m *mask) hide(b []byte) string {
	b = madeUp.ReplaceAllFunc(b, func(id []byte) []byte {
		if m.ids[string(id)] == "" {
			m.ids[string(id)] = fmt.Sprintf("%0*d", len(id), len(m.ids)+1)
		}
		return []byte(m.ids[string(id)])
	})
	b = moment.ReplaceAllFunc(b, func(at []byte) []byte {
		if at, err := time.Parse(time.RFC3339, string(at)); err == nil && at.Before(m.began.Add(-time.Minute)) {
			return []byte(at.Format(time.RFC3339)) // what a client sent
		}
		return []byte("some time, some time")
	})
	// In protobuf a time is the varint of its seconds.
	for second := m.began.Unix() - 1; second <= time.Now().Unix(); second++ {
		b = bytes.ReplaceAll(b, binary.AppendUvarint(nil, uint64(second)), []byte("time!"))
	}
	b = age.ReplaceAll(b, []byte(`"an age"`))
	// If there are several such fields, the library reports any of them.
	b = unknown.ReplaceAll(b, []byte("a field not declared in schema"))
	return string(loopback.ReplaceAll(b, []byte("address")))
}

// TestMask: what is masked, and what looks similar and is not.
func TestMask(t *testing.T) {
	m := newMask()
	now := m.began.UTC().Format(time.RFC3339)
	const one, two = "11111111-1111-4111-8111-111111111111", "21111111-1111-4111-8111-111111111111"
	seconds := string(binary.AppendUvarint(nil, uint64(m.began.Unix())))
	for given, want := range map[string]string{
		now:                          "some time, some time",
		"2020-01-01T00:00:00Z":       "2020-01-01T00:00:00Z",
		"at \x08" + seconds + "\x10": "at \x08time!\x10",
		`"12s" "12"`:                 `"an age" "12"`,
		"https://127.0.0.1:40000/a":  "https://address/a",
	} {
		assert.Equal(t, want, m.hide([]byte(given)))
	}
	assert.Equal(t, fmt.Sprintf("%036d %036d", 1, 2), m.hide([]byte(one+" "+two)))
	assert.Equal(t, fmt.Sprintf("%036d", 1), m.hide([]byte(one)))
	assert.Equal(t, fmt.Sprintf("%036d", 1), newMask().hide([]byte(two)), "the first there")
}
