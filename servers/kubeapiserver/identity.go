package kubeapiserver

import (
	"crypto/rand"
	"crypto/tls"
	"encoding/hex"
	"net/http"
	"os"
	"path/filepath"

	"github.com/skewsim/skewsim/servers/certs"
)

// tokenBytes makes the bearer token impossible to guess.
const tokenBytes = 32

// identity is what the replicas of one control plane share: what they prove
// themselves with, and whom they let in.
type identity struct {
	dir               string
	ca                *certs.Authority
	caData            []byte
	serving           certs.Pair
	serviceAccountKey string // file
	tokenFile, token  string
}

func newIdentity(parent string) (*identity, error) {
	dir, err := os.MkdirTemp(parent, "kube-apiserver-") // has mode 0700
	if err != nil {
		return nil, err
	}
	id := &identity{dir: dir}
	if err := id.fill(); err != nil {
		os.RemoveAll(dir)
		return nil, err
	}
	return id, nil
}

func (id *identity) fill() (err error) {
	if id.ca, err = certs.New(id.dir, "skewsim-kube-apiserver"); err != nil {
		return err
	}
	id.caData = id.ca.CertPEM
	if id.serving, err = id.ca.Issue("serving", certs.Server); err != nil {
		return err
	}
	id.serviceAccountKey = filepath.Join(id.dir, "service-account.key")
	if err := certs.NewKey(id.serviceAccountKey); err != nil {
		return err
	}
	secret := make([]byte, tokenBytes)
	rand.Read(secret) // never fails, see its documentation
	id.token = hex.EncodeToString(secret)
	id.tokenFile = filepath.Join(id.dir, "tokens.csv")
	return os.WriteFile(id.tokenFile, []byte(id.token+`,skewsim,skewsim,"system:masters"`+"\n"), 0o600)
}

// client trusts the identity's servers only. It speaks HTTP/1.1: a server that
// is asked to stop holds HTTP/2 connections, even idle ones, a second longer.
func (id *identity) client() *http.Client {
	return &http.Client{Transport: &http.Transport{
		TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: id.ca.Pool()},
		TLSNextProto:    map[string]func(string, *tls.Conn) http.RoundTripper{},
	}}
}
