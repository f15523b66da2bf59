package conformance_test

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"
)

// request is one HTTP request.
type request struct {
	verb, path   string // with the query
	accept, body string
	contentType  string // default: application/json where there is a body
}

// answer is what came back.
type answer struct {
	code     int
	header   http.Header
	warnings []string
	body     []byte
}

// trusting makes a client for servers of one authority.
func trusting(ca []byte) (*http.Client, error) {
	pool := x509.NewCertPool()
	if !pool.AppendCertsFromPEM(ca) {
		return nil, errors.New("no certificate")
	}
	return &http.Client{Transport: &http.Transport{TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: pool}, DisableCompression: true}}, nil
}

func (s *server) send(ctx context.Context, r request) (answer, error) {
	q, err := http.NewRequestWithContext(ctx, r.verb, s.URL+r.path, bytes.NewReader([]byte(r.body)))
	if err != nil {
		return answer{}, err
	}
	q.Header.Set("Authorization", "Bearer "+s.Token)
	q.Header.Set("User-Agent", "tester/1")
	if r.contentType == "" && r.body != "" {
		r.contentType = "application/json"
	}
	for name, value := range map[string]string{"Content-Type": r.contentType, "Accept": r.accept} {
		if value != "" {
			q.Header.Set(name, value)
		}
	}
	response, err := s.client.Do(q)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	return answer{code: response.StatusCode, header: response.Header, warnings: response.Header.Values("Warning"), body: body}, err
}

// must sends a request that the server has to answer, whatever it says.
func (s *server) must(t testing.TB, r request) answer {
	t.Helper()
	a, err := s.send(t.Context(), r)
	require.NoError(t, err)
	return a
}
