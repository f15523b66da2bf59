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

// converter answers ConversionReviews. An error is for a review that it cannot answer.
type converter interface {
	Convert(ctx context.Context, review []byte) (answer []byte, err error)
}

// admitter is a converter that answers AdmissionReviews too, each at the path that its configuration
// names, with the query that the server adds.
type admitter interface {
	Admit(ctx context.Context, path string, review []byte) (code int, answer []byte, err error)
}

// convertPath is where conversions are asked for: no program admits at such a path.
const convertPath = "/skewsim/convert"

// webhook is an HTTPS server on loopback that has a converter answer reviews, with an
// authority of its own.
type webhook struct {
	from   converter
	url    string
	ca     []byte
	server *http.Server
}

// serve starts a webhook; its keys go into dir.
func serve(dir string, from converter) (*webhook, error) {
	h := &webhook{from: from}
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
	h.url, h.ca = "https://"+listener.Addr().String()+convertPath, authority.CertPEM
	h.server = &http.Server{Handler: h, ReadHeaderTimeout: askWithin,
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

// ServeHTTP answers one ConversionReview. A review that the converter cannot answer fails with
// its error, which the server passes on to its client.
func (h *webhook) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if from, admits := h.from.(admitter); admits && r.URL.Path != convertPath {
		admit(w, r, from)
		return
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, answerBytes))
	var review apiextensionsv1.ConversionReview
	if err == nil {
		err = json.Unmarshal(body, &review)
	}
	if err != nil || review.Request == nil {
		http.Error(w, "want a ConversionReview with a request", http.StatusBadRequest)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	answer, err := h.from.Convert(r.Context(), body)
	if err == nil {
		_, _ = w.Write(answer) // a server that has gone asks again
		return
	}
	review.Response = &apiextensionsv1.ConversionResponse{UID: review.Request.UID, Result: metav1.Status{Status: metav1.StatusFailure, Message: err.Error()}}
	review.Request = nil
	_ = json.NewEncoder(w).Encode(review)
}

// admit passes one AdmissionReview on. The text of an error is shown to the server's client, which an
// answer of 500 lets it be.
func admit(w http.ResponseWriter, r *http.Request, from admitter) {
	body, err := io.ReadAll(io.LimitReader(r.Body, answerBytes))
	if err == nil {
		var code int
		var answer []byte
		if code, answer, err = from.Admit(r.Context(), r.URL.RequestURI(), body); err == nil { // with the time that the server waits
			w.Header().Set("Content-Type", "application/json")
			w.WriteHeader(code)
			_, _ = w.Write(marked(answer)) // a server that has gone asks again
			return
		}
	}
	http.Error(w, err.Error(), http.StatusInternalServerError)
}

// Convert implements converter.
func (c Conversions) Convert(_ context.Context, body []byte) ([]byte, error) {
	var review apiextensionsv1.ConversionReview
	if err := json.Unmarshal(body, &review); err != nil {
		return nil, err
	}
	response := &apiextensionsv1.ConversionResponse{UID: review.Request.UID, Result: metav1.Status{Status: metav1.StatusSuccess}}
	for _, o := range review.Request.Objects {
		converted, err := c.convert(o.Raw, review.Request.DesiredAPIVersion)
		if err != nil {
			return nil, err
		}
		response.ConvertedObjects = append(response.ConvertedObjects, runtime.RawExtension{Raw: converted})
	}
	review.Request, review.Response = nil, response
	return json.Marshal(review)
}
