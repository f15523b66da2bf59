package seclusion

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"k8s.io/client-go/util/cert"
)

// Program converts in a copy, in place of the webhook that definitions name.
type Program struct {
	// URL is where it converts, on loopback, and CA the authority of its certificate, in PEM.
	URL string
	CA  []byte
	// Kinds are the kinds that it converts, each as Kind or Kind.group.
	Kinds []string
}

// Converts reports whether the program converts a kind.
func (p Program) Converts(group, kind string) bool {
	return slices.Contains(p.Kinds, kind) || slices.Contains(p.Kinds, kind+"."+group)
}

// Replaced is the reason of a definition whose webhook is a program.
const Replaced = "its conversion webhook is the program that you named"

// Alone returns a stored value as it may stand in a copy; nil if it must not. Reason says what was
// changed or left out; "" for nothing. What cannot be read and might call somebody is left out. The first of the
// programs that converts the kind of a definition stands in for its webhook.
func Alone(group, kind string, value []byte, programs ...Program) (kept []byte, reason string) {
	switch {
	case group == "admissionregistration.k8s.io" && (kind == "ValidatingWebhookConfiguration" || kind == "MutatingWebhookConfiguration"):
		return nil, "left out: a server of the copy would call its webhooks"
	case group == "apiregistration.k8s.io" && kind == "APIService":
		return answeredHere(value)
	case group == "apiextensions.k8s.io" && kind == "CustomResourceDefinition":
		return unconverted(value, programs)
	}
	return value, ""
}

// answeredHere leaves out an APIService that another server answers.
func answeredHere(value []byte) ([]byte, string) {
	var object struct {
		Spec struct{ Service json.RawMessage }
	}
	err := json.Unmarshal(value, &object)
	if err == nil && (len(object.Spec.Service) == 0 || string(object.Spec.Service) == "null") {
		return value, ""
	}
	return nil, "left out: another server serves it, which the copy must not reach"
}

// unconverted takes the webhook out of a definition, or puts a program in its place.
func unconverted(value []byte, programs []Program) ([]byte, string) {
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
	config := configOf(conversion)
	group, kind := defined(spec)
	for _, p := range programs {
		if conversion["strategy"] == "Webhook" && p.Converts(group, kind) {
			if webhook, is := conversion["webhook"].(map[string]any); config == nil && is { // files may leave it to a patch
				config = map[string]any{}
				webhook["clientConfig"] = config
			}
			if config == nil {
				break
			}
			clear(config)
			config["caBundle"], config["url"] = p.CA, p.URL
			kept, err := json.Marshal(object)
			return kept, outcome(err, Replaced)
		}
	}
	webhook, way := "its conversion webhook"+named(config), wayOf(spec)
	bundle, _ := config["caBundle"].(string)
	if conversion["strategy"] == "Webhook" && !isUsable(bundle) {
		clear(config)
		config["caBundle"], config["url"] = bundle, Unreachable // the service is not called either
		kept, err := json.Marshal(object)
		return kept, outcome(err, webhook+" was replaced by one that cannot be reached: its caBundle holds no certificate, which some releases refuse"+way)
	}
	if conversion["strategy"] != "Webhook" {
		way = "" // nobody converts in the cluster either
	}
	spec["conversion"] = map[string]any{"strategy": "None"}
	kept, err := json.Marshal(object)
	return kept, outcome(err, webhook+" was taken out: objects are read in the version that they are stored in"+way)
}

// defined returns the group and the kind that a definition defines.
func defined(spec map[string]any) (group, kind string) {
	group, _ = spec["group"].(string)
	names, _ := spec["names"].(map[string]any)
	kind, _ = names["kind"].(string)
	return group, kind
}

// wayOf says, after other words, which program would convert the objects of a definition, and what names it.
func wayOf(spec map[string]any) string {
	group, kind := defined(spec)
	kind = strings.TrimSuffix(kind+"."+group, ".")
	var names []string
	versions, _ := spec["versions"].([]any)
	for _, v := range versions {
		version, _ := v.(map[string]any)
		if name, is := version["name"].(string); is && version["served"] == true {
			names = append(names, name)
		}
	}
	between := ""
	if len(names) > 0 {
		between = " (" + strings.Join(names, ", ") + ")"
	}
	return fmt.Sprintf("; --webhooks names the program that converts %s%s: auto:MODULE@VERSION of the operator's Go module, or a program file with kinds: [%s]", kind, between, kind)
}

// named says which webhook a configuration names, in words after a noun; "": it says none.
func named(config map[string]any) string {
	if service, is := config["service"].(map[string]any); is {
		return fmt.Sprintf(" (Service %v/%v)", service["namespace"], service["name"])
	}
	return ""
}

// outcome is what was done; what cannot be written is left out.
func outcome(err error, done string) string {
	if err != nil {
		return "left out: its conversion webhook cannot be taken out"
	}
	return done
}

// Unreachable is the conversion webhook of a definition whose bundle some releases refuse: a port of
// this machine on which nothing listens. Who meets it has needed a conversion.
const Unreachable = "https://127.0.0.1:1/"

// configOf returns how a conversion reaches its webhook: of v1, or of v1beta1.
func configOf(conversion map[string]any) map[string]any {
	if config, is := conversion["webhookClientConfig"].(map[string]any); is {
		return config
	}
	webhook, _ := conversion["webhook"].(map[string]any)
	config, _ := webhook["clientConfig"].(map[string]any)
	return config
}

// isUsable reports whether every release takes a bundle: it is empty, or it holds certificates.
func isUsable(bundle string) bool {
	raw, err := base64.StdEncoding.DecodeString(bundle)
	if err == nil && len(raw) > 0 {
		_, err = cert.ParseCertsPEM(raw)
	}
	return err == nil
}
