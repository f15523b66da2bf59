// Package conversion has the handler of controller-runtime's package of this name, so that a test
// builds a generated program without the 500 packages that the real one needs.
package conversion

import (
	"encoding/json"
	"fmt"
	"net/http"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"sigs.k8s.io/controller-runtime/pkg/conversion"
)

type request struct {
	UID               string            `json:"uid"`
	DesiredAPIVersion string            `json:"desiredAPIVersion"`
	Objects           []json.RawMessage `json:"objects"`
}

type response struct {
	UID              string           `json:"uid"`
	ConvertedObjects []runtime.Object `json:"convertedObjects"`
	Result           metav1.Status    `json:"result"`
}

type review struct {
	metav1.TypeMeta `json:",inline"`
	Request         *request  `json:"request,omitempty"`
	Response        *response `json:"response,omitempty"`
}

// NewWebhookHandler returns the handler that converts the types of a scheme.
func NewWebhookHandler(scheme *runtime.Scheme) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var asked review
		if err := json.NewDecoder(r.Body).Decode(&asked); err != nil || asked.Request == nil {
			http.Error(w, "want a ConversionReview with a request", http.StatusBadRequest)
			return
		}
		answer := review{TypeMeta: asked.TypeMeta, Response: &response{UID: asked.Request.UID, Result: metav1.Status{Status: metav1.StatusSuccess}}}
		for _, text := range asked.Request.Objects {
			to, err := convert(scheme, text, asked.Request.DesiredAPIVersion)
			if err != nil {
				answer.Response.Result = metav1.Status{Status: metav1.StatusFailure, Message: err.Error()}
				break
			}
			answer.Response.ConvertedObjects = append(answer.Response.ConvertedObjects, to)
		}
		_ = json.NewEncoder(w).Encode(answer)
	})
}

// convert converts the text of an object to a version of its kind.
func convert(scheme *runtime.Scheme, text []byte, desired string) (runtime.Object, error) {
	var is metav1.TypeMeta
	if err := json.Unmarshal(text, &is); err != nil {
		return nil, err
	}
	from, err := scheme.New(is.GroupVersionKind())
	if err == nil {
		err = json.Unmarshal(text, from)
	}
	if err != nil {
		return nil, err
	}
	wanted := schema.FromAPIVersionAndKind(desired, is.Kind)
	to, err := scheme.New(wanted)
	if err != nil {
		return nil, err
	}
	spoke, isSpoke := from.(conversion.Convertible)
	hub, isHub := to.(conversion.Hub)
	switch {
	case isSpoke && isHub:
		err = spoke.ConvertTo(hub)
	case isSpoke:
		err = fmt.Errorf("%s is not the hub", desired)
	default:
		err = to.(conversion.Convertible).ConvertFrom(from.(conversion.Hub))
	}
	to.GetObjectKind().SetGroupVersionKind(wanted)
	return to, err
}
