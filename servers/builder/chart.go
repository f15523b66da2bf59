package builder

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/apiserver"
	"github.com/skewsim/skewsim/servers/crd"
	"github.com/skewsim/skewsim/servers/fault"
	"github.com/skewsim/skewsim/servers/process"
)

const (
	// chartFile is the file that makes a folder a Helm chart.
	chartFile = "Chart.yaml"
	// renderedWithin bounds the time of helm.
	renderedWithin = time.Minute
	// maxRendered bounds what helm prints.
	maxRendered = 16 << 20
	// maxSaid bounds what is kept of helm's errors.
	maxSaid = 64 << 10
)

// charts renders Helm charts, each once.
type charts struct {
	fromFiles bool // those that scenario files name too

	mu       sync.Mutex
	rendered map[string]rendering // by folder
}

// rendering is what helm printed, or why it printed nothing.
type rendering struct {
	text []byte
	err  error
}

// ChartError reports a Helm chart that a scenario's file names, where such files may not choose what is executed.
type ChartError struct{ name string }

// Error implements error.
func (e *ChartError) Error() string { return e.option().Error() }

// Unwrap returns the text with the names of options.
func (e *ChartError) Unwrap() error { return e.option() }

func (e *ChartError) option() error {
	return fault.Optionf("%s: is a Helm chart, and the scenario's file names it: helm is not executed on it; name it on the command line ({pair}), allow it with {allow-programs} if you trust the file, or name the folder of what helm template %s --include-crds prints", e.name, e.name)
}

// isNamedByFile reports whether a scenario's file, and nobody else, names manifests.
func isNamedByFile(ref servers.Reference) bool {
	return ref.Manifests.Within != "" && !strings.HasPrefix(ref.Manifests.Within, servers.WithinCatalogue)
}

// NamesChart reports whether a scenario's file, and nobody else, names manifests that are a Helm chart.
func NamesChart(ctx context.Context, ref servers.Reference) bool {
	if ref.Scheme != servers.SchemeManifests || !isNamedByFile(ref) {
		return false
	}
	root := ref.Manifests.Within
	if ref.Module != "" {
		var err error
		if root, err = fetchModule(ctx, ref, nil); err != nil {
			return false // reading it reports the error
		}
	}
	info, err := os.Stat(filepath.Join(root, ref.Path, chartFile))
	return err == nil && info.Mode().IsRegular()
}

// readDir reads the manifests of a folder, which is open, and whose path is dir. A Helm chart is rendered first.
func (f Files) readDir(ctx context.Context, ref servers.Reference, name, dir string, folder fs.FS) (crd.Set, error) {
	if info, err := fs.Stat(folder, chartFile); err != nil || !info.Mode().IsRegular() {
		return crd.Read(name, folder)
	}
	if isNamedByFile(ref) {
		if f.charts == nil || !f.charts.fromFiles {
			return crd.Set{}, &ChartError{name}
		}
		if err := checkLinks(dir); err != nil {
			return crd.Set{}, crd.Problem{File: name, Text: "is a Helm chart: " + err.Error()}
		}
	}
	text, err := f.charts.render(ctx, dir)
	switch {
	case ctx.Err() != nil:
		return crd.Set{}, context.Cause(ctx)
	case err != nil:
		return crd.Set{}, crd.Problem{File: name, Text: "is a Helm chart: " + err.Error()}
	}
	set, err := crd.ReadText("what helm template "+name+" --include-crds prints", text)
	set.Rendered = true
	return set, err
}

// checkLinks refuses symbolic links that lead out of a folder.
func checkLinks(dir string) error {
	root, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return err
	}
	return filepath.WalkDir(root, func(at string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Type()&fs.ModeSymlink == 0 {
			return err
		}
		name, _ := filepath.Rel(root, at)
		to, err := filepath.EvalSymlinks(at)
		if err != nil {
			return fmt.Errorf("%s: a symbolic link to nothing: remove it", name)
		}
		if below, err := filepath.Rel(root, to); err != nil || !filepath.IsLocal(below) {
			return fmt.Errorf("%s: a symbolic link that leads out of the chart: copy what it leads to into the chart", name)
		}
		return nil
	})
}

// render returns what helm prints for a chart, whose folder is dir. Helm is executed once for each folder, unless
// somebody interrupts it; always without charts.
func (c *charts) render(ctx context.Context, dir string) ([]byte, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, err
	}
	if c == nil {
		return renderChart(ctx, dir)
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if known, is := c.rendered[dir]; is {
		return known.text, known.err
	}
	text, err := renderChart(ctx, dir)
	if ctx.Err() == nil {
		c.rendered = with(c.rendered, dir, rendering{text, err})
	}
	return text, err
}

// renderChart has the user's helm render a chart with its own values, the definitions in crds among it. Helm asks no
// cluster, and has neither the user's configuration nor plug-ins.
func renderChart(ctx context.Context, dir string) ([]byte, error) {
	helm, err := exec.LookPath("helm")
	if err != nil {
		return nil, errors.New("helm is not in PATH: install it, or render the chart elsewhere (helm template CHART --include-crds > FOLDER/all.yaml) and name that folder")
	}
	home, err := os.MkdirTemp("", "skewsim-chart-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(home)
	limited, cancel := context.WithTimeout(ctx, renderedWithin)
	defer cancel()
	command := exec.CommandContext(limited, helm, "template", "skewsim", dir, "--include-crds", "--no-hooks")
	command.Env = append(process.Environ(), "KUBECONFIG="+filepath.Join(home, "kubeconfig"),
		"HELM_PLUGINS="+home, "HELM_CACHE_HOME="+home, "HELM_CONFIG_HOME="+home, "HELM_DATA_HOME="+home)
	command.WaitDelay = time.Second
	out, said := &limitedBuffer{limit: maxRendered, stop: cancel}, &limitedBuffer{limit: maxSaid}
	command.Stdout, command.Stderr = out, said
	err = command.Run()
	switch why := reason(said.kept.String()); {
	case out.isFull:
		return nil, fmt.Errorf("helm template prints more than %d MiB: name the folder of the definitions alone, such as crds", maxRendered>>20)
	case err == nil:
		return out.kept.Bytes(), nil
	case limited.Err() != nil:
		return nil, fmt.Errorf("helm template: no answer within %s", renderedWithin)
	case why == "":
		return nil, fmt.Errorf("helm template: %w", err)
	default:
		return nil, fmt.Errorf("helm template: %w: %s", err, why)
	}
}

// reason returns the last line of helm's errors that says so, for warnings come first; else the first line.
func reason(said string) string {
	lines := strings.Split(said, "\n")
	for i := len(lines) - 1; i >= 0; i-- {
		if strings.HasPrefix(lines[i], "Error:") {
			return strings.TrimSpace(lines[i])
		}
	}
	return apiserver.FirstLine(said)
}

// limitedBuffer keeps what is written up to a limit, and then calls stop, if that is not nil.
type limitedBuffer struct {
	kept   bytes.Buffer // not embedded: its ReadFrom knows no limit
	limit  int
	isFull bool
	stop   func()
}

// Write implements io.Writer.
func (b *limitedBuffer) Write(text []byte) (int, error) {
	left := text[:min(len(text), b.limit-b.kept.Len())]
	b.kept.Write(left)
	if len(left) < len(text) && !b.isFull {
		b.isFull = true
		if b.stop != nil {
			b.stop()
		}
	}
	return len(text), nil
}
