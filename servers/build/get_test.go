package build

import (
	"context"
	"crypto/sha256"
	"crypto/sha512"
	"encoding/hex"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var published = Program{Name: "kube-apiserver", Version: "v1.36.3", OS: "linux", Arch: "arm64"}

const path = "/release/v1.36.3/bin/linux/arm64/kube-apiserver"

// layout is a server with the layout of Kubernetes' release binaries.
type layout struct {
	mutex   sync.Mutex
	content string
	files   map[string]string // checksums by path
	tag     string
	cut     int           // bytes after which the first answers break off; 0: none does
	cuts    int           // how many answers do
	busy    int           // how many requests for a rest are answered 503
	pause   time.Duration // before the first byte of the program
	stall   bool          // the program never comes
	ranges  []string      // that were asked for
}

func (l *layout) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if r.URL.Path != path {
		if text, is := l.files[r.URL.Path]; is {
			fmt.Fprint(w, text)
			return
		}
		http.NotFound(w, r)
		return
	}
	l.ranges = append(l.ranges, r.Header.Get("Range"))
	time.Sleep(l.pause)
	if l.stall {
		w.WriteHeader(http.StatusOK)
		w.(http.Flusher).Flush()
		<-r.Context().Done()
		return
	}
	if l.tag != "" {
		w.Header().Set("ETag", l.tag)
	}
	if l.busy > 0 && r.Header.Get("Range") != "" {
		l.busy--
		http.Error(w, "busy", http.StatusServiceUnavailable)
		return
	}
	if l.cuts > 0 {
		l.cuts--
		begin := 0
		if of, is := strings.CutPrefix(r.Header.Get("Range"), "bytes="); is && r.Header.Get("If-Range") == l.tag {
			_, _ = fmt.Sscanf(of, "%d-", &begin)
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", begin, len(l.content)-1, len(l.content)))
			w.WriteHeader(http.StatusPartialContent)
		}
		fmt.Fprint(w, l.content[begin:begin+l.cut])
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler) // in the middle of the answer
	}
	http.ServeContent(w, r, "", time.Time{}, strings.NewReader(l.content))
}

func serve(t *testing.T, l *layout) *Mirror {
	t.Helper()
	l.content = strings.Repeat("0123456789abcdef", 8<<10)
	if l.files == nil {
		l.files = map[string]string{path + ".sha512": sha512Of(l.content) + "\n"}
	}
	s := httptest.NewServer(l)
	t.Cleanup(s.Close)
	m, err := NewMirror(s.URL + "/")
	require.NoError(t, err)
	return m
}

func sha512Of(s string) string { sum := sha512.Sum512([]byte(s)); return hex.EncodeToString(sum[:]) }
func sha256Of(s string) string { sum := sha256.Sum256([]byte(s)); return hex.EncodeToString(sum[:]) }

// get returns the error of a download, and compares what came with what is published.
func get(t *testing.T, m *Mirror, l *layout) error {
	t.Helper()
	file := filepath.Join(t.TempDir(), "to")
	require.NoError(t, os.WriteFile(file, []byte("left of another"), 0o600))
	from, err := m.Get(t.Context(), published, file, nil)
	if err != nil {
		return err
	}
	assert.Equal(t, m.base.String()+path, from)
	got, err := os.ReadFile(file)
	require.NoError(t, err)
	assert.Equal(t, sha256Of(l.content), sha256Of(string(got)))
	return nil
}

func TestGet(t *testing.T) {
	content := strings.Repeat("0123456789abcdef", 8<<10)
	for name, c := range map[string]struct {
		layout *layout
		ranges int // requests for the program
	}{
		"whole":                 {&layout{}, 1},
		"slow":                  {&layout{pause: 50 * time.Millisecond}, 1},
		"SHA-256 alone":         {&layout{files: map[string]string{path + ".sha256": sha256Of(content)}}, 1},
		"sum with a file name":  {&layout{files: map[string]string{path + ".sha512": sha512Of(content) + "  kube-apiserver\n"}}, 1},
		"cut off, resumed":      {&layout{cut: 100, cuts: 2, tag: `"a"`}, 3},
		"cut off, then busy":    {&layout{cut: 100, cuts: 1, busy: 2, tag: `"a"`}, 4},
		"cut off, restarted":    {&layout{cut: 100, cuts: 1}, 2},
		"cut off, not the same": {&layout{cut: 100, cuts: 1, tag: `W/"a"`}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			l := c.layout
			assert.NoError(t, get(t, serve(t, l), l))
			assert.Len(t, l.ranges, c.ranges)
			assert.Equal(t, c.layout.tag == `"a"`, len(l.ranges) > 1 && l.ranges[1] == "bytes=100-", l.ranges)
		})
	}
}

func TestGetRefuses(t *testing.T) {
	published, damaged := (*NotPublishedError)(nil), (*ChecksumError)(nil)
	for name, c := range map[string]struct {
		layout *layout
		is     any
		says   string
	}{
		"wrong checksum":    {&layout{files: map[string]string{path + ".sha512": sha512Of("other")}}, &damaged, "damaged"},
		"no checksum":       {&layout{files: map[string]string{}}, &published, "not published"},
		"text for checksum": {&layout{files: map[string]string{path + ".sha512": "<html>"}}, nil, "is no checksum"},
		"always cut off":    {&layout{cut: 0, cuts: 99, tag: `"a"`}, nil, "broke off"},
		"stalled":           {&layout{stall: true}, nil, "no byte for"},
	} {
		t.Run(name, func(t *testing.T) {
			l := c.layout
			m := serve(t, l)
			m.stalled = 30 * time.Millisecond
			err := get(t, m, l)
			require.ErrorContains(t, err, c.says)
			if c.is != nil {
				assert.ErrorAs(t, err, c.is)
			}
			assert.NotErrorAs(t, err, new(*UnreachableError))
		})
	}
}

// TestRedirects: a redirect to another host of the same scheme is followed, as dl.k8s.io's is; one
// to another scheme is refused.
func TestRedirects(t *testing.T) {
	l := &layout{}
	target := serve(t, l)
	for to, refused := range map[string]bool{target.base.String(): false, "https://127.0.0.1:1": true} {
		s := httptest.NewServer(http.RedirectHandler(to, http.StatusFound))
		defer s.Close()
		s.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, to+r.URL.Path, http.StatusFound)
		})
		m, err := NewMirror(s.URL)
		require.NoError(t, err)
		_, err = m.Get(t.Context(), published, filepath.Join(t.TempDir(), "to"), nil)
		assert.Equal(t, refused, err != nil && strings.Contains(err.Error(), "refused"), "%s: %v", to, err)
	}
}

// TestUnreachable: without the network a download is given up within two seconds, and once for
// all. A caller that gives up does not mean that the network is missing.
func TestUnreachable(t *testing.T) {
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	m, err := NewMirror(gone.URL)
	require.NoError(t, err)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = m.Get(ended, published, filepath.Join(t.TempDir(), "to"), nil)
	assert.ErrorIs(t, err, context.Canceled)
	for _, known := range []bool{false, true} {
		_, err = m.Get(t.Context(), published, filepath.Join(t.TempDir(), "to"), nil)
		var unreachable *UnreachableError
		require.ErrorAs(t, err, &unreachable)
		assert.Equal(t, known, unreachable.Known)
	}

	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }))
	defer silent.Close()
	m, err = NewMirror(silent.URL)
	require.NoError(t, err)
	assert.LessOrEqual(t, m.answerWithin, 2*time.Second)
	m.answerWithin = 20 * time.Millisecond
	_, err = m.Get(t.Context(), published, filepath.Join(t.TempDir(), "to"), nil)
	assert.True(t, errors.As(err, new(*UnreachableError)), "%v", err)
}

func TestFromEnvironment(t *testing.T) {
	for value, want := range map[string]string{"": DefaultMirror, Off: "", "http://127.0.0.1:1/k8s/": "http://127.0.0.1:1/k8s"} {
		t.Setenv(MirrorVariable, value)
		m, err := MirrorFromEnvironment()
		require.NoError(t, err)
		if want == "" {
			assert.Nil(t, m)
			continue
		}
		assert.Equal(t, want, m.base.String())
		again, err := MirrorFromEnvironment()
		require.NoError(t, err)
		assert.Same(t, m, again)
	}
	for _, wrong := range []string{"ftp://x", "dl.k8s.io", "https://"} {
		t.Setenv(MirrorVariable, wrong)
		_, err := MirrorFromEnvironment()
		assert.ErrorContains(t, err, MirrorVariable)
	}
}
