package build

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	goversion "github.com/hashicorp/go-version"
)

const (
	// probeWithin bounds all probes together: a hint is not worth a wait.
	probeWithin = 3 * time.Second
	// probeMost bounds their number, out of respect for the proxy.
	probeMost = 12
	// hintMinors is how many other minors are named when there is nothing of
	// the one asked for.
	hintMinors = 3
)

// hint names releases that can be fetched: those of the requested minor, or else the newest of
// the nearest minors. It returns "" if nothing is known.
func (s Source) hint(ctx context.Context, tool *Go, version string) string {
	if tool == nil {
		var err error
		if tool, err = NewGo(os.TempDir()); err != nil {
			return ""
		}
	}
	all := s.known(ctx, tool)
	asked, ok := parseRelease(version)
	if !ok {
		return tell(release{}, all)
	}
	all = append(all, s.probe(ctx, proxyOf(ctx, tool), candidates(asked, all))...)
	// The release that was just refused is not a suggestion, even if it is listed.
	return tell(asked, slices.DeleteFunc(all, func(r release) bool { return r.String() == version }))
}

// tell formats the hint; release{} means no particular release.
func tell(asked release, all []release) string {
	var same []string
	for _, r := range sorted(all) {
		if r.minor == asked.minor {
			same = append(same, r.String())
		}
	}
	if len(same) > 0 {
		return fmt.Sprintf("; of 1.%d these can be fetched: %s", asked.minor, strings.Join(same, ", "))
	}
	near := newestOf(all, asked, hintMinors)
	switch {
	case len(near) == 0:
		return ""
	case asked == release{}:
		return "; such as " + strings.Join(near, ", ")
	default:
		return fmt.Sprintf("; nothing of 1.%d can be fetched; nearest: %s", asked.minor, strings.Join(near, ", "))
	}
}

// Patches returns the releases of a minor, v1.36, that the module proxy lists or that are in
// Go's module cache, newest first, without pre-releases. It does not check whether they can be
// built.
func (s Source) Patches(ctx context.Context, tool *Go, minor string) (all []string) {
	asked, ok := parseRelease(minor)
	if !ok {
		return nil
	}
	for _, r := range slices.Backward(sorted(s.known(ctx, tool))) {
		if r.minor == asked.minor {
			all = append(all, r.String())
		}
	}
	return all
}

// Missing returns an error that no release of a minor, v1.36, is listed, with those that are;
// or that the proxy does not answer.
func (s Source) Missing(ctx context.Context, tool *Go, minor string) error {
	if _, err := s.Newest(ctx, tool, 0); errors.Is(err, ErrOffline) {
		return err
	}
	asked, _ := parseRelease(minor)
	return fmt.Errorf("the module proxy lists none%s", tell(asked, s.known(ctx, tool)))
}

// release is a release of Kubernetes 1.x, without pre-releases. Patch -1 means a whole minor:
// "v1.36".
type release struct{ minor, patch int }

func (r release) String() string { return fmt.Sprintf("v1.%d.%d", r.minor, r.patch) }

// parseRelease parses what people write: v1.36.3, 1.36.3, v1.36.
func parseRelease(s string) (release, bool) {
	v, err := goversion.NewVersion(s)
	if err != nil || v.Segments()[0] != 1 {
		return release{}, false
	}
	r := release{minor: v.Segments()[1], patch: v.Segments()[2]}
	if strings.Count(v.Original(), ".") < 2 {
		r.patch = -1
	}
	return r, true
}

// known returns the releases that the proxy lists and those in the module cache. The proxy may
// serve more than it lists.
func (s Source) known(ctx context.Context, tool *Go) []release {
	listed, _ := tool.Output(ctx, "list", "-m", "-versions", s.Path) // a hint does without
	all := s.releases(strings.Fields(listed))
	cache, err := tool.Output(ctx, "env", "GOMODCACHE")
	if err != nil {
		return all
	}
	zips, _ := filepath.Glob(filepath.Join(strings.TrimSpace(cache), "cache", "download", filepath.FromSlash(s.Path), "@v", "*.zip"))
	for i, zip := range zips {
		zips[i] = strings.TrimSuffix(filepath.Base(zip), ".zip")
	}
	return append(all, s.releases(zips)...)
}

// releases returns the module's versions that are releases of Kubernetes: client-go has others
// as well, such as v11.0.0.
func (s Source) releases(versions []string) []release {
	var all []release
	for _, version := range versions {
		name, ok := s.release(version)
		if !ok {
			continue
		}
		if r, ok := parseRelease(name); ok {
			all = append(all, r)
		}
	}
	return all
}

// candidates returns the patch releases to ask the proxy for: those up to the requested one,
// newest first, and the next.
func candidates(asked release, known []release) []release {
	var c []release
	for patch := max(asked.patch, probeMost/2) + 1; patch >= 0 && len(c) < probeMost; patch-- {
		r := release{asked.minor, patch}
		if !slices.Contains(known, r) {
			c = append(c, r)
		}
	}
	return c
}

// proxyOf returns the first module proxy that the user's Go uses, or "" without a proxy.
func proxyOf(ctx context.Context, tool *Go) string {
	setting, _ := tool.Output(ctx, "env", "GOPROXY")
	for _, entry := range strings.FieldsFunc(strings.TrimSpace(setting), func(r rune) bool { return r == ',' || r == '|' }) {
		if u, err := url.Parse(entry); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
			return strings.TrimSuffix(entry, "/")
		}
	}
	return ""
}

// probe asks the proxy in parallel which releases it serves.
func (s Source) probe(ctx context.Context, proxy string, ask []release) []release {
	if proxy == "" {
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, probeWithin)
	defer cancel()
	var wg sync.WaitGroup
	there := make([]bool, len(ask))
	for i, r := range ask {
		wg.Go(func() { there[i] = served(ctx, proxy+"/"+s.Path+"/@v/"+s.Version(r.String())+".zip") })
	}
	wg.Wait()
	var found []release
	for i, r := range ask {
		if there[i] {
			found = append(found, r)
		}
	}
	return found
}

func served(ctx context.Context, address string) bool {
	request, err := http.NewRequestWithContext(ctx, http.MethodHead, address, nil)
	if err != nil {
		return false
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return false
	}
	response.Body.Close()
	return response.StatusCode == http.StatusOK
}

// newestOf returns the newest release of each of the n minors nearest to the requested one;
// release{} means the newest minors.
func newestOf(all []release, asked release, n int) []string {
	newest := map[int]release{}
	for _, r := range sorted(all) {
		newest[r.minor] = r
	}
	var minors []int
	for minor := range newest {
		minors = append(minors, minor)
	}
	slices.SortFunc(minors, func(a, b int) int {
		if asked == (release{}) {
			return cmp.Compare(b, a)
		}
		return cmp.Or(cmp.Compare(abs(a-asked.minor), abs(b-asked.minor)), cmp.Compare(b, a))
	})
	var names []string
	for _, minor := range minors[:min(n, len(minors))] {
		names = append(names, newest[minor].String())
	}
	return names
}

func sorted(all []release) []release {
	s := slices.Clone(all)
	slices.SortFunc(s, func(a, b release) int {
		return cmp.Or(cmp.Compare(a.minor, b.minor), cmp.Compare(a.patch, b.patch))
	})
	return slices.Compact(s)
}

func abs(n int) int { return max(n, -n) }
