package crd

import (
	"cmp"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/skewsim/skewsim/scenarios/term"
	"github.com/skewsim/skewsim/servers"
)

// admissionGroup is the group of the configurations of admission webhooks.
const admissionGroup = "admissionregistration.k8s.io"

// configurationKinds are the kinds of those configurations, with their plurals.
var configurationKinds = map[string]string{
	"ValidatingWebhookConfiguration": "validatingwebhookconfigurations",
	"MutatingWebhookConfiguration":   "mutatingwebhookconfigurations",
}

// noticed is how long a server may take to learn, by a watch, that its admission webhooks changed: it
// says nowhere that it has.
const noticed = time.Second

// Configuration is a ValidatingWebhookConfiguration or a MutatingWebhookConfiguration of a release.
type Configuration struct {
	Kind, Name string
	JSON       json.RawMessage
	file       string
	line       int
}

func (c Configuration) place() string { return fmt.Sprintf("%s:%d", c.file, c.line) }

// named says what a configuration is, and where it is from.
func (c Configuration) named() string { return fmt.Sprintf("%s: %s %s", c.place(), c.Kind, c.Name) }

// admitted returns the configurations with the webhooks whose path a program serves. Left out are, in
// words, all others.
func admitted(all []Configuration, paths []string) (kept []servers.Configuration, leftOut []string, err error) {
	for _, c := range all {
		var body map[string]any
		if err := json.Unmarshal(c.JSON, &body); err != nil {
			return nil, nil, err
		}
		webhooks, _ := body["webhooks"].([]any)
		var served []any
		for _, w := range webhooks {
			webhook, _ := w.(map[string]any)
			at := pathOf(webhook)
			if slices.Contains(paths, at) {
				served = append(served, webhook)
				continue
			}
			leftOut = append(leftOut, fmt.Sprintf("%s: webhook %v: nobody serves %s", c.named(), webhook["name"], cmp.Or(at, "it")))
		}
		if len(served) == 0 {
			continue
		}
		body["webhooks"] = served
		text, err := json.Marshal(body)
		if err != nil {
			return nil, nil, err
		}
		kept = append(kept, servers.Configuration{Plural: configurationKinds[c.Kind], Name: c.Name, JSON: text})
	}
	return kept, leftOut, nil
}

// IsAdmittedAt reports whether a webhook of the release's configurations is asked at one of some paths.
func (s Set) IsAdmittedAt(paths []string) bool {
	kept, _, err := admitted(s.Admission, paths)
	return err == nil && len(kept) > 0
}

// pathOf returns the path that a server asks a webhook at; "" if it names none.
func pathOf(webhook map[string]any) string {
	client, _ := webhook["clientConfig"].(map[string]any)
	if service, is := client["service"].(map[string]any); is {
		at, _ := service["path"].(string)
		return cmp.Or(at, "/")
	}
	address, is := client["url"].(string)
	parsed, err := url.Parse(address)
	if err != nil || !is {
		return ""
	}
	return cmp.Or(parsed.Path, "/")
}

// addressed returns a configuration whose webhooks are asked at the front.
func (h *webhook) addressed(configuration []byte) ([]byte, error) {
	var body map[string]any
	if err := json.Unmarshal(configuration, &body); err != nil {
		return nil, err
	}
	webhooks, _ := body["webhooks"].([]any)
	for _, w := range webhooks {
		webhook, _ := w.(map[string]any)
		webhook["clientConfig"] = map[string]any{"url": strings.TrimSuffix(h.url, convertPath) + pathOf(webhook), "caBundle": h.ca}
	}
	return json.Marshal(body)
}

// configure has a server ask the admission webhooks of a release, and no others that were asked
// before. It returns when the server has had time to notice.
func (p *programs) configure(ctx context.Context, of *servers.Program, server servers.Endpoint) error {
	next := map[string]string{}
	for _, c := range of.Admission {
		body, err := p.front.addressed(c.JSON)
		if err != nil {
			return err
		}
		next[c.Plural+"/"+c.Name] = string(body)
	}
	to, changed := newInstallerAt(server), false
	defer to.http.CloseIdleConnections()
	ctx, to.progress = watchProgress(ctx, maxStall, errStalled)
	defer to.progress.end()
	for at, body := range next {
		if p.configured[at] != body {
			changed = true
			if err := to.configure(ctx, http.MethodPatch, at+"?force=true&fieldManager="+Manager, []byte(body)); err != nil {
				return err
			}
		}
	}
	for at := range p.configured {
		if _, stays := next[at]; !stays {
			changed = true
			if err := to.configure(ctx, http.MethodDelete, at, nil); err != nil {
				return err
			}
		}
	}
	p.configured = next
	if !changed {
		return nil
	}
	select {
	case <-time.After(noticed):
		return nil
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// configure sends one change of a configuration until the server has taken it.
func (to *installer) configure(ctx context.Context, method, at string, body []byte) error {
	for wait := firstPause; ; wait = longer(wait) {
		code, answer, err := to.ask(ctx, method, "/apis/"+admissionGroup+"/v1/"+at, body, "application/json")
		switch {
		case err == nil && (code < 300 || method == http.MethodDelete && code == http.StatusNotFound):
			return nil
		case err == nil && code < 500 && code != http.StatusConflict && code != http.StatusTooManyRequests:
			return &servers.RequestError{Err: fmt.Errorf("the server refuses the configuration %s: %d: %s", at, code, answer)}
		}
		if err := to.pause(ctx, wait, "configure "+at, code, answer, err); err != nil {
			return err
		}
	}
}

// errNobodyAdmits is why a call fails while no program runs that admits it.
var errNobodyAdmits = errors.New("nobody admits: no program runs")

// Admit implements admitter.
func (p *programs) Admit(ctx context.Context, path string, review []byte) (code int, answer []byte, err error) {
	answers, running := p.answers()
	if answers == nil || running == nil {
		return 0, nil, errNobodyAdmits
	}
	return running.Admit(ctx, path, review)
}

// maxMarks bounds the paths of one answer: servers cut off long warnings.
const maxMarks = 20

// marked adds to an answer what its patch changes, so that who sent the call is told. An answer that it
// does not understand stays as it is.
func marked(answer []byte) []byte {
	var review map[string]any
	if json.Unmarshal(answer, &review) != nil {
		return answer
	}
	response, _ := review["response"].(map[string]any)
	encoded, _ := response["patch"].(string)
	patch, err := base64.StdEncoding.DecodeString(encoded)
	var operations []struct {
		Path string `json:"path"`
	}
	if err != nil || len(patch) == 0 || json.Unmarshal(patch, &operations) != nil {
		return answer
	}
	warnings, _ := response["warnings"].([]any)
	for _, o := range operations[:min(len(operations), maxMarks)] {
		warnings = append(warnings, term.MutationWarning(o.Path))
	}
	response["warnings"] = warnings
	text, err := json.Marshal(review)
	if err != nil {
		return answer
	}
	return text
}
