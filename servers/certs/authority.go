package certs

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"net"
	"os"
	"path/filepath"
	"time"
)

// validFor is longer than any run and short enough that a forgotten
// certificate is worth nothing.
const validFor = 7 * 24 * time.Hour

// Usage says what a key pair may be used for.
type Usage int

// The usages of a key pair.
const (
	Server Usage = iota // to serve on 127.0.0.1 and localhost
	Client              // to call
	Peer                // both
)

func (u Usage) extended() []x509.ExtKeyUsage {
	switch u {
	case Server:
		return []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	case Client:
		return []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}
	}
	return []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth, x509.ExtKeyUsageClientAuth}
}

// Authority signs certificates. Its key lives in memory only.
type Authority struct {
	// CertFile holds the authority's certificate, in PEM.
	CertFile string
	// CertPEM is the content of CertFile.
	CertPEM []byte

	dir  string
	cert *x509.Certificate
	key  *ecdsa.PrivateKey
}

// Pair is a certificate and its key, on disk, in PEM.
type Pair struct{ CertFile, KeyFile string }

// New makes an authority whose files go into dir, which it creates with mode
// 0700. The name is the authority's common name.
func New(dir, name string) (*Authority, error) {
	if err := MakeDir(dir); err != nil {
		return nil, err
	}
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("certificate authority %s: %w", name, err)
	}
	template := template(name)
	template.IsCA, template.BasicConstraintsValid = true, true
	template.KeyUsage = x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature
	der, err := x509.CreateCertificate(rand.Reader, template, template, key.Public(), key)
	if err != nil {
		return nil, fmt.Errorf("certificate authority %s: %w", name, err)
	}
	cert, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, fmt.Errorf("certificate authority %s: %w", name, err)
	}
	a := &Authority{CertFile: filepath.Join(dir, "ca.crt"), CertPEM: encode("CERTIFICATE", der), dir: dir, cert: cert, key: key}
	return a, write(a.CertFile, a.CertPEM)
}

// Issue makes and signs a key pair of that name and writes it as NAME.crt and
// NAME.key.
func (a *Authority) Issue(name string, usage Usage) (Pair, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return Pair{}, fmt.Errorf("certificate %s: %w", name, err)
	}
	t := template(name)
	t.KeyUsage = x509.KeyUsageDigitalSignature
	t.ExtKeyUsage = usage.extended()
	if usage != Client {
		t.IPAddresses = []net.IP{net.IPv4(127, 0, 0, 1)}
		t.DNSNames = []string{"localhost"}
	}
	der, err := x509.CreateCertificate(rand.Reader, t, a.cert, key.Public(), a.key)
	if err != nil {
		return Pair{}, fmt.Errorf("certificate %s: %w", name, err)
	}
	pair := Pair{CertFile: filepath.Join(a.dir, name+".crt"), KeyFile: filepath.Join(a.dir, name+".key")}
	if err := write(pair.CertFile, encode("CERTIFICATE", der)); err != nil {
		return Pair{}, err
	}
	return pair, WriteKey(pair.KeyFile, key)
}

// Pool trusts this authority and nobody else.
func (a *Authority) Pool() *x509.CertPool {
	pool := x509.NewCertPool()
	pool.AddCert(a.cert)
	return pool
}

// ClientTLS is for calling servers of this authority, with pair as the
// caller's certificate.
func (a *Authority) ClientTLS(pair Pair) (*tls.Config, error) {
	cert, err := tls.LoadX509KeyPair(pair.CertFile, pair.KeyFile)
	if err != nil {
		return nil, fmt.Errorf("client certificate: %w", err)
	}
	return &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: a.Pool(), Certificates: []tls.Certificate{cert}}, nil
}

// NewKey makes an ECDSA P-256 key and writes it to path, in PEM, mode 0600.
func NewKey(path string) error {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return fmt.Errorf("key %s: %w", filepath.Base(path), err)
	}
	return WriteKey(path, key)
}

// WriteKey writes the key to path, in PEM, mode 0600.
func WriteKey(path string, key *ecdsa.PrivateKey) error {
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		return fmt.Errorf("key %s: %w", filepath.Base(path), err)
	}
	return write(path, encode("EC PRIVATE KEY", der))
}

// MakeDir makes dir and its parents where they are missing, and sees to it
// that dir itself, for secrets, has mode 0700.
func MakeDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("directory for secrets: %w", err)
	}
	if err := os.Chmod(dir, 0o700); err != nil {
		return fmt.Errorf("directory for secrets: %w", err)
	}
	return nil
}

func template(name string) *x509.Certificate {
	now := time.Now()
	serial := make([]byte, 16)
	rand.Read(serial) // never fails, see its documentation
	serial[0] &= 0x7f // a serial number is positive
	return &x509.Certificate{
		SerialNumber: new(big.Int).SetBytes(serial),
		Subject:      pkix.Name{CommonName: name},
		// An hour back, for a guest whose clock lags its host's.
		NotBefore: now.Add(-time.Hour),
		NotAfter:  now.Add(validFor),
	}
}

func encode(kind string, der []byte) []byte {
	return pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der})
}

// write refuses to follow what is already there: a file left by someone else
// could have a wider mode.
func write(path string, content []byte) error {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o600)
	if err != nil {
		return fmt.Errorf("write secret: %w", err)
	}
	_, err = f.Write(content)
	if err = errors.Join(err, f.Close()); err != nil {
		// Another attempt would find half a file there, and say nothing of the full disk.
		return fmt.Errorf("write secret: %w", errors.Join(err, os.Remove(path)))
	}
	return nil
}
