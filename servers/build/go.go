package build

import (
	"bytes"
	"context"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"time"

	"github.com/skewsim/skewsim/servers/process"
)

// stopWithin is how long a go command may take to end when it is asked to.
const stopWithin = 5 * time.Second

// Go runs go commands in a build's module, as children that end with this process.
type Go struct {
	path     string
	dir      string
	env      []string
	progress Progress
}

// NewGo returns a Go for questions outside of a build. It runs in dir, and writes its temporary
// files there.
func NewGo(dir string) (*Go, error) { return newGo(dir, dir, silent{}) }

// newGo finds the go command. Temporary files go to tmp.
func newGo(dir, tmp string, p Progress) (*Go, error) {
	path, err := exec.LookPath("go")
	if err != nil {
		return nil, fmt.Errorf("the go command is needed, and not in PATH: %w; install Go from https://go.dev/dl, or use path:FILE with an executable built elsewhere", err)
	}
	return &Go{path: path, dir: dir, env: environ(tmp), progress: p}, nil
}

// environ returns the environment of a go command: the user's caches, proxies and credentials,
// and our build settings. GOTOOLCHAIN is the user's: by default Go downloads the toolchain that
// a module requires, and a user may have disabled that.
func environ(tmp string) []string {
	return append(surroundings(tmp), "GOWORK=off",
		// mod: the generated module has no go.sum. buildvcs: the module is not a checkout, even
		// if the cache is in one.
		"GOFLAGS=-mod=mod -buildvcs=false")
}

// surroundings returns the environment for all modules.
func surroundings(tmp string) []string {
	env := process.Environ("GOPATH", "GOMODCACHE", "GOCACHE", "GOENV", "GOTOOLCHAIN", "XDG_CACHE_HOME", "XDG_CONFIG_HOME",
		"GOPROXY", "GONOPROXY", "GOPRIVATE", "GOSUMDB", "GONOSUMDB", "GOINSECURE", "GOAUTH", "NETRC", "GOVCS",
		"HTTP_PROXY", "HTTPS_PROXY", "NO_PROXY", "http_proxy", "https_proxy", "no_proxy",
		"SSL_CERT_FILE", "SSL_CERT_DIR", "GOMAXPROCS", "GOMEMLIMIT")
	return append(env,
		// A static executable runs in an empty container, and does not depend on the C
		// compiler.
		"CGO_ENABLED=0",
		"GOOS="+runtime.GOOS, "GOARCH="+runtime.GOARCH,
		"GOTMPDIR="+tmp)
}

// Output runs a go command and returns its standard output, even if it fails, because some
// commands describe the failure there.
func (g *Go) Output(ctx context.Context, args ...string) (string, error) {
	var out bytes.Buffer
	err := g.start(ctx, process.Command{Args: args, Stdout: &out}, g.downloading)
	return out.String(), err
}

func (g *Go) run(ctx context.Context, line func(string), args ...string) error {
	return g.start(ctx, process.Command{Args: args, Stdout: new(bytes.Buffer)}, func(l string) {
		g.downloading(l)
		line(l)
	})
}

// downloading reports downloads, which take minutes the first time.
func (g *Go) downloading(line string) {
	if what, ok := strings.CutPrefix(line, "go: downloading "); ok {
		g.progress.Phase("downloading " + what)
	}
}

func (g *Go) start(ctx context.Context, c process.Command, line func(string)) error {
	complaint := &lines{each: line}
	c.Path, c.Dir, c.Env, c.Stderr = g.path, g.dir, g.env, complaint
	child, err := process.Start(c)
	if err != nil {
		return explainFile(err)
	}
	select {
	case <-child.Done():
	case <-ctx.Done():
		end, cancel := context.WithTimeout(context.Background(), stopWithin)
		defer cancel()
		_ = child.Stop(end) // it has ended either way
		return fmt.Errorf("go %s: %w", c.Args[0], context.Cause(ctx))
	}
	if child.Err() == nil {
		return nil
	}
	return explainGo(c.Args[0], complaint.last(), child.Status())
}

// lines calls each for every line written to it, and keeps the last ones.
type lines struct {
	each    func(string)
	partial []byte
	kept    []string
}

const (
	keptLines = 30       // of a go command's complaint
	lineBytes = 16 << 10 // maximum length of a line
)

func (l *lines) Write(b []byte) (int, error) {
	l.partial = append(l.partial, b...)
	for {
		i := bytes.IndexByte(l.partial, '\n')
		if i < 0 && len(l.partial) < lineBytes {
			return len(b), nil
		}
		if i < 0 {
			i = len(l.partial) - 1
		}
		l.take(string(l.partial[:i]))
		l.partial = l.partial[i+1:]
	}
}

func (l *lines) take(line string) {
	l.each(line)
	if isPackage(line) || strings.HasPrefix(line, "go: downloading ") {
		return // progress, no complaint
	}
	l.kept = append(l.kept, line)
	l.kept = l.kept[max(0, len(l.kept)-keptLines):]
}

func (l *lines) last() string {
	if len(l.partial) > 0 {
		l.take(string(l.partial))
		l.partial = nil
	}
	return strings.TrimSpace(strings.Join(l.kept, "\n"))
}
