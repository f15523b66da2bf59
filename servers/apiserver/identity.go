package apiserver

import (
	"crypto/rand"
	"crypto/tls"
	"encoding/hex"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/certs"
)

// tokenBytes makes the bearer token impossible to guess.
const tokenBytes = 32

// Identity is what the replicas of one control plane share: what they prove
// themselves with, and whom they let in. Its fields name files.
type Identity struct {
	Dir               string
	Serving           certs.Pair
	ServiceAccountKey string
	TokenFile         string

	ca    *certs.Authority
	token string
	seed  []byte // of encryption keys
}

func newIdentity(parent, seed string) (*Identity, error) {
	dir, err := os.MkdirTemp(parent, "apiserver-") // has mode 0700
	if err != nil {
		return nil, err
	}
	id := &Identity{Dir: dir, seed: []byte(seed)}
	if err := id.fill(); err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	return id, nil
}

func (id *Identity) fill() (err error) {
	if id.ca, err = certs.New(id.Dir, "skewsim-apiserver"); err != nil {
		return err
	}
	if id.Serving, err = id.ca.Issue("serving", certs.Server); err != nil {
		return err
	}
	id.ServiceAccountKey = filepath.Join(id.Dir, "service-account.key")
	if err := certs.NewKey(id.ServiceAccountKey); err != nil {
		return err
	}
	secret := make([]byte, tokenBytes)
	rand.Read(secret) // never fails, see its documentation
	id.token = hex.EncodeToString(secret)
	if len(id.seed) == 0 {
		id.seed = make([]byte, tokenBytes)
		rand.Read(id.seed)
	}
	id.TokenFile = filepath.Join(id.Dir, "tokens.csv")
	return os.WriteFile(id.TokenFile, []byte(id.token+`,skewsim,skewsim,"system:masters"`+"\n"), 0o600)
}

// endpoint is how a client reaches a server of the identity at a port.
func (id *Identity) endpoint(port int) servers.Endpoint {
	return servers.Endpoint{
		URL: "https://" + net.JoinHostPort("127.0.0.1", strconv.Itoa(port)), CAData: id.ca.CertPEM, Token: id.token,
	}
}

// client trusts the identity's servers only. It speaks HTTP/1.1: a server that
// is asked to stop holds HTTP/2 connections, even idle ones, a second longer.
func (id *Identity) client() *http.Client {
	return &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: id.ca.Pool()},
		TLSNextProto:    map[string]func(string, *tls.Conn) http.RoundTripper{},
	}}
}
