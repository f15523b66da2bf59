package crd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"time"

	apiextensionsv1 "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/skewsim/skewsim/servers/certs"
)

// webhook is an HTTPS server on loopback that converts objects by rules, with an
// authority of its own.
type webhook struct {
	rules  Conversions
	url    string
	ca     []byte
	server *http.Server
}

// serve starts a webhook with the given rules; its keys go into dir.
func serve(dir string, raw []byte) (*webhook, error) {
	h := &webhook{}
	if err := json.Unmarshal(raw, &h.rules); err != nil {
		return nil, fmt.Errorf("conversion webhook: %w", err)
	}
	authority, err := certs.New(dir, "skewsim webhook")
	if err != nil {
		return nil, fmt.Errorf("conversion webhook: %w", err)
	}
	pair, err := authority.Issue("webhook", certs.Server)
	if err != nil {
		return nil, fmt.Errorf("conversion webhook: %w", err)
	}
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return nil, fmt.Errorf("conversion webhook: %w", err)
	}
	h.url, h.ca = "https://"+listener.Addr().String()+"/convert", authority.CertPEM
	h.server = &http.Server{Handler: http.HandlerFunc(h.convert), ReadHeaderTimeout: askWithin,
		ErrorLog: log.New(io.Discard, "", 0)} // a server that is killed in the middle of a handshake is no news
	go h.server.ServeTLS(listener, pair.CertFile, pair.KeyFile) // ends with close; who asks it tells if it ends before
	return h, nil
}

func (h *webhook) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if err := h.server.Shutdown(ctx); !errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	return h.server.Close()
}

// fill gives a definition the webhook's address.
func (h *webhook) fill(definition []byte) ([]byte, error) {
	var d map[string]any
	if err := json.Unmarshal(definition, &d); err != nil {
		return nil, err
	}
	spec, _ := d["spec"].(map[string]any)
	conversion, _ := spec["conversion"].(map[string]any)
	hook, _ := conversion["webhook"].(map[string]any)
	if hook == nil {
		return definition, nil
	}
	hook["clientConfig"] = map[string]any{"url": h.url, "caBundle": h.ca}
	return json.Marshal(d)
}

// convert answers one ConversionReview.
func (h *webhook) convert(w http.ResponseWriter, r *http.Request) {
	var review apiextensionsv1.ConversionReview
	body, err := io.ReadAll(io.LimitReader(r.Body, answerBytes))
	if err == nil {
		err = json.Unmarshal(body, &review)
	}
	if err != nil || review.Request == nil {
		http.Error(w, "want a ConversionReview with a request", http.StatusBadRequest)
		return
	}
	response := &apiextensionsv1.ConversionResponse{UID: review.Request.UID, Result: metav1.Status{Status: metav1.StatusSuccess}}
	for _, o := range review.Request.Objects {
		converted, err := h.rules.convert(o.Raw, review.Request.DesiredAPIVersion)
		if err != nil {
			response.ConvertedObjects = nil
			response.Result = metav1.Status{Status: metav1.StatusFailure, Message: err.Error()}
			break
		}
		response.ConvertedObjects = append(response.ConvertedObjects, runtime.RawExtension{Raw: converted})
	}
	review.Request, review.Response = nil, response
	w.Header().Set("Content-Type", "application/json")
	_ = json.NewEncoder(w).Encode(review) // a server that has gone asks again
}
