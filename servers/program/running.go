package program

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/certs"
	"github.com/skewsim/skewsim/servers/process"
)

const (
	// readyWithin bounds the time to the first answer, on a machine that is busy.
	readyWithin = time.Minute
	// readyAlready is that of a program that runs already: it has nothing to start.
	readyAlready = 10 * time.Second
	// pollEvery is the pause between two questions to a program that is not ready.
	pollEvery = 25 * time.Millisecond
	// maxStarts is how often a program is started again that ended by itself.
	maxStarts = 20
	// logTail is how many lines of a log an error has.
	logTail = 5
)

// Placement says where a program runs.
type Placement struct {
	// Dir receives the program's certificate and its kubeconfig. It must not exist.
	Dir string
	// LogPath is the file that receives its output. It is appended to when the program is started
	// again.
	LogPath string
	// Server is the server that the kubeconfig is for.
	Server servers.Endpoint
	// Images runs the programs that are container images. Default: none can be run.
	Images Images
	// ReadyWithin bounds the time to the first answer. Default: a minute, and 10 seconds for a program that runs already.
	ReadyWithin time.Duration
	// Wrong is called with the user's error, a *servers.RequestError, when the program answers later that
	// nobody set it up. Default: it fails the review alone.
	Wrong func(error)
}

// Running is a program that was started. Its methods may be used concurrently.
type Running struct {
	program servers.Program
	at      Placement
	http    *http.Client
	url     string
	port    int

	mu       sync.Mutex
	child    Child // nil for a program that ran already
	starts   int
	logFrom  int64 // size of the log when the program was started first: what is before is of another program
	isKilled bool
}

// Start starts a program, and returns when it is ready. It leaves nothing if it fails. A program
// that does not become ready is the user's error, a *servers.RequestError with the end of the log.
func Start(ctx context.Context, p servers.Program, at Placement) (_ *Running, err error) {
	if at.ReadyWithin == 0 {
		if at.ReadyWithin = readyWithin; p.URL != "" {
			at.ReadyWithin = readyAlready
		}
	}
	r := &Running{program: p, at: at, url: p.URL}
	r.logFrom = r.logSize()
	roots := x509.NewCertPool()
	if p.URL != "" {
		if !roots.AppendCertsFromPEM(p.CA) {
			return nil, r.wrong(errors.New("caFile has no certificate in PEM"))
		}
	} else if roots, err = r.place(); err != nil {
		return nil, r.unstarted(fmt.Errorf("its certificate: %w", err))
	}
	r.http = &http.Client{
		Transport:     &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }, // nowhere else
	}
	if err := r.launch(ctx); err != nil {
		r.Kill()
		return nil, err
	}
	return r, nil
}

// place writes the files that a program needs, and returns the authority of its certificate.
func (r *Running) place() (*x509.CertPool, error) {
	authority, err := certs.New(r.at.Dir, "skewsim program")
	if err != nil {
		return nil, err
	}
	if _, err := authority.Issue("tls", certs.Server); err != nil { // as controller-runtime names them
		return nil, err
	}
	text, err := json.Marshal(r.at.Server.Kubeconfig())
	if err != nil {
		return nil, err
	}
	return authority.Pool(), os.WriteFile(r.kubeconfig(), text, 0o600)
}

func (r *Running) kubeconfig() string { return filepath.Join(r.at.Dir, "kubeconfig") }

// launch starts the process, unless the program runs already, and waits until it is ready.
func (r *Running) launch(ctx context.Context) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.isKilled {
		return fmt.Errorf("program %s: it was stopped with its release", r.program.Component)
	}
	if r.program.URL == "" {
		if err := r.execute(ctx); err != nil {
			return r.unstarted(err)
		}
	}
	err := r.awaitReady(ctx)
	if refused := (*servers.RequestError)(nil); errors.As(err, &refused) && r.child != nil {
		r.child.Kill() // a program that is refused must not go on running; the next call starts it again
	}
	return err
}

// execute starts the process at a free port.
func (r *Running) execute(ctx context.Context) (err error) {
	if r.port, err = freePort(); err != nil {
		return err
	}
	r.url = fmt.Sprintf("https://127.0.0.1:%d", r.port)
	fill := strings.NewReplacer(portVariable, strconv.Itoa(r.port), certDirVariable, r.at.Dir, servers.KubeconfigVariable, r.kubeconfig()).Replace
	var args, env []string
	for _, a := range r.program.Args {
		args = append(args, fill(a))
	}
	for _, v := range r.program.Env {
		env = append(env, fill(v))
	}
	r.starts++
	if r.program.Image != "" {
		child, err := r.startContainer(ctx, args, env)
		if err != nil {
			return err // the child that ended stays, and the next call starts the program again
		}
		r.child = child
		return nil
	}
	log, err := os.OpenFile(r.at.LogPath, os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("log: %w", err)
	}
	defer log.Close() // the child has its own
	child, err := process.Start(process.Command{
		Path: r.program.Path, File: r.program.File, Dir: r.program.Dir, Env: append(process.Environ(), env...), Args: args, Stdout: log, Stderr: log,
		EndsGroup: true,
	})
	if err != nil {
		return err // a nil child in the interface would not be nil
	}
	r.child = child
	return nil
}

// freePort returns a port of the loopback address that nothing listens on.
func freePort() (int, error) {
	l, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	return l.Addr().(*net.TCPAddr).Port, l.Close()
}

// awaitReady returns nil when the program is ready, and listens on loopback alone.
func (r *Running) awaitReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeoutCause(ctx, r.at.ReadyWithin, errLate)
	defer cancel()
	poll := time.NewTicker(pollEvery)
	defer poll.Stop()
	last := errors.New("it was not asked yet")
	for {
		select {
		case <-ended(r.child):
			return r.wrong(fmt.Errorf("it ended before it was ready: %s", r.child.Status()))
		case <-ctx.Done():
			if errors.Is(context.Cause(ctx), errLate) {
				return r.wrong(fmt.Errorf("not ready after %s: %w%s; %s", r.at.ReadyWithin, last, r.elsewhere(), r.readiness()))
			}
			return fmt.Errorf("program %s: start: %w", r.program.Component, context.Cause(ctx))
		case <-poll.C:
			err := r.isReady(ctx)
			if err == nil {
				return r.checkLoopback()
			}
			if ctx.Err() != nil {
				continue // last, the reason before the time was over, is more useful than the end of the time
			}
			last = err
			if answer := (*answerError)(nil); errors.As(last, &answer) {
				return r.wrong(last)
			}
		}
	}
}

// readiness says what a program must do to be ready.
func (r *Running) readiness() string {
	if r.program.URL != "" {
		return fmt.Sprintf("it must run at the url, %s, until the command has ended, with a certificate that the authority in caFile signed", r.program.URL)
	}
	return "it must listen on 127.0.0.1 at $(port) with the certificate in $(certDir)"
}

var errLate = errors.New("the time to become ready is over")

// ended returns a channel that is closed when a process has ended; it stays open for none.
func ended(child Child) <-chan struct{} {
	if child == nil {
		return nil
	}
	return child.Done()
}

// answerError is an answer that a program will not correct by itself.
type answerError struct{ error }

// isReady asks the program once.
func (r *Running) isReady(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	if r.program.Ready != "" {
		request, err := http.NewRequestWithContext(ctx, http.MethodGet, r.url+r.program.Ready, nil)
		if err != nil {
			return err
		}
		if code, _, err := r.do(request); err != nil || code != http.StatusOK {
			return errors.Join(err, fmt.Errorf("%s answered %d", r.program.Ready, code))
		}
	}
	if r.program.OnlyAdmits {
		return r.tryConnection(ctx)
	}
	return r.tryReview(ctx)
}

// tryConnection asks a program whose release converts nothing: any answer says that it serves.
func (r *Running) tryConnection(ctx context.Context) error {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, r.url, nil)
	if err == nil {
		_, _, err = r.do(request)
	}
	return err
}

// tryReview sends a review without objects: a program that does not answer it serves something else.
func (r *Running) tryReview(ctx context.Context) error {
	const uid = "skewsim-ready"
	review, err := json.Marshal(apiextensionsv1.ConversionReview{
		TypeMeta: metav1.TypeMeta{APIVersion: apiextensionsv1.SchemeGroupVersion.String(), Kind: "ConversionReview"},
		Request:  &apiextensionsv1.ConversionRequest{UID: uid, DesiredAPIVersion: "skewsim.dev/v1", Objects: []runtime.RawExtension{}}, // a list, as servers send it
	})
	if err != nil {
		return err
	}
	at := r.program.Converts + conversionQuery
	code, answer, err := r.post(ctx, at, review)
	if err != nil {
		return err
	}
	var said apiextensionsv1.ConversionReview
	broken := json.Unmarshal(answer, &said)
	switch {
	case code >= http.StatusInternalServerError:
		return fmt.Errorf("%s answered %d: %.200s", at, code, answer)
	case !isSuccess(code) || broken != nil || said.Response == nil:
		return &answerError{fmt.Errorf("%s answered a ConversionReview with %d: %.200s; converts names the path that converts, and servers add the query", at, code, answer)}
	case said.Response.UID != uid:
		return &answerError{fmt.Errorf("%s answered another review: uid %.100q instead of %q", at, said.Response.UID, uid)}
	}
	return nil
}

// checkLoopback refuses a program that other machines can reach.
func (r *Running) checkLoopback() error {
	if r.child == nil {
		return nil
	}
	at, is := process.ListensBeyondLoopback(r.child.PID(), r.port)
	if !is { // a child of it may, such as of sh or of an image's init
		at, is = process.ListensBeyondLoopback(0, r.port)
	}
	if is {
		return r.wrong(fmt.Errorf("it listens on %s, which other machines can reach: give it the flag with which it listens on 127.0.0.1", at))
	}
	return nil
}

// elsewhere says where a program listens that does not listen where it should; "": nowhere, or it does.
func (r *Running) elsewhere() string {
	if r.child == nil {
		return ""
	}
	var all []string
	for _, at := range process.Listens(r.child.PID()) {
		if int(at.Port()) == r.port {
			return ""
		}
		all = append(all, at.String())
	}
	if len(all) == 0 {
		return ""
	}
	return "; it listens on " + strings.Join(all, ", ")
}

// revive starts a program again that ended by itself, as a kubelet does.
func (r *Running) revive(ctx context.Context) error {
	r.mu.Lock()
	child, starts, isKilled := r.child, r.starts, r.isKilled
	r.mu.Unlock()
	select {
	case <-ended(child):
	default:
		return nil
	}
	switch {
	case isKilled:
		return errors.New("it was stopped with its release")
	case starts >= maxStarts:
		return fmt.Errorf("it ended by itself %d times: %s", starts, child.Status())
	}
	r.mu.Lock()
	again := r.child == child // nobody else did
	r.mu.Unlock()
	if !again {
		return nil
	}
	return r.launch(ctx)
}

func (r *Running) current() Child {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.child
}

// Kill ends the program and waits for it. Killing it again is no error.
func (r *Running) Kill() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.isKilled = true
	if r.child != nil {
		r.child.Kill()
	}
	if r.http != nil {
		r.http.CloseIdleConnections()
	}
}

// wrong returns an error of the user's, with the end of the log. After a restart that may have objects of the run, which
// an error must not show: it names the log then.
func (r *Running) wrong(err error) error {
	text := fmt.Sprintf("program %s: %v", r.program.Component, err)
	if r.starts > 1 {
		return &servers.RequestError{Err: errors.New(text + r.seeLog())}
	}
	if tail := r.tail(); len(tail) > 0 {
		text += "; its log ends with:\n" + strings.Join(tail, "\n")
	}
	return &servers.RequestError{Err: errors.New(text)}
}

// tail returns the last lines that the program wrote to its log, without those of a program before it.
func (r *Running) tail() []string {
	if r.program.URL != "" || r.logSize() <= r.logFrom {
		return nil
	}
	return process.TailFrom(r.at.LogPath, r.logFrom, logTail)
}

// seeLog names the log.
func (r *Running) seeLog() string {
	if r.at.LogPath == "" || r.program.URL != "" {
		return ""
	}
	return "; log: " + filepath.Base(r.at.LogPath)
}

func (r *Running) logSize() int64 {
	info, err := os.Stat(r.at.LogPath)
	if err != nil {
		return 0
	}
	return info.Size()
}

// maxStack bounds what is read of a log to find a panic.
const maxStack = 1 << 20

// panicSince describes the first panic in what the log received since it had that size; "": none.
func (r *Running) panicSince(from int64) string {
	f, err := os.Open(r.at.LogPath)
	if err != nil {
		return ""
	}
	defer f.Close()
	text, err := io.ReadAll(io.NewSectionReader(f, from, maxStack))
	if err != nil {
		return ""
	}
	p := panicIn(string(text))
	switch {
	case p == nil:
		return ""
	case p.Function == "":
		return "panicked: " + p.Value
	}
	return fmt.Sprintf("panicked: %s (%s, %s)", p.Value, p.Function, p.Line)
}
