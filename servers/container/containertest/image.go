package containertest

import (
	"archive/tar"
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/containerd/platforms"
	"github.com/moby/moby/client"

	"github.com/skewsim/skewsim/scenarios/tiers"
)

// Layout is the content of an image.
type Layout struct {
	// Files maps paths in the image to executables of this machine.
	Files      map[string]string
	Entrypoint []string
	// Path is its PATH. Default: the engine's.
	Path string
	// Platform is the declared platform. Default: this machine's.
	Platform string
}

// Client connects to the Docker engine. It skips a test whose tier is not selected, and
// fails one whose tier is selected if no engine answers. The name of the test says which
// tier that is (see tiers.NeedAny).
func Client(t testing.TB) client.APIClient {
	t.Helper()
	tiers.NeedAny(t)
	api, err := client.New(client.FromEnv)
	if err == nil {
		_, err = api.Ping(t.Context(), client.PingOptions{})
	}
	if err != nil {
		t.Fatalf("no Docker engine: %v", err)
	}
	t.Cleanup(func() { _ = api.Close() })
	return api
}

// Image builds an image and returns its name. The image is removed when the test ends.
func Image(t testing.TB, l Layout) string {
	t.Helper()
	api := Client(t)
	random := make([]byte, 8)
	rand.Read(random) // never fails, see its documentation
	name := "skewsim-test-" + hex.EncodeToString(random) + ":latest"
	read, write := io.Pipe()
	go func() { write.CloseWithError(l.pack(write)) }()
	built, err := api.ImageBuild(t.Context(), read, l.options(t, name))
	if err != nil {
		t.Fatal(err)
	}
	defer built.Body.Close()
	if err := told(built.Body); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if _, err := api.ImageRemove(context.WithoutCancel(t.Context()), name, client.ImageRemoveOptions{Force: true, PruneChildren: true}); err != nil {
			t.Error(err)
		}
	})
	return name
}

func (l Layout) options(t testing.TB, name string) client.ImageBuildOptions {
	t.Helper()
	o := client.ImageBuildOptions{Tags: []string{name}, Remove: true, ForceRemove: true}
	if l.Platform != "" {
		platform, err := platforms.Parse(l.Platform)
		if err != nil {
			t.Fatal(err)
		}
		o.Platforms = append(o.Platforms, platform)
		o.NoCache = true // the engine's cache ignores platforms
	}
	return o
}

// told returns the error in the engine's build output.
func told(body io.Reader) error {
	for lines := json.NewDecoder(body); ; {
		var line struct{ Error string }
		err := lines.Decode(&line)
		switch {
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		case line.Error != "":
			return errors.New(line.Error)
		}
	}
}

// pack writes the build context of the image.
func (l Layout) pack(w io.Writer) error {
	out := tar.NewWriter(w)
	text := "FROM scratch\n"
	for i, at := range slices.Sorted(maps.Keys(l.Files)) {
		name := fmt.Sprintf("file-%d", i)
		if err := add(out, name, l.Files[at]); err != nil {
			return err
		}
		text += fmt.Sprintf("COPY [%q, %q]\n", name, at)
	}
	if l.Path != "" {
		text += fmt.Sprintf("ENV PATH=%q\n", l.Path)
	}
	if l.Entrypoint != nil {
		words, err := json.Marshal(l.Entrypoint)
		if err != nil {
			return err
		}
		text += "ENTRYPOINT " + string(words) + "\n"
	}
	if err := out.WriteHeader(&tar.Header{Name: "Dockerfile", Mode: 0o600, Size: int64(len(text))}); err != nil {
		return err
	}
	_, err := io.WriteString(out, text)
	return errors.Join(err, out.Close())
}

func add(out *tar.Writer, name, path string) error {
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	info, err := file.Stat()
	if err != nil {
		return err
	}
	if err := out.WriteHeader(&tar.Header{Name: name, Mode: 0o755, Size: info.Size()}); err != nil {
		return err
	}
	_, err = io.Copy(out, file)
	return err
}

// Static builds a statically linked Go command and returns the path of its executable.
func Static(t testing.TB, pkg string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), filepath.Base(pkg))
	build := exec.CommandContext(t.Context(), "go", "build", "-ldflags=-s -w", "-o", path, pkg)
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("go build %s: %v\n%s", pkg, err, out)
	}
	return path
}

// Left returns the names of the containers with a label, running or not. The label
// "dev.skewsim.owner" selects all containers of skewsim.
func Left(t testing.TB, label string) (names []string) {
	t.Helper()
	all, err := Client(t).ContainerList(t.Context(), client.ContainerListOptions{All: true, Filters: make(client.Filters).Add("label", label)})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all.Items {
		names = append(names, strings.TrimPrefix(c.Names[0], "/"))
	}
	return names
}

// Runs returns the names of the runs whose containers a process owns, by their labels.
func Runs(t testing.TB, pid int) (runs []string) {
	t.Helper()
	all, err := Client(t).ContainerList(t.Context(), client.ContainerListOptions{All: true, Filters: make(client.Filters).Add("label", "dev.skewsim.owner")})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range all.Items {
		owner := strings.Fields(c.Labels["dev.skewsim.owner"])
		run := c.Labels["dev.skewsim.run"]
		if len(owner) == 4 && owner[2] == strconv.Itoa(pid) && !slices.Contains(runs, run) {
			runs = append(runs, run)
		}
	}
	return runs
}
