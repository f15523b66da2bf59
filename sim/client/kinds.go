package client

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
)

// ServedKind is a kind in one version of its API: apps/v1, Deployment.
type ServedKind struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
}

// allKinds asks for discovery in one answer for all groups, as servers since 1.27
// give it (KEP-3352).
const allKinds = "application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList,application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList"

// Kinds are all kinds that a server serves, in its order. A server that does not give
// discovery in one answer tells none.
func Kinds(ctx context.Context, c *Connection) (all []ServedKind, err error) {
	for _, at := range []string{"/api", "/apis"} {
		a := told{c.Do(ctx, Request{Method: http.MethodGet, Path: at, Accept: allKinds}), c.base + at}
		if a.Code == http.StatusNotFound || a.Code == http.StatusNotAcceptable {
			continue
		}
		if !a.Succeeded() {
			return nil, a.unexpected()
		}
		all = append(all, kindsIn(a.Body)...)
	}
	return all, nil
}

// kindsIn are the kinds of an APIGroupDiscoveryList; none of anything else.
func kindsIn(body []byte) (all []ServedKind) {
	var list struct {
		Kind  string
		Items []struct {
			Metadata struct{ Name string }
			Versions []struct {
				Version   string
				Resources []struct{ ResponseKind struct{ Kind string } }
			}
		}
	}
	if json.Unmarshal(body, &list) != nil || list.Kind != "APIGroupDiscoveryList" {
		return nil
	}
	for _, group := range list.Items {
		for _, v := range group.Versions {
			apiVersion := strings.TrimPrefix(group.Metadata.Name+"/"+v.Version, "/")
			for _, r := range v.Resources {
				if plain.MatchString(r.ResponseKind.Kind) {
					all = append(all, ServedKind{apiVersion, r.ResponseKind.Kind})
				}
			}
		}
	}
	return all
}
