package crd

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"reflect"
	"slices"
	"sync"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// steadyFor is how long a published schema must stay unchanged before it counts as final
// although it differs from the definition: not every release publishes every part of a schema
// as it was written.
const steadyFor = 3 * time.Second

// fillFor is how long a cache may fill: releases before 1.34 do not say why one does not.
const fillFor = 30 * time.Second

// askWithin bounds the headers of a request to the webhook, and the wait for a watch that a server opens: a cache that cannot be filled keeps it waiting.
const askWithin = 10 * time.Second

// published caches what a server last published for one definition's group, by the addresses of
// its documents, which contain the hash of the content.
type published struct {
	addresses string
	since     time.Time
	shown     map[string]bool // by address and version: whether it equals the definition
}

// documents caches parsed documents by address: groups have many definitions, and real ones are
// long.
type documents struct {
	mu   sync.Mutex
	read map[string]document
}

// document maps the kinds of an OpenAPI document to their properties.
type document map[metav1.GroupVersionKind]map[string]any

// awaitServed waits until a server's discovery, OpenAPI and handlers show definitions in their current
// form.
func (to *installer) awaitServed(ctx context.Context, all map[string]apiextensionsv1.CustomResourceDefinition) error {
	last := map[string]*published{}
	left := slices.Sorted(maps.Keys(all))
	for wait := firstPause; ; wait = longer(wait) {
		addresses, err := to.addresses(ctx)
		if err == nil {
			found := discovery{}
			left = slices.DeleteFunc(left, func(name string) bool {
				if last[name] == nil {
					last[name] = &published{}
				}
				return to.serves(ctx, all[name], addresses, found, last[name])
			})
		}
		if len(left) == 0 {
			return nil
		}
		if err := to.pause(ctx, wait, fmt.Sprintf("wait for %s", left[0]), 0, nil, err); err != nil {
			return err
		}
	}
}

// serves reports whether a server's discovery, OpenAPI and handlers show the current
// definition: each served version, the storage version, and the schema. What cannot be asked now is
// asked again.
func (to *installer) serves(ctx context.Context, d apiextensionsv1.CustomResourceDefinition, addresses map[string]string, found discovery, last *published) bool {
	equal, all := true, ""
	for _, v := range d.Spec.Versions {
		resources, err := found.of(ctx, to, d.Spec.Group+"/"+v.Name)
		if err != nil || !discovers(resources, d, v) {
			return false
		}
		if !v.Served {
			continue
		}
		address := addresses["apis/"+d.Spec.Group+"/"+v.Name]
		same, err := to.publishes(ctx, address, d, v, last)
		if err != nil {
			return false
		}
		all += address + " "
		equal = equal && same
	}
	if all != last.addresses {
		last.addresses, last.since = all, time.Now()
		to.progress.advance()
	}
	if !equal && time.Since(last.since) < steadyFor {
		return false
	}
	return to.answers(ctx, d, time.Since(last.since))
}

// addresses returns the addresses of a server's OpenAPI documents, by apis/GROUP/VERSION.
func (to *installer) addresses(ctx context.Context) (map[string]string, error) {
	code, body, err := to.ask(ctx, http.MethodGet, "/openapi/v3", nil, "application/json")
	if err != nil || code != http.StatusOK {
		return nil, cmp.Or(err, fmt.Errorf("answered %d", code))
	}
	var index struct {
		Paths map[string]struct {
			ServerRelativeURL string `json:"serverRelativeURL"`
		} `json:"paths"`
	}
	err = json.Unmarshal(body, &index)
	all := map[string]string{}
	for name, p := range index.Paths {
		all[name] = p.ServerRelativeURL
	}
	return all, err
}

// publishes reports whether a server's document shows a version as the definition declares it.
func (to *installer) publishes(ctx context.Context, address string, d apiextensionsv1.CustomResourceDefinition, v apiextensionsv1.CustomResourceDefinitionVersion, last *published) (bool, error) {
	key := address + " " + v.Name
	if same, known := last.shown[key]; known {
		return same, nil
	}
	document, err := to.document(ctx, address)
	if err != nil {
		return false, err
	}
	if last.shown == nil {
		last.shown = map[string]bool{}
	}
	last.shown[key] = document.shows(d, v)
	return last.shown[key], nil
}

func (to *installer) document(ctx context.Context, address string) (document, error) {
	to.documents.mu.Lock()
	defer to.documents.mu.Unlock()
	if d, known := to.documents.read[address]; known {
		return d, nil
	}
	code, body, err := to.ask(ctx, http.MethodGet, address, nil, "application/json")
	if err != nil || code != http.StatusOK || address == "" {
		return nil, cmp.Or(err, fmt.Errorf("answered %d", code))
	}
	d, err := readDocument(body)
	if err != nil {
		return nil, err
	}
	if to.documents.read == nil {
		to.documents.read = map[string]document{}
	}
	to.documents.read[address] = d
	return d, nil
}

func readDocument(body []byte) (document, error) {
	var all struct {
		Components struct {
			Schemas map[string]struct {
				Properties map[string]any            `json:"properties"`
				Kinds      []metav1.GroupVersionKind `json:"x-kubernetes-group-version-kind"`
			} `json:"schemas"`
		} `json:"components"`
	}
	if err := json.Unmarshal(body, &all); err != nil {
		return nil, err
	}
	d := document{}
	for _, s := range all.Components.Schemas {
		for _, k := range s.Kinds {
			d[k] = own(s.Properties)
		}
	}
	return d, nil
}

// discovery has the resources of group versions, as a server shows them at one time: groups have many
// definitions.
type discovery map[string]metav1.APIResourceList

// of returns the resources of a group version; none if the server does not have it.
func (all discovery) of(ctx context.Context, to *installer, groupVersion string) (metav1.APIResourceList, error) {
	if list, known := all[groupVersion]; known {
		return list, nil
	}
	var list metav1.APIResourceList
	code, body, err := to.ask(ctx, http.MethodGet, "/apis/"+groupVersion, nil, "application/json")
	if err == nil && code == http.StatusOK {
		err = json.Unmarshal(body, &list)
	}
	if err == nil {
		all[groupVersion] = list
	}
	return list, err
}

// discovers reports whether discovery shows a version as the definition declares it.
func discovers(list metav1.APIResourceList, d apiextensionsv1.CustomResourceDefinition, v apiextensionsv1.CustomResourceDefinitionVersion) bool {
	for _, r := range list.APIResources {
		if r.Name == d.Spec.Names.Plural {
			return v.Served && (r.StorageVersionHash == "" || r.StorageVersionHash == storageHash(d))
		}
	}
	return !v.Served
}

// storageHash returns the hash by which discovery identifies the storage version.
func storageHash(d apiextensionsv1.CustomResourceDefinition) string {
	for _, v := range d.Spec.Versions {
		if v.Storage {
			sum := sha256.Sum256([]byte(d.Spec.Group + "/" + v.Name + "/" + d.Spec.Names.Kind))
			return base64.StdEncoding.EncodeToString(sum[:8])
		}
	}
	return ""
}

// shows reports whether a document publishes the version's schema as the definition declares
// it: all fields except those that every object has.
func (published document) shows(d apiextensionsv1.CustomResourceDefinition, v apiextensionsv1.CustomResourceDefinitionVersion) bool {
	if v.Schema == nil || v.Schema.OpenAPIV3Schema == nil {
		return true
	}
	raw, err := json.Marshal(v.Schema.OpenAPIV3Schema)
	if err != nil {
		return false
	}
	var want struct {
		Properties map[string]any `json:"properties"`
	}
	is, known := published[metav1.GroupVersionKind{Group: d.Spec.Group, Version: v.Name, Kind: d.Spec.Names.Kind}]
	return known && json.Unmarshal(raw, &want) == nil && reflect.DeepEqual(own(want.Properties), is)
}

// own returns the properties that not every object has.
func own(properties map[string]any) map[string]any {
	left := map[string]any{}
	for name, p := range properties {
		if name != "apiVersion" && name != "kind" && name != "metadata" {
			left[name] = p
		}
	}
	return left
}

// answers reports whether the handlers of all served versions accept a watch, which means that
// their caches are filled, or will not be: a cache never fills if an object cannot be converted. steady is for how long
// the definition has been published.
func (to *installer) answers(ctx context.Context, d apiextensionsv1.CustomResourceDefinition, steady time.Duration) bool {
	for _, v := range d.Spec.Versions {
		if !v.Served {
			continue
		}
		path := "/apis/" + d.Spec.Group + "/" + v.Name + "/" + d.Spec.Names.Plural
		if code, said := to.opens(ctx, path+"?watch=true&resourceVersion=0&timeoutSeconds=5"); code != http.StatusOK && !isStuck(said, steady) {
			return false
		}
	}
	return true
}

// isStuck reports whether a handler that has been published for some time, and said this, is not waited for any longer. A
// cache that fills says no reason; a program converts one object at a time for it.
func isStuck(said string, steady time.Duration) bool {
	if said == "storage is (re)initializing" {
		return steady > fillFor
	}
	return steady > steadyFor
}

// opens returns the status code of a watch request, without reading the watch, and what a refusal says; 0 if there is no
// answer.
func (to *installer) opens(ctx context.Context, path string) (code int, said string) {
	ctx, cancel := context.WithTimeout(ctx, askWithin)
	defer cancel()
	response, err := to.send(ctx, http.MethodGet, path, nil, "application/json")
	if err != nil {
		return 0, ""
	}
	defer response.Body.Close()
	if response.StatusCode == http.StatusOK {
		return response.StatusCode, ""
	}
	var status metav1.Status
	if json.NewDecoder(io.LimitReader(response.Body, answerBytes)).Decode(&status) != nil {
		return response.StatusCode, ""
	}
	return response.StatusCode, status.Message
}
