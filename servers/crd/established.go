package crd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/skewsim/skewsim/servers"
)

// awaitEstablished watches definitions until each is established at the revision in which it was written,
// or a later one. It returns them as they are then.
func (to *installer) awaitEstablished(ctx context.Context, written map[string]int64) (map[string]apiextensionsv1.CustomResourceDefinition, error) {
	found := map[string]apiextensionsv1.CustomResourceDefinition{}
	for wait := firstPause; ; wait = longer(wait) {
		code, err := to.watch(ctx, written, found)
		if len(found) == len(written) {
			return found, nil
		}
		if refused := new(servers.RequestError); errors.As(err, &refused) {
			return nil, err
		}
		names := slices.DeleteFunc(slices.Sorted(maps.Keys(written)), func(name string) bool { _, is := found[name]; return is })
		if err := to.pause(ctx, wait, fmt.Sprintf("wait for %s", names[0]), code, nil, err); err != nil {
			return nil, err
		}
	}
}

// event is one event of a watch. The kind of its object depends on its type.
type event struct {
	Type   string          `json:"type"`
	Object json.RawMessage `json:"object"`
}

// watch opens one watch of all definitions, which begins with those that exist, and adds those that are
// established to found. It returns when all are, or the watch ends.
func (to *installer) watch(ctx context.Context, written map[string]int64, found map[string]apiextensionsv1.CustomResourceDefinition) (code int, err error) {
	response, err := to.send(ctx, http.MethodGet, strings.TrimSuffix(definitions, "/")+"?watch=true&resourceVersion=0", nil, "application/json")
	if err != nil {
		return 0, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return response.StatusCode, nil
	}
	for events := json.NewDecoder(response.Body); len(found) < len(written); {
		var e event
		if err := events.Decode(&e); err != nil {
			return 0, err
		}
		if err := to.see(e, written, found); err != nil {
			return 0, err
		}
	}
	return response.StatusCode, nil
}

// see adds the definition of an event to found if it is one that was written, and is established.
func (to *installer) see(e event, written map[string]int64, found map[string]apiextensionsv1.CustomResourceDefinition) error {
	var short metav1.PartialObjectMetadata
	if err := json.Unmarshal(e.Object, &short); err != nil {
		return err
	}
	at, asked := written[short.Name]
	if !asked || !slices.Contains([]string{"ADDED", "MODIFIED"}, e.Type) || revision(short.ResourceVersion) < at {
		return nil
	}
	to.progress.advance()
	var d apiextensionsv1.CustomResourceDefinition
	if err := json.Unmarshal(e.Object, &d); err != nil {
		return err
	}
	if why := conflict(d); why != "" {
		return &servers.RequestError{Err: fmt.Errorf("the server does not serve what the manifest of %s defines: %s", d.Name, why)}
	}
	if established(d) {
		found[d.Name] = d
	}
	return nil
}

// conflict returns the server's message if a definition's names are not accepted.
func conflict(d apiextensionsv1.CustomResourceDefinition) string {
	for _, c := range d.Status.Conditions {
		if c.Type == apiextensionsv1.NamesAccepted && c.Status == apiextensionsv1.ConditionFalse {
			return c.Reason + ": " + c.Message
		}
	}
	return ""
}

func established(d apiextensionsv1.CustomResourceDefinition) bool {
	for _, c := range d.Status.Conditions {
		if c.Type == apiextensionsv1.Established {
			return c.Status == apiextensionsv1.ConditionTrue
		}
	}
	return false
}
