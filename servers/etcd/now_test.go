package etcd_test

import (
	"strings"
	"testing"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/skewsim/skewsim/servers/etcd"
)

// TestNow: what is stored now is each wanted key's last change, and a watch from
// the next revision goes on from there, without a gap and without a repetition.
func TestNow(t *testing.T) {
	both(t, func(t *testing.T, s *etcd.Server, client *clientv3.Client) {
		put(t, client, "/ours/b", "one")
		last := put(t, client, "/ours/a", "two")
		newest := put(t, client, "/ours/b", "three")
		put(t, client, "/others/c", "four")
		if _, err := client.Delete(t.Context(), "/others/c"); err != nil {
			t.Fatal(err)
		}
		now, revision, err := s.Now(t.Context(), func(key string) bool { return strings.HasPrefix(key, "/ours/") })
		if err != nil || len(now) != 2 {
			t.Fatalf("%v, %v; want the two keys of ours", now, err)
		}
		if a, b := now[0], now[1]; string(a.Key) != "/ours/a" || string(a.Value) != "two" || a.ModRevision != last ||
			string(b.Value) != "three" || b.ModRevision != newest || b.Version != 2 {
			t.Errorf("%+v, %+v", a, b)
		}
		if want := newest + 2; revision != want { // a put and a delete of others'
			t.Errorf("the state of revision %d, want %d", revision, want)
		}
	})
}
