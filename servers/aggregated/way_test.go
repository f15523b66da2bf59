package aggregated

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

// named is a server that says its name.
func named(t *testing.T, name string) *httptest.Server {
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, name) }))
	t.Cleanup(s.Close)
	return s
}

// TestWayWaits: who comes before the server is known is answered once it is.
func TestWayWaits(t *testing.T) {
	w, err := newWay(nil)
	require.NoError(t, err)
	defer w.close()
	conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", w.port))
	require.NoError(t, err)
	defer conn.Close()
	_, err = io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
	require.NoError(t, err)
	w.lead(named(t, "one").URL)
	w.lead(named(t, "another").URL) // it leads to one
	response, err := http.ReadResponse(bufio.NewReader(conn), nil)
	require.NoError(t, err)
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	assert.NoError(t, err)
	assert.Equal(t, "one", string(body))
}

// TestWayIsCut: closing it ends those who wait and those who have come through.
func TestWayIsCut(t *testing.T) {
	w, err := newWay(nil)
	require.NoError(t, err)
	conn, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", w.port))
	require.NoError(t, err)
	defer conn.Close()
	w.close()
	w.close()
	_, err = conn.Read(make([]byte, 1))
	assert.Error(t, err)
}

// TestEgress: whatever address the aggregator asks for, it reaches the replica's server;
// and who has no key of the aggregators reaches nothing.
func TestEgress(t *testing.T) {
	f, err := newFront(t.TempDir() + "/front")
	require.NoError(t, err)
	w, err := newWay(f.egress)
	require.NoError(t, err)
	defer w.close()
	w.lead(named(t, "mine").URL)
	pair, err := tls.LoadX509KeyPair(f.pair.CertFile, f.pair.KeyFile)
	require.NoError(t, err)
	ask := func(certificates ...tls.Certificate) (string, error) {
		proxy := &url.URL{Scheme: "https", Host: fmt.Sprintf("127.0.0.1:%d", w.port)}
		transport := &http.Transport{Proxy: http.ProxyURL(proxy), TLSClientConfig: &tls.Config{RootCAs: f.authority.Pool(), Certificates: certificates}}
		defer transport.CloseIdleConnections()
		conn, err := tls.Dial("tcp", proxy.Host, transport.TLSClientConfig)
		if err != nil {
			return "", err
		}
		defer conn.Close()
		in := bufio.NewReader(conn)
		if _, err := io.WriteString(conn, "CONNECT somewhere.else:443 HTTP/1.1\r\nHost: somewhere.else:443\r\n\r\n"); err != nil {
			return "", err
		}
		connected, err := http.ReadResponse(in, &http.Request{Method: http.MethodConnect})
		if err != nil || connected.StatusCode != http.StatusOK {
			return "", fmt.Errorf("%v: %w", connected, err)
		}
		if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"); err != nil {
			return "", err
		}
		response, err := http.ReadResponse(in, nil)
		if err != nil {
			return "", err
		}
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		return string(body), err
	}
	said, err := ask(pair)
	assert.NoError(t, err)
	assert.Equal(t, "mine", said)
	_, err = ask()
	require.Error(t, err)
	assert.True(t, strings.Contains(err.Error(), "certificate required") || strings.Contains(err.Error(), "EOF") || strings.Contains(err.Error(), "reset"), err)
}
