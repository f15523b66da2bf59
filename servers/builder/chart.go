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
	"time"

	"github.com/skewsim/skewsim/servers/apiserver"
	"github.com/skewsim/skewsim/servers/crd"
	"github.com/skewsim/skewsim/servers/process"
)

const (
	// chartFile is the file that makes a folder a Helm chart.
	chartFile = "Chart.yaml"
	// renderedFile is the name that the rendered chart has in problems.
	renderedFile = "helm-template.yaml"
	// renderedWithin bounds the time of helm.
	renderedWithin = time.Minute
)

// readDir reads the manifests of a folder, which is open, and whose path is dir. A Helm chart is rendered first.
func readDir(ctx context.Context, name, dir string, folder fs.FS) (crd.Set, error) {
	if info, err := fs.Stat(folder, chartFile); err != nil || !info.Mode().IsRegular() {
		return crd.Read(name, folder)
	}
	rendered, err := os.MkdirTemp("", "skewsim-chart-")
	if err != nil {
		return crd.Set{}, err
	}
	defer os.RemoveAll(rendered)
	text, err := renderChart(ctx, dir, rendered)
	if err != nil {
		return crd.Set{}, crd.Problem{File: name, Text: "is a Helm chart: " + err.Error()}
	}
	if err := os.WriteFile(filepath.Join(rendered, renderedFile), text, 0o600); err != nil {
		return crd.Set{}, err
	}
	set, err := crd.Read(name, os.DirFS(rendered))
	set.Rendered = true
	return set, err
}

// renderChart has the user's helm render a chart with its own values, the definitions in crds among it. Helm asks no
// cluster, has none of the user's plug-ins, and its caches are in the directory home.
func renderChart(ctx context.Context, dir, home string) ([]byte, error) {
	helm, err := exec.LookPath("helm")
	if err != nil {
		return nil, errors.New("helm is not in PATH: install it, or render the chart elsewhere (helm template CHART --include-crds > FOLDER/all.yaml) and name that folder")
	}
	ctx, cancel := context.WithTimeout(ctx, renderedWithin)
	defer cancel()
	command := exec.CommandContext(ctx, helm, "template", "skewsim", dir, "--include-crds", "--no-hooks")
	command.Env = append(process.Environ(), "HELM_PLUGINS="+home, "HELM_CACHE_HOME="+home, "HELM_CONFIG_HOME="+home, "HELM_DATA_HOME="+home)
	command.WaitDelay = time.Second
	var out, said bytes.Buffer
	command.Stdout, command.Stderr = &out, &said
	if err := command.Run(); err != nil {
		if ctx.Err() != nil {
			err = fmt.Errorf("no answer within %s", renderedWithin)
		}
		return nil, fmt.Errorf("helm template: %w: %s", err, apiserver.FirstLine(said.String()))
	}
	return out.Bytes(), nil
}
