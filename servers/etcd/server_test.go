package etcd_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	clientv3 "go.etcd.io/etcd/client/v3"

	"github.com/skewsim/skewsim/servers/etcd"
)

func start(t *testing.T) (*etcd.Server, *clientv3.Client) {
	t.Helper()
	began := time.Now()
	s, err := etcd.Start(t.Context(), etcd.Config{Dir: filepath.Join(t.TempDir(), "etcd")})
	if err != nil {
		t.Fatal(err)
	}
	t.Logf("ready after %s", time.Since(began).Round(time.Millisecond))
	t.Cleanup(func() {
		began := time.Now()
		if err := s.Close(); err != nil {
			t.Error(err)
		}
		t.Logf("closed after %s", time.Since(began).Round(time.Millisecond))
	})
	client, err := s.Client()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { client.Close() })
	return s, client
}

func put(t *testing.T, c *clientv3.Client, key, value string) int64 {
	t.Helper()
	r, err := c.Put(t.Context(), key, value)
	if err != nil {
		t.Error(err) // not Fatal: also called from other goroutines
		return 0
	}
	return r.Header.Revision
}

// journal is what a watch delivered.
type journal struct {
	mu     sync.Mutex
	events []etcd.Event
}

func (j *journal) add(e etcd.Event) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.events = append(j.events, e)
}

func (j *journal) all() []etcd.Event {
	j.mu.Lock()
	defer j.mu.Unlock()
	return append([]etcd.Event(nil), j.events...)
}

func watch(t *testing.T, s *etcd.Server) (*etcd.Watch, *journal) {
	t.Helper()
	j := &journal{}
	w, err := s.Watch(t.Context(), s.First(), j.add)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(w.Stop)
	return w, j
}

func settle(t *testing.T, w *etcd.Watch) {
	t.Helper()
	if err := w.Sync(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// All of 1000 concurrent writes arrive, in revision order and none twice, though
// the watch began among them, and they have arrived when Sync returns.
func TestWatchDeliversEverythingInOrder(t *testing.T) {
	both(t, func(t *testing.T, s *etcd.Server, client *clientv3.Client) {
		const writers, each = 20, 50
		write := func(from, to int) {
			var wg sync.WaitGroup
			for writer := range writers {
				wg.Go(func() {
					for i := from; i < to; i++ {
						put(t, client, fmt.Sprintf("/k/%d", writer), fmt.Sprint(i))
					}
				})
			}
			wg.Wait()
		}
		write(0, each/2)
		w, j := watch(t, s)
		write(each/2, each)
		settle(t, w)
		events, next := j.all(), map[string]int{}
		if len(events) != writers*each {
			t.Fatalf("delivered %d events of %d writes", len(events), writers*each)
		}
		for i, e := range events {
			key := string(e.Key)
			if e.ModRevision != s.First()+int64(i) || string(e.Value) != fmt.Sprint(next[key]) || e.Version != int64(next[key]+1) {
				t.Fatalf("event %d is %+v, want revision %d and the value %d", i, e, s.First()+int64(i), next[key])
			}
			next[key]++
		}
	})
}

func TestWatchSeesDeletesAndRecreations(t *testing.T) {
	both(t, func(t *testing.T, s *etcd.Server, client *clientv3.Client) {
		w, j := watch(t, s)
		put(t, client, "a", "1")
		if _, err := client.Delete(t.Context(), "a"); err != nil {
			t.Fatal(err)
		}
		put(t, client, "a", "2")
		settle(t, w)
		var got []string
		for _, e := range j.all() {
			got = append(got, fmt.Sprintf("%s=%s create=%d mod=%d version=%d deleted=%t", e.Key, e.Value, e.CreateRevision, e.ModRevision, e.Version, e.Deleted))
		}
		first := s.First()
		want := []string{
			fmt.Sprintf("a=1 create=%d mod=%d version=1 deleted=false", first, first),
			fmt.Sprintf("a= create=0 mod=%d version=0 deleted=true", first+1),
			fmt.Sprintf("a=2 create=%d mod=%d version=1 deleted=false", first+2, first+2),
		}
		if strings.Join(got, "\n") != strings.Join(want, "\n") {
			t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
	})
}

// Values near etcd's limit, several in one transaction, more than one message
// holds.
func TestWatchDeliversLargeValues(t *testing.T) {
	both(t, func(t *testing.T, s *etcd.Server, client *clientv3.Client) {
		large := bytes.Repeat([]byte{0xfe}, 1_400_000)
		for i := range 5 {
			put(t, client, fmt.Sprintf("large/%d", i), string(large))
		}
		w, j := watch(t, s)
		settle(t, w)
		events := j.all()
		if len(events) != 5 {
			t.Fatalf("delivered %d events of 5", len(events))
		}
		for _, e := range events {
			if !bytes.Equal(e.Value, large) {
				t.Errorf("%s: %d bytes that differ from the %d written", e.Key, len(e.Value), len(large))
			}
		}
	})
}

// A store that nobody has written to is at revision 1, and nothing is waited for.
func TestSyncOfAnEmptyStore(t *testing.T) {
	both(t, func(t *testing.T, s *etcd.Server, _ *clientv3.Client) {
		w, j := watch(t, s)
		settle(t, w)
		if events := j.all(); len(events) > 0 {
			t.Errorf("delivered %v of nothing", events)
		}
	})
}

func TestWatchThatBreaksSaysSo(t *testing.T) {
	t.Run("compacted", func(t *testing.T) {
		s, client := start(t)
		put(t, client, "a", "1")
		revision := put(t, client, "a", "2")
		if _, err := client.Compact(t.Context(), revision); err != nil {
			t.Fatal(err)
		}
		w, _ := watch(t, s)
		expect(t, w, fmt.Sprintf("store: watch: revisions before %d were compacted, so changes are missing: "+
			"etcdserver: mvcc: required revision has been compacted", revision))
	})
	t.Run("context", func(t *testing.T) {
		s, _ := start(t)
		ctx, cancel := context.WithCancelCause(t.Context())
		w, err := s.Watch(ctx, 1, func(etcd.Event) {})
		if err != nil {
			t.Fatal(err)
		}
		cancel(errors.New("interrupted"))
		expect(t, w, "store: watch: interrupted")
	})
	t.Run("store closed", func(t *testing.T) {
		s, _ := start(t)
		w, _ := watch(t, s)
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		expect(t, w, "store: watch: the store was closed")
	})
	t.Run("first revision", func(t *testing.T) {
		s, _ := start(t)
		_, err := s.Watch(t.Context(), 0, func(etcd.Event) {})
		if want := "store: watch: from revision 0: the first revision is 1"; err == nil || err.Error() != want {
			t.Errorf("Watch said %v, want %s", err, want)
		}
	})
}

func expect(t *testing.T, w *etcd.Watch, want string) {
	t.Helper()
	select {
	case <-w.Done():
	case <-time.After(10 * time.Second):
		t.Fatal("the watch still runs")
	}
	if err := w.Err(); err == nil || err.Error() != want {
		t.Errorf("Err said %v, want %s", err, want)
	}
	if err := w.Sync(t.Context()); err == nil || err.Error() != want {
		t.Errorf("Sync said %v, want %s", err, want)
	}
}

func TestStoppedWatch(t *testing.T) {
	both(t, func(t *testing.T, s *etcd.Server, client *clientv3.Client) {
		w, j := watch(t, s)
		put(t, client, "a", "1")
		settle(t, w)
		w.Stop()
		if err := w.Err(); err != nil {
			t.Errorf("after Stop: %v", err)
		}
		put(t, client, "a", "2")
		if err, want := w.Sync(t.Context()), "store: watch: stopped before everything stored was delivered"; err == nil || err.Error() != want {
			t.Errorf("Sync said %v, want %s", err, want)
		}
		if n := len(j.all()); n != 1 {
			t.Errorf("%d events, want 1", n)
		}
	})
}

// Nobody without a certificate of this store's authority gets an answer.
func TestStoreRefusesStrangers(t *testing.T) {
	s, _ := start(t)
	stranger := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}}}
	if r, err := stranger.Get(s.Store().Endpoint + "/version"); err == nil {
		r.Body.Close()
		t.Fatalf("a client without a certificate got %s", r.Status)
	}
	if !strings.HasPrefix(s.Store().Endpoint, "https://127.0.0.1:") {
		t.Errorf("endpoint is %s", s.Store().Endpoint)
	}
	cert, err := tls.LoadX509KeyPair(s.Store().CertFile, s.Store().KeyFile)
	if err != nil {
		t.Fatal(err)
	}
	known := &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true, Certificates: []tls.Certificate{cert}}}}
	r, err := known.Get(s.Store().Endpoint + "/version")
	if err != nil {
		t.Fatal(err)
	}
	defer r.Body.Close()
	if r.StatusCode != http.StatusOK {
		t.Errorf("a client with the certificate got %s", r.Status)
	}
}

func TestFileModes(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "etcd")
	s, err := etcd.Start(t.Context(), etcd.Config{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	seen := 0
	err = filepath.Walk(dir, func(path string, info os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		seen++
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %s", path, info.Mode())
		}
		return nil
	})
	if err != nil || seen < 10 {
		t.Errorf("saw %d files: %v", seen, err)
	}
}

func TestStartInUnusableDirectory(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, err := etcd.Start(t.Context(), etcd.Config{Dir: filepath.Join(file, "etcd")})
	want := "store: directory for secrets: mkdir " + file + ": not a directory"
	if err == nil || err.Error() != want {
		t.Errorf("Start said %v, want %s", err, want)
	}
}
