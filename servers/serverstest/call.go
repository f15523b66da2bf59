package serverstest

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/skewsim/skewsim/servers"
)

// call sends a request with the token, "" for none, and gives status and body.
func call(t *testing.T, e servers.Endpoint, token, method, path, body string) (int, string) {
	t.Helper()
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(e.CAData) {
		t.Fatalf("no certificate in %q", e.CAData)
	}
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: pool}}
	defer transport.CloseIdleConnections()
	request, err := http.NewRequestWithContext(t.Context(), method, e.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	request.Header.Set("Content-Type", "application/json")
	if token != "" {
		request.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := (&http.Client{Transport: transport}).Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(answer)
}

func gitVersion(t *testing.T, e servers.Endpoint) string {
	t.Helper()
	_, body := call(t, e, e.Token, http.MethodGet, "/version", "")
	var v struct{ GitVersion string }
	if err := json.Unmarshal([]byte(body), &v); err != nil {
		t.Fatalf("/version: %v in %s", err, body)
	}
	return v.GitVersion
}
