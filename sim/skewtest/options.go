package skewtest

import (
	"errors"
	"fmt"
	"net/http"
	"os"
	"strings"
	"time"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/sim/engine"
	"github.com/skewsim/skewsim/sim/pairing"
)

// config is the options of Start.
type config struct {
	old, new string
	server   string
	aa       term.Role
	timeout  time.Duration
	retries  int
	dir      string
	webhook  http.Handler
	admits   []string // its paths that admit
	programs string   // the file that names the webhook; "": there is none
	errs     []error  // of the options' values
}

// Option is an option of Start.
type Option func(*config)

// Old names the build of the old release: "kube-apiserver@v1.36.3", "path:./kube-apiserver",
// "source:../kubernetes", "crd:manifests/v1", "frobber@1.0". It is required. Names of files are
// relative to the test's directory. "image:NAME" needs Main.
func Old(reference string) Option { return func(c *config) { c.old = reference } }

// New names the build of the new release, as Old does the old one. It is required.
func New(reference string) Option { return func(c *config) { c.new = reference } }

// Server names the kube-apiserver that the definitions of "crd:" releases are installed on, such as
// "kube-apiserver@v1.36.3", for all scenarios. The default is that of the scenario, and if it names none
// the newest that is built.
func Server(reference string) Option {
	return func(c *config) {
		c.server = reference
		c.require(reference != "", `Server(""): names no build: leave the option out for the newest that is built`)
	}
}

// AA makes each run an A/A run: the release of this role, "old" or "new", is both releases,
// and no finding is expected.
func AA(role string) Option {
	return func(c *config) {
		c.aa = term.Role(role)
		c.require(c.aa == term.Old || c.aa == term.New, "AA(%q): the role is %q or %q", role, term.Old, term.New)
	}
}

// Timeout limits each run, without builds. The default is 30 minutes. All runs also end half a
// minute before go test -timeout, which is 10 minutes for all tests of a package unless it is
// given, so that reports are written.
func Timeout(d time.Duration) Option {
	return func(c *config) {
		c.timeout = d
		c.require(d > 0, "Timeout(%s): must be positive", d)
	}
}

// Retries sets how often a run is repeated after an infrastructure failure, such as a port
// that was taken. The default is 1. A run that was judged is never repeated.
func Retries(n int) Option {
	return func(c *config) {
		c.retries = n
		c.require(n >= 0, "Retries(%d): must be 0 or more", n)
	}
}

// Dir sets the directory that keeps the run directories, DIR/TEST/SCENARIO, whether a test
// fails or not. By default the run directory of a failed test is kept in a temporary
// directory, and with go test -artifacts those of all tests are.
func Dir(path string) Option {
	return func(c *config) {
		c.dir = path
		c.require(path != "", `Dir(""): no directory: leave the option out for a temporary one`)
	}
}

// require adds an error unless the value of an option is right.
func (c *config) require(right bool, format string, args ...any) {
	if !right {
		c.errs = append(c.errs, fmt.Errorf(format, args...))
	}
}

// configOf returns the options of Start, or everything that is wrong with their values.
func configOf(options []Option) (config, error) {
	c := config{timeout: 30 * time.Minute, retries: 1}
	for i, option := range options {
		if option == nil {
			c.require(false, "option %d of Start is nil", i+1)
			continue
		}
		option(&c)
	}
	return c, errors.Join(c.errs...)
}

// errUnguarded is the error for images in a test binary that cannot remove containers.
var errUnguarded = errors.New("a container image needs skewtest.Main, which removes the container when the tests end: " +
	"add func TestMain(m *testing.M) { skewtest.Main(m) }, or name another build of the release")

// references returns the references of both releases, so that a wrong one, or a wrong pair,
// fails before any build.
func (c config) references() ([]servers.Reference, error) {
	old, errOld := reference("Old", c.old)
	new, errNew := reference("New", c.new)
	if err := errors.Join(errOld, errNew); err != nil {
		return nil, err
	}
	pair := pairing.Pair{Old: engine.ReleaseOf(old), New: engine.ReleaseOf(new)}
	if err := pair.Check(); err != nil {
		return nil, fmt.Errorf("Old(%q), New(%q): %w", c.old, c.new, err)
	}
	if err := engine.OnServer(c.server, &old, &new); err != nil {
		return nil, fmt.Errorf("Server(%q): %s", c.server, fault.Text(err, func(string) string { return "Server" }))
	}
	if err := engine.WithPrograms(c.programs, &old, &new); err != nil {
		return nil, fmt.Errorf("Webhook: %s", fault.Text(err, func(string) string { return "Webhook" }))
	}
	return []servers.Reference{old, new}, nil
}

func reference(option, text string) (servers.Reference, error) {
	if text == "" {
		return servers.Reference{}, fmt.Errorf("no %s release: pass skewtest.%s(reference) to Start", strings.ToLower(option), option)
	}
	ref, err := servers.ParseReference(text)
	switch {
	case err != nil:
		return ref, fmt.Errorf("%s: %w", option, err)
	case ref.Scheme == servers.SchemeImage && !shared.isMain:
		return ref, fmt.Errorf("%s: %w", ref, errUnguarded)
	}
	return ref, nil
}

// makeDir makes the directory of Dir, and reports whether runs can write into it.
func (c config) makeDir() error {
	if c.dir == "" {
		return nil
	}
	err := os.MkdirAll(c.dir, 0o755)
	if err == nil {
		var probe string
		if probe, err = os.MkdirTemp(c.dir, ".writable-"); err == nil {
			err = os.Remove(probe)
		}
	}
	if err != nil {
		return fmt.Errorf("Dir(%q): no run directories can be made there: %w", c.dir, err)
	}
	return nil
}
