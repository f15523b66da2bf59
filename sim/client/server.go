package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strconv"
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
	// Verbs are what the server does with it, in the API's own words: update is
	// PUT. Empty when the server does not say.
	Verbs []string
	// StorageVersionHash identifies the version that the server stores the kind in. Empty if
	// the server does not publish it.
	StorageVersionHash string
}

// Version is the server's gitVersion, as /version tells it.
func Version(ctx context.Context, c *Connection) (string, error) {
	var info version.Info
	a := c.get(ctx, "/version")
	if err := a.decode(&info); err != nil {
		return "", err
	}
	if !plain.MatchString(info.GitVersion) {
		return "", a.isNo("version: its gitVersion is " + shortened(strconv.Quote(info.GitVersion), maxExcerpt))
	}
	return info.GitVersion, nil
}

// plain is what may stand in a version, and in the name of a kind: both become
// part of paths and of reports.
var plain = regexp.MustCompile(`^[A-Za-z0-9][-+._~A-Za-z0-9]{0,252}$`)

// Listed is one kind that a server serves, with its other names.
type Listed struct {
	Discovered
	// ShortNames and Categories are other names of the kind in commands.
	ShortNames, Categories []string
}

// Discover lists the kinds of a group version. A group version that is not
// served has none.
func Discover(ctx context.Context, c *Connection, groupVersion string) ([]Discovered, error) {
	list, err := listKinds(ctx, c, groupVersion)
	return discovered(groupVersion, list), err
}

// List lists the kinds of a group version with their other names, as Discover does.
func List(ctx context.Context, c *Connection, groupVersion string) (all []Listed, err error) {
	list, err := listKinds(ctx, c, groupVersion)
	for _, d := range discovered(groupVersion, list) {
		i := slices.IndexFunc(list, func(r metav1.APIResource) bool { return r.Name == d.Plural })
		all = append(all, Listed{d, list[i].ShortNames, list[i].Categories})
	}
	return all, err
}

// listKinds returns what discovery lists of a group version: kinds and their subresources.
func listKinds(ctx context.Context, c *Connection, groupVersion string) ([]metav1.APIResource, error) {
	var list metav1.APIResourceList
	a := c.get(ctx, root(groupVersion))
	if a.Code == http.StatusNotFound {
		return nil, nil
	}
	if err := a.decode(&list); err != nil {
		return nil, err
	}
	if list.Kind != "APIResourceList" && (list.Kind != "" || list.APIResources == nil) {
		return nil, a.isNo("list of kinds")
	}
	for _, r := range list.APIResources {
		plural, _, _ := strings.Cut(r.Name, "/")
		if !plain.MatchString(plural) || !plain.MatchString(r.Kind) {
			return nil, a.isNo(fmt.Sprintf("list of kinds: it has one that is named %s, %s",
				shortened(strconv.Quote(r.Name), maxExcerpt), shortened(strconv.Quote(r.Kind), maxExcerpt)))
		}
	}
	return list.APIResources, nil
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
			Verbs: r.Verbs, StorageVersionHash: r.StorageVersionHash,
		})
	}
	return all
}

// OpenAPI is the OpenAPI v3 document of a group version, nil when the server
// publishes none.
func OpenAPI(ctx context.Context, c *Connection, groupVersion string) (json.RawMessage, error) {
	a := c.get(ctx, "/openapi/v3"+root(groupVersion))
	// The apiserver library itself says of a version it does not publish nothing
	// at all, with success; only kube-apiserver's aggregator says 404.
	if a.Code == http.StatusNotFound || a.Succeeded() && len(a.Body) == 0 {
		return nil, nil
	}
	var document json.RawMessage
	if err := a.decode(&document); err != nil {
		return nil, err
	}
	if len(document) == 0 || document[0] != '{' {
		return nil, a.isNo("OpenAPI document")
	}
	return document, nil
}

func root(groupVersion string) string {
	if strings.Contains(groupVersion, "/") {
		return "/apis/" + groupVersion
	}
	return "/api/" + groupVersion
}

// told is an answer with its place, which errors name.
type told struct {
	Answer
	at string
}

func (c *Connection) get(ctx context.Context, path string) told {
	return told{c.Do(ctx, Request{Method: http.MethodGet, Path: path}), c.base + path}
}

func (t told) decode(into any) error {
	if !t.Succeeded() {
		return t.unexpected()
	}
	if err := json.Unmarshal(t.Body, into); err != nil {
		return t.isNo("JSON of the form that belongs there: " + err.Error())
	}
	return nil
}

// maxExcerpt is how much of an answer an error shows.
const maxExcerpt = 80

// isNo is the error for an answer that is a success, and is not what was asked for.
func (t told) isNo(what string) error {
	return fmt.Errorf("GET %s: answered %d with what is no %s; %s", t.at, t.Code, what, t.excerpt())
}

func (t told) excerpt() string {
	if len(t.Body) == 0 {
		return "it is empty"
	}
	return fmt.Sprintf("it begins %q", t.Body[:min(len(t.Body), maxExcerpt)])
}

func (t told) unexpected() error {
	var sent *url.Error // names the place a second time
	switch {
	case errors.As(t.Err, &sent):
		return fmt.Errorf("GET %s: %w", t.at, sent.Err)
	case t.Err != nil:
		return fmt.Errorf("GET %s: %w", t.at, t.Err)
	case t.Status != nil:
		return fmt.Errorf("GET %s: answered %d: %s", t.at, t.Code, shortened(t.Status.Message, maxStatusShown))
	}
	return fmt.Errorf("GET %s: answered %d; %s", t.at, t.Code, t.excerpt())
}

// maxStatusShown is how much of a server's own words an error shows.
const maxStatusShown = 2000
