package apiserver_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/spf13/pflag"
	"github.com/stretchr/testify/require"
	clientv3 "go.etcd.io/etcd/client/v3"
	"k8s.io/apimachinery/pkg/util/validation/field"

	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/servers/etcd"
	"github.com/skewsim/skewsim/servers/frobber/api"
	"github.com/skewsim/skewsim/servers/frobber/apiserver"
	"github.com/skewsim/skewsim/servers/frobber/release"
	"github.com/skewsim/skewsim/servers/frobber/train"
)

// asServer makes the test's own binary the server under test: gates are the
// process's, so servers of different releases cannot share one.
const asServer = "FROBBER_APISERVER_TEST_RELEASE"

func TestMain(m *testing.M) {
	if name := os.Getenv(asServer); name != "" {
		if err := serve(name, os.Args[1:]); err != nil {
			fmt.Fprintln(os.Stderr, "error:", err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func serve(name string, args []string) error {
	name, chatty := strings.CutSuffix(name, " chatty")
	r, err := train.Find(name)
	if err != nil {
		return err
	}
	if chatty {
		r.Rules = append(r.Rules, everyHook())
	}
	o, flags := apiserver.NewOptions(), pflag.NewFlagSet("server", pflag.ContinueOnError)
	o.AddFlags(flags)
	if err := flags.Parse(args); err != nil {
		return err
	}
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM)
	defer stop()
	return o.Run(ctx, r)
}

// everyHook is a rule that uses what the train's rules may not.
func everyHook() release.Rule {
	return release.Rule{
		PrepareForCreate: func(_ release.Gates, created *api.Frobber) { created.Spec.Param += "+" },
		PrepareForUpdate: func(_ release.Gates, updated, old *api.Frobber) { updated.Spec.Height = old.Spec.Height },
		ValidateUpdate: func(_ release.Gates, updated, old *api.Frobber) field.ErrorList {
			if updated.Spec.Param == old.Spec.Param {
				return nil
			}
			return field.ErrorList{field.Forbidden(field.NewPath("spec", "param"), "may not change")}
		},
		Warn: func(_ release.Gates, f *api.Frobber) []string {
			return []string{"spec.param: " + f.Spec.Param + " is out of fashion"}
		},
	}
}

// kernel is a store that servers are started on.
type kernel struct {
	store  *etcd.Server
	client *clientv3.Client
}

func newKernel(t *testing.T) *kernel {
	t.Helper()
	tiers.NeedAny(t)
	store, err := etcd.Start(t.Context(), etcd.Config{Dir: filepath.Join(t.TempDir(), "etcd")})
	require.NoError(t, err)
	client, err := store.Client()
	require.NoError(t, err)
	t.Cleanup(func() { _ = client.Close(); _ = store.Close() })
	return &kernel{store, client}
}

// stored gives what is in the store, by key.
func (k *kernel) stored(t *testing.T) map[string][]byte {
	t.Helper()
	r, err := k.client.Get(t.Context(), "", clientv3.WithPrefix())
	require.NoError(t, err)
	all := map[string][]byte{}
	for _, kv := range r.Kvs {
		all[string(kv.Key)] = kv.Value
	}
	return all
}

// server is a running one.
type server struct {
	t      *testing.T
	url    string
	client *http.Client
	cmd    *exec.Cmd
	log    *bytes.Buffer
}

func (k *kernel) flags(dir string, port int) []string {
	s := k.store.Store()
	return []string{
		"--etcd-servers=" + s.Endpoint, "--etcd-cafile=" + s.CAFile, "--etcd-certfile=" + s.CertFile, "--etcd-keyfile=" + s.KeyFile,
		"--etcd-compaction-interval=0", "--bind-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", port),
		"--tls-cert-file=" + s.CertFile, "--tls-private-key-file=" + s.KeyFile,
		"--token-auth-file=" + filepath.Join(dir, "tokens.csv"), "--permit-port-sharing=true",
	}
}

func command(t *testing.T, release string, flags ...string) *exec.Cmd {
	t.Helper()
	self, err := os.Executable()
	require.NoError(t, err)
	cmd := exec.Command(self, flags...)
	// The race detector would hold up each end by a second.
	cmd.Env = append(os.Environ(), asServer+"="+release, "GORACE=atexit_sleep_ms=0 halt_on_error=1")
	return cmd
}

// start runs a server of a release until the test ends, and waits for it.
func (k *kernel) start(t *testing.T, release string, flags ...string) *server {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "tokens.csv"), []byte("secret,admin,admin,system:masters\n"), 0o600))
	port := freePort(t)
	s := &server{t: t, url: fmt.Sprintf("https://127.0.0.1:%d", port), log: &bytes.Buffer{}}
	s.client = &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true}}
	s.cmd = command(t, release, append(k.flags(dir, port), flags...)...)
	s.cmd.Stderr = s.log
	require.NoError(t, s.cmd.Start())
	t.Cleanup(func() {
		_ = s.cmd.Process.Kill()
		_ = s.cmd.Wait()
		if t.Failed() {
			t.Logf("server %s:\n%s", release, s.log)
		}
	})
	require.Eventually(t, func() bool {
		a, err := s.try(http.MethodGet, "/readyz", "", nil)
		return err == nil && a.code == http.StatusOK
	}, 10*time.Second, 10*time.Millisecond, "the server is never ready")
	return s
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

// answer is what came back.
type answer struct {
	code   int
	header http.Header
	body   []byte
}

func (s *server) try(method, path, mediaType string, body []byte, headers ...string) (answer, error) {
	request, err := http.NewRequestWithContext(s.t.Context(), method, s.url+path, bytes.NewReader(body))
	if err != nil {
		return answer{}, err
	}
	request.Header.Set("Authorization", "Bearer secret")
	if mediaType != "" {
		request.Header.Set("Content-Type", mediaType)
	}
	for _, h := range headers {
		name, value, _ := strings.Cut(h, ": ")
		request.Header.Set(name, value)
	}
	response, err := s.client.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, text}, err
}

// do asks, with a body of JSON or of the media type among the headers.
func (s *server) do(method, path, body string, headers ...string) answer {
	s.t.Helper()
	mediaType := "application/json"
	a, err := s.try(method, path, mediaType, []byte(body), headers...)
	require.NoError(s.t, err)
	return a
}

// json is the answer's body, which must come with the code.
func (a answer) json(t *testing.T, code int) map[string]any {
	t.Helper()
	require.Equal(t, code, a.code, "%s", a.body)
	var o map[string]any
	require.NoError(t, json.Unmarshal(a.body, &o), "%s", a.body)
	return o
}

// v6 is the collection that tests write to, and v7 the same in another version.
const (
	v6 = "/apis/frobbing.example.com/v6/namespaces/default/frobbers"
	v7 = "/apis/frobbing.example.com/v7beta1/namespaces/default/frobbers"
)

// body is one Frobber of v6.
func body(name, spec string) string {
	return fmt.Sprintf(`{"apiVersion":"frobbing.example.com/v6","kind":"Frobber","metadata":{"name":%q},"spec":%s}`, name, spec)
}

// create makes a Frobber that a test is about.
func (s *server) create(name, spec string) map[string]any {
	s.t.Helper()
	return s.do("POST", v6, body(name, spec)).json(s.t, http.StatusCreated)
}

// patch sends a patch of a media type.
func (s *server) patch(path, mediaType, patch string) answer {
	s.t.Helper()
	return s.do("PATCH", path, patch, "Content-Type: "+mediaType)
}

// at follows members down to a value, nil when one of them is not there.
func at(o any, path ...string) any {
	for _, name := range path {
		members, ok := o.(map[string]any)
		if !ok {
			return nil
		}
		o = members[name]
	}
	return o
}
