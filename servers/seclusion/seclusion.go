package seclusion

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
)

// Alone returns a stored value as it may stand in a copy; nil if it must not. Reason says what was
// changed or left out; "" for nothing. What cannot be read and might call somebody is left out.
func Alone(group, kind string, value []byte) (kept []byte, reason string) {
	switch {
	case group == "admissionregistration.k8s.io" && (kind == "ValidatingWebhookConfiguration" || kind == "MutatingWebhookConfiguration"):
		return nil, "left out: a server of the copy would call its webhooks"
	case group == "apiregistration.k8s.io" && kind == "APIService":
		return local(value)
	case group == "apiextensions.k8s.io" && kind == "CustomResourceDefinition":
		return unconverted(value)
	}
	return value, ""
}

// local leaves out an APIService that another server answers.
func local(value []byte) ([]byte, string) {
	var object struct {
		Spec struct{ Service json.RawMessage }
	}
	err := json.Unmarshal(value, &object)
	if err == nil && (len(object.Spec.Service) == 0 || string(object.Spec.Service) == "null") {
		return value, ""
	}
	return nil, "left out: another server serves it, which the copy must not reach"
}

// unconverted takes the webhook out of a definition.
func unconverted(value []byte) ([]byte, string) {
	var object map[string]any
	digits := json.NewDecoder(bytes.NewReader(value))
	digits.UseNumber() // a large limit would be another one, or none
	if digits.Decode(&object) != nil {
		return nil, "left out: it is not JSON, so it may name a conversion webhook"
	}
	spec, _ := object["spec"].(map[string]any)
	conversion, _ := spec["conversion"].(map[string]any)
	if conversion == nil || conversion["strategy"] != "Webhook" && conversion["webhook"] == nil && conversion["webhookClientConfig"] == nil {
		return value, ""
	}
	spec["conversion"] = map[string]any{"strategy": "None"}
	if bundle := bundleOf(conversion); bundle != "" && !isPEM(bundle) {
		spec["conversion"] = refused(bundle)
	}
	kept, err := json.Marshal(object)
	if err != nil {
		return nil, "left out: its conversion webhook cannot be taken out"
	}
	return kept, "its conversion webhook was taken out: objects are converted without it"
}

// bundleOf returns the certificates by which a conversion's webhook would be known.
func bundleOf(conversion map[string]any) string {
	webhook, _ := conversion["webhook"].(map[string]any)
	config, _ := webhook["clientConfig"].(map[string]any)
	bundle, _ := config["caBundle"].(string)
	return bundle
}

func isPEM(bundle string) bool {
	raw, err := base64.StdEncoding.DecodeString(bundle)
	block, _ := pem.Decode(raw)
	return err == nil && block != nil
}

// refused is a conversion with a bundle that some releases refuse, and with a webhook at a port of
// this machine on which nothing can listen.
func refused(bundle string) map[string]any {
	return map[string]any{"strategy": "Webhook", "webhook": map[string]any{
		"conversionReviewVersions": []string{"v1"}, "clientConfig": map[string]any{"url": "https://127.0.0.1:1/", "caBundle": bundle},
	}}
}
