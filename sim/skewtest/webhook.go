package skewtest

import (
	"encoding/json"
	"encoding/pem"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/skewsim/skewsim/servers/program"
)

// Webhook has the handler convert the objects of "crd:" releases, in place of the webhook that their
// definitions name: an operator's own code, in the process of its test, such as
//
//	skewtest.Webhook(conversion.NewWebhookHandler(scheme, registry)) // of sigs.k8s.io/controller-runtime/pkg/webhook/conversion
//
// It gets each ConversionReview at /convert, on loopback, and converts for both releases. A release
// whose definitions need no conversion does not ask it.
//
// The handler also validates and sets defaults: it gets each AdmissionReview at one of the paths of admits,
// as the ValidatingWebhookConfigurations and MutatingWebhookConfigurations beside the definitions name them.
// Webhooks of other paths are left out. Default: none is asked.
func Webhook(handler http.Handler, admits ...string) Option {
	return func(c *config) {
		c.webhook, c.admits = handler, admits
		c.require(handler != nil, "Webhook(nil): has no handler: leave the option out")
		for i, path := range admits {
			c.require(strings.HasPrefix(path, "/"), "Webhook: %q: want a path that admits, such as /validate-widget", path)
			c.require(path != program.DefaultConverts, "Webhook: %q: is the path that converts: want one that admits, such as /validate-widget", path)
			c.require(!slices.Contains(admits[:i], path), "Webhook: %q: is named twice: name each path once", path)
		}
	}
}

// serve starts the handler of Webhook, and writes the program file that names it. Both end with the test.
func (c *config) serve(t testing.TB) error {
	if c.webhook == nil {
		return nil
	}
	server := httptest.NewTLSServer(c.webhook)
	t.Cleanup(server.Close)
	dir := t.TempDir()
	authority := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: server.Certificate().Raw})
	admits, err := json.Marshal(append([]string{}, c.admits...)) // never null
	if err != nil {
		return fmt.Errorf("Webhook: %w", err)
	}
	text := fmt.Sprintf("component: webhook\nurl: %s\ncaFile: ca.crt\nadmits: %s\n", server.URL, admits)
	c.programs = filepath.Join(dir, "program.yaml")
	for name, data := range map[string]string{"ca.crt": string(authority), "program.yaml": text} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
			return fmt.Errorf("Webhook: %w", err)
		}
	}
	return nil
}
