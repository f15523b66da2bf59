package aggregated

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/skewsim/skewsim/servers"
)

const (
	// registerWithin bounds the time from ready servers to clients that reach the one
	// through the other.
	registerWithin = 2 * time.Minute
	// againAfter is the pause between two questions.
	againAfter = 50 * time.Millisecond
	// namespace holds the Service that the APIServices name.
	namespace = "kube-system"
	services  = "/api/v1/namespaces/" + namespace + "/services"
	// apiServices is where kube-apiservers have what is served behind them.
	apiServices = "/apis/apiregistration.k8s.io/v1/apiservices"
)

// errNotServed is why a replica never became ready.
var errNotServed = errors.New("not reached through the kube-apiserver in time")

// registrar has a server's versions served by its kube-apiserver.
type registrar struct {
	server, core *caller
	service      string // its name
}

// register returns when clients reach through the kube-apiserver what the server serves.
func register(ctx context.Context, p *process, b servers.Build) error {
	ctx, cancel := context.WithTimeoutCause(ctx, registerWithin, errNotServed)
	defer cancel()
	ctx, end := context.WithCancelCause(ctx)
	defer end(nil)
	go func() {
		for _, one := range []servers.Process{p.server, p.core} {
			go func() {
				select {
				case <-one.Done():
					end(cmp.Or(one.Err(), errors.New("the server ended")))
				case <-ctx.Done():
				}
			}()
		}
	}()
	r := registrar{server: newCaller(p.server.Endpoint()), core: newCaller(p.core.Endpoint()), service: b.Component}
	defer r.server.close()
	defer r.core.close()
	versions, err := r.versions(ctx, b.Aggregated.APIServices)
	if err != nil {
		return err
	}
	for _, v := range versions {
		if err := r.await(ctx, v); err != nil {
			return err
		}
	}
	return nil
}

// version is one that the server serves.
type version struct {
	group, name string
	published   bool // has an OpenAPI document
}

// String is the name of its APIService.
func (v version) String() string { return v.name + "." + v.group }

// path is where it is served.
func (v version) path() string { return "/apis/" + v.group + "/" + v.name }

// versions are those that the server serves, as far as the adapter names them. A release
// may serve some of them alone.
func (r registrar) versions(ctx context.Context, named []string) (all []version, err error) {
	var list metav1.APIGroupList
	if err := r.server.get(ctx, "/apis", &list); err != nil {
		return nil, fmt.Errorf("what it serves: %w", err)
	}
	published, err := r.server.documents(ctx)
	if err != nil {
		return nil, fmt.Errorf("what it publishes: %w", err)
	}
	var served []string
	for _, group := range list.Groups {
		for _, gv := range group.Versions {
			v := version{group: group.Name, name: gv.Version}
			v.published = slices.Contains(published, strings.TrimPrefix(v.path(), "/"))
			served = append(served, v.String())
			if len(named) == 0 || slices.Contains(named, v.String()) {
				all = append(all, v)
			}
		}
	}
	if len(all) == 0 {
		return nil, &servers.RequestError{Err: fmt.Errorf("serves none of the adapter's apiServices (%s), but %s: correct them, or leave them out",
			cmp.Or(strings.Join(named, ", "), "all"), cmp.Or(strings.Join(served, ", "), "no group at all"))}
	}
	return all, nil
}

// await has a version served, and waits until it is.
func (r registrar) await(ctx context.Context, v version) error {
	for {
		why := r.missing(ctx, v)
		if why == nil {
			return nil
		}
		select {
		case <-ctx.Done():
			if cause := context.Cause(ctx); !errors.Is(cause, errNotServed) {
				return cause
			}
			return fmt.Errorf("APIService %q: %w: %w", v, errNotServed, why)
		case <-time.After(againAfter):
		}
	}
}

// missing is what keeps clients from reaching a version, nil for nothing. An APIService
// that is missing it makes, and says so.
func (r registrar) missing(ctx context.Context, v version) error {
	var s apiService
	switch err := r.core.get(ctx, apiServices+"/"+v.String(), &s); {
	case notFound(err):
		return r.create(ctx, v)
	case err != nil:
		return err
	}
	if why := s.unavailable(); why != "" {
		return errors.New(why)
	}
	var group metav1.APIGroup
	if err := r.core.get(ctx, "/apis/"+v.group, &group); err != nil {
		return err
	}
	if !slices.ContainsFunc(group.Versions, func(one metav1.GroupVersionForDiscovery) bool { return one.Version == v.name }) {
		return fmt.Errorf("/apis/%s does not list it", v.group)
	}
	if err := r.core.get(ctx, v.path(), &metav1.APIResourceList{}); err != nil || !v.published {
		return err
	}
	all, err := r.core.documents(ctx)
	if err == nil && !slices.Contains(all, strings.TrimPrefix(v.path(), "/")) {
		err = errors.New("/openapi/v3 does not list it")
	}
	return err
}

// create makes a version's APIService, and the Service that it names, which leads to
// whichever server the replica has: it is its kube-apiserver that decides.
func (r registrar) create(ctx context.Context, v version) error {
	const port = 443
	err := r.core.create(ctx, services, map[string]any{
		"apiVersion": "v1", "kind": "Service", "metadata": map[string]any{"name": r.service, "namespace": namespace},
		// No endpoints are looked for of such a one.
		"spec": map[string]any{"type": "ExternalName", "externalName": "localhost"},
	})
	if err != nil {
		return err
	}
	err = r.core.create(ctx, apiServices, map[string]any{
		"apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService", "metadata": map[string]any{"name": v.String()},
		"spec": map[string]any{
			"group": v.group, "version": v.name, "groupPriorityMinimum": 1000, "versionPriority": 15,
			"service": map[string]any{"namespace": namespace, "name": r.service, "port": port},
			// The way to the server never leaves this machine, and has one end.
			"insecureSkipTLSVerify": true,
		},
	})
	return cmp.Or(err, errors.New("it was made just now"))
}

// apiService is what a kube-apiserver says of one.
type apiService struct {
	Status struct {
		Conditions []struct{ Type, Status, Reason, Message string }
	}
}

// unavailable says why a kube-apiserver does not serve it; "": it does.
func (s apiService) unavailable() string {
	for _, c := range s.Status.Conditions {
		if c.Type != "Available" {
			continue
		}
		if c.Status == string(metav1.ConditionTrue) {
			return ""
		}
		return c.Reason + ": " + c.Message
	}
	return "the kube-apiserver did not say yet whether it is available"
}

func notFound(err error) bool {
	answer, is := errors.AsType[*answerError](err)
	return is && answer.code == http.StatusNotFound
}

// documents are the names of the OpenAPI documents that a server publishes:
// apis/GROUP/VERSION. One that publishes none has none.
func (c *caller) documents(ctx context.Context) (names []string, err error) {
	var index struct{ Paths map[string]json.RawMessage }
	err = c.get(ctx, "/openapi/v3", &index)
	for name := range index.Paths {
		names = append(names, name)
	}
	if notFound(err) {
		err = nil
	}
	return names, err
}
