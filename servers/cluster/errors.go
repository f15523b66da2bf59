package cluster

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/klog/v2"

	"github.com/skewsim/skewsim/servers/fault"
)

// quiet keeps client-go from writing to standard error: every failure is returned.
func quiet(ctx context.Context) context.Context { return klog.NewContext(ctx, klog.Logger{}) }

// explained returns an error that ends the reading, with what a user can do about it.
func (c *Cluster) explained(doing string, err error) error {
	if errors.Is(err, context.Canceled) {
		return err
	}
	why := ""
	var refused *RefusedError
	var expired x509.CertificateInvalidError
	var invalid *tls.CertificateVerificationError
	var authority x509.UnknownAuthorityError
	switch {
	case errors.As(err, &refused):
		return fault.Wrap(fault.Bug, err)
	case apierrors.IsUnauthorized(err):
		why = "the server does not accept the credentials (401)" + c.expiry()
	case errors.As(err, &expired) && expired.Reason == x509.Expired:
		why = "the server's certificate has expired or is not valid yet"
	case strings.Contains(err.Error(), "tls: expired certificate"):
		why = "the server does not accept the client certificate" + c.expiry()
	case errors.As(err, &authority):
		why = "the server's certificate is not signed by the certificate authority in the kubeconfig"
	case errors.As(err, &invalid):
		why = "the server's certificate is not valid for the kubeconfig"
	case isAnswer(err):
		why = "the server answers with an error"
	default:
		return fault.Failed(fault.NetworkDown, fmt.Errorf("%s %s: no connection: %w", doing, c.name, err))
	}
	return fault.ByUser(fmt.Errorf("%s %s: %s: %w", doing, c.name, why, err))
}

// expiry says that the client's certificate has expired, or is "".
func (c *Cluster) expiry() string {
	block, _ := pem.Decode(c.certData)
	if block == nil {
		return ""
	}
	certificate, err := x509.ParseCertificate(block.Bytes)
	if err != nil || time.Now().Before(certificate.NotAfter) {
		return ""
	}
	return fmt.Sprintf(": the client certificate in the kubeconfig expired on %s", certificate.NotAfter.UTC().Format(time.RFC3339))
}

// isAnswer reports whether a server answered, with an error.
func isAnswer(err error) bool {
	var status apierrors.APIStatus
	return errors.As(err, &status)
}

// isTimeout reports whether an answer took too long.
func isTimeout(err error) bool {
	var timeout net.Error
	var connection *net.OpError
	if errors.As(err, &connection) && connection.Op == "dial" {
		return false // nobody answers at all
	}
	return errors.As(err, &timeout) && timeout.Timeout() || apierrors.IsTimeout(err) || apierrors.IsServerTimeout(err)
}
