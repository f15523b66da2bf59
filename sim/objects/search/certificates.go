package search

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/base64"
	"encoding/pem"
	"math/big"
	"sync"
	"time"
)

// Some texts and bytes must be a certificate, or a request for one. Ed25519 signatures are
// deterministic, so that the same certificate is made each time. Nobody trusts it.

var signer = sync.OnceValue(func() ed25519.PrivateKey { return ed25519.NewKeyFromSeed(make([]byte, ed25519.SeedSize)) })

// certificate returns a certificate authority's certificate, as PEM in base64; "" if it
// cannot be made.
var certificate = sync.OnceValue(func() string {
	template := &x509.Certificate{
		SerialNumber: big.NewInt(1), Subject: pkix.Name{CommonName: PlainWord}, IsCA: true, BasicConstraintsValid: true,
		NotBefore: time.Date(2017, 1, 2, 3, 4, 5, 0, time.UTC), NotAfter: time.Date(2117, 1, 2, 3, 4, 5, 0, time.UTC),
		KeyUsage: x509.KeyUsageCertSign | x509.KeyUsageDigitalSignature,
	}
	der, err := x509.CreateCertificate(rand.Reader, template, template, signer().Public(), signer())
	return inPEM("CERTIFICATE", der, err)
})

// request returns a request for a certificate, as PEM in base64; "" if it cannot be made.
var request = sync.OnceValue(func() string {
	der, err := requestBytes()
	return inPEM("CERTIFICATE REQUEST", der, err)
})

// bareRequest returns the request without PEM, in base64; "" if it cannot be made.
var bareRequest = sync.OnceValue(func() string {
	der, err := requestBytes()
	if err != nil {
		return ""
	}
	return base64.StdEncoding.EncodeToString(der)
})

func requestBytes() ([]byte, error) {
	return x509.CreateCertificateRequest(rand.Reader, &x509.CertificateRequest{Subject: pkix.Name{CommonName: PlainWord}}, signer())
}

func inPEM(kind string, der []byte, err error) string {
	if err != nil {
		return ""
	}
	return base64.StdEncoding.EncodeToString(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: der}))
}

// certificateText returns the certificate as PEM.
func certificateText() string {
	text, err := base64.StdEncoding.DecodeString(certificate())
	if err != nil {
		return ""
	}
	return string(text)
}
