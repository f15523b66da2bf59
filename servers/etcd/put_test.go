package etcd_test

import (
	"fmt"
	"testing"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/skewsim/skewsim/servers/etcd"
)

// TestPutAndAt: a key's old values can be read as long as the store lives, and
// what cannot be says where and why.
func TestPutAndAt(t *testing.T) {
	both(t, func(t *testing.T, s *etcd.Server, client *clientv3.Client) {
		first := put(t, client, "/x", "one")
		if err := s.Put(t.Context(), "/x", []byte("two\x00\xff")); err != nil {
			t.Fatal(err)
		}
		for revision, want := range map[int64]string{first: "one", first + 1: "two\x00\xff"} {
			if got, err := s.At(t.Context(), "/x", revision); err != nil || string(got) != want {
				t.Errorf("at %d: %q, %v; want %q", revision, got, err, want)
			}
		}
		for key, c := range map[string]struct {
			revision int64
			words    string
		}{
			"/y": {first, fmt.Sprintf("store: get /y: it held nothing at revision %d", first)},
			"/x": {first + 9, "store: get /x: etcdserver: mvcc: required revision is a future revision"},
		} {
			if _, err := s.At(t.Context(), key, c.revision); err == nil || err.Error() != c.words {
				t.Errorf("at %s %d: %v; want %s", key, c.revision, err, c.words)
			}
		}
	})
}
