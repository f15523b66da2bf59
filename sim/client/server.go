package client

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/version"
)

// Discovered is one kind that a server serves.
type Discovered struct {
	APIVersion   string
	Kind         string
	Plural       string
	Namespaced   bool
	Subresources []string
}

// Version is the server's gitVersion, as /version tells it.
func Version(ctx context.Context, c *Connection) (string, error) {
	var info version.Info
	if err := get(ctx, c, "/version", &info); err != nil {
		return "", err
	}
	return info.GitVersion, nil
}

// Discover lists the kinds of a group version. A group version that is not
// served has none.
func Discover(ctx context.Context, c *Connection, groupVersion string) ([]Discovered, error) {
	var list metav1.APIResourceList
	a := c.Do(ctx, Request{Method: http.MethodGet, Path: root(groupVersion)})
	if a.Code == http.StatusNotFound {
		return nil, nil
	}
	if err := decode(a, root(groupVersion), &list); err != nil {
		return nil, err
	}
	return discovered(groupVersion, list.APIResources), nil
}

// discovered folds subresources, which discovery lists beside the kinds, into
// the kinds they belong to.
func discovered(groupVersion string, list []metav1.APIResource) []Discovered {
	subresources := map[string][]string{}
	for _, r := range list {
		if parent, sub, found := strings.Cut(r.Name, "/"); found {
			subresources[parent] = append(subresources[parent], sub)
		}
	}
	var all []Discovered
	for _, r := range list {
		if strings.Contains(r.Name, "/") {
			continue
		}
		slices.Sort(subresources[r.Name])
		all = append(all, Discovered{
			APIVersion: groupVersion, Kind: r.Kind, Plural: r.Name, Namespaced: r.Namespaced, Subresources: subresources[r.Name],
		})
	}
	return all
}

// OpenAPI is the OpenAPI v3 document of a group version, nil when the server
// publishes none.
func OpenAPI(ctx context.Context, c *Connection, groupVersion string) (json.RawMessage, error) {
	at := "/openapi/v3" + root(groupVersion)
	a := c.Do(ctx, Request{Method: http.MethodGet, Path: at})
	if a.Code == http.StatusNotFound {
		return nil, nil
	}
	var document json.RawMessage
	err := decode(a, at, &document)
	return document, err
}

// FeatureGates is the state of every gate that the server reports, by the
// metric kubernetes_feature_enabled. Servers without it report none.
func FeatureGates(ctx context.Context, c *Connection) (map[string]bool, error) {
	a := c.Do(ctx, Request{Method: http.MethodGet, Path: "/metrics"})
	if !a.Succeeded() {
		return nil, unexpected(a, "/metrics")
	}
	gates := map[string]bool{}
	lines := bufio.NewScanner(bytes.NewReader(a.Body))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if name, on, ok := gate(lines.Text()); ok {
			gates[name] = on
		}
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("GET /metrics: %w", err)
	}
	return gates, nil
}

// gate reads a line such as kubernetes_feature_enabled{name="X",stage="ALPHA"} 1.
func gate(line string) (string, bool, bool) {
	rest, found := strings.CutPrefix(line, `kubernetes_feature_enabled{name="`)
	if !found {
		return "", false, false
	}
	name, rest, found := strings.Cut(rest, `"`)
	return name, strings.HasSuffix(rest, " 1"), found
}

func root(groupVersion string) string {
	if strings.Contains(groupVersion, "/") {
		return "/apis/" + groupVersion
	}
	return "/api/" + groupVersion
}

func get(ctx context.Context, c *Connection, path string, into any) error {
	return decode(c.Do(ctx, Request{Method: http.MethodGet, Path: path}), path, into)
}

func decode(a Answer, path string, into any) error {
	if !a.Succeeded() {
		return unexpected(a, path)
	}
	if err := json.Unmarshal(a.Body, into); err != nil {
		return fmt.Errorf("GET %s: %w", path, err)
	}
	return nil
}

func unexpected(a Answer, path string) error {
	switch {
	case a.Err != nil:
		return fmt.Errorf("GET %s: %w", path, a.Err)
	case a.Status != nil:
		return fmt.Errorf("GET %s: answered %d: %s", path, a.Code, a.Status.Message)
	}
	return fmt.Errorf("GET %s: answered %d", path, a.Code)
}
