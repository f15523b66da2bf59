package skewtest_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/skewsim/skewsim/scenarios/tiers"
	"github.com/skewsim/skewsim/servers/neighbours"
	"github.com/skewsim/skewsim/sim/skewtest"
)

// converter converts lamps between versions that have the same fields. One that forgets leaves the colour out of v2.
func converter(forgets bool) http.Handler {
	type object = map[string]any
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var review struct {
			APIVersion string `json:"apiVersion"`
			Kind       string `json:"kind"`
			Request    struct {
				UID               string   `json:"uid"`
				DesiredAPIVersion string   `json:"desiredAPIVersion"`
				Objects           []object `json:"objects"`
			} `json:"request"`
		}
		if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		converted := []object{}
		for _, o := range review.Request.Objects {
			o["apiVersion"] = review.Request.DesiredAPIVersion
			if spec, is := o["spec"].(object); is && forgets && review.Request.DesiredAPIVersion == "webhook.example.dev/v2" {
				delete(spec, "colour")
			}
			converted = append(converted, o)
		}
		_ = json.NewEncoder(w).Encode(object{"apiVersion": review.APIVersion, "kind": review.Kind, "response": object{
			"uid": review.Request.UID, "convertedObjects": converted, "result": object{"status": "Success"},
		}})
	})
}

// TestKubernetesWebhook: an operator's own conversion runs in the process of its test. One that keeps everything
// passes, and one that loses a field is found out, for the reason that it is.
func TestKubernetesWebhook(t *testing.T) {
	tiers.Need(t, tiers.Kubernetes)
	_, newest := neighbours.Pair(t)
	for _, forgets := range []bool{false, true} {
		t.Run(fmt.Sprintf("forgets %t", forgets), func(t *testing.T) {
			env := skewtest.Start(t, skewtest.Old("crd:testdata/webhook/old"), skewtest.New("crd:testdata/webhook/new"),
				skewtest.Server(newest.Reference), skewtest.Webhook(converter(forgets)))
			s := skewtest.Scenario("lamps")
			s.Object("lamp", skewtest.Bystander(map[string]any{
				"apiVersion": "webhook.example.dev/v1", "kind": "Lamp", "spec": map[string]any{"colour": "red", "watts": 5},
			}))
			s.Create("lamp", skewtest.ViaOld)
			s.Touch("lamp").APIVersions("webhook.example.dev/v1", "webhook.example.dev/v2").AtEveryStage()
			if forgets {
				s.Expect(
					skewtest.Violation(skewtest.CheckRule4, skewtest.CauseConverted).At(".spec.colour"),
					skewtest.Violation(skewtest.CheckNothingLost).At(".spec.colour"),
				)
			}
			env.Run(t, s)
		})
	}
}

// admitting serves converter, and admits lamps: it sets the watts of a lamp that has none, and refuses one without a
// colour. One that overwrites sets the watts of every lamp.
func admitting(overwrites bool) http.Handler {
	type object = map[string]any
	admit := func(do func(spec, response object)) http.HandlerFunc {
		return func(w http.ResponseWriter, r *http.Request) {
			var review struct {
				APIVersion string `json:"apiVersion"`
				Kind       string `json:"kind"`
				Request    struct {
					UID    string `json:"uid"`
					Object struct {
						Spec object `json:"spec"`
					} `json:"object"`
				} `json:"request"`
			}
			if err := json.NewDecoder(r.Body).Decode(&review); err != nil {
				http.Error(w, err.Error(), http.StatusBadRequest)
				return
			}
			response := object{"uid": review.Request.UID, "allowed": true}
			do(review.Request.Object.Spec, response)
			_ = json.NewEncoder(w).Encode(object{"apiVersion": review.APIVersion, "kind": review.Kind, "response": response})
		}
	}
	mux := http.NewServeMux()
	mux.Handle("/convert", converter(false))
	mux.Handle("/default-lamp", admit(func(spec, response object) {
		if _, is := spec["watts"]; !is || overwrites {
			response["patchType"], response["patch"] = "JSONPatch", []byte(`[{"op":"add","path":"/spec/watts","value":1}]`)
		}
	}))
	mux.Handle("/validate-lamp", admit(func(spec, response object) {
		if _, is := spec["colour"]; !is {
			response["allowed"], response["status"] = false, object{"message": "spec.colour: required"}
		}
	}))
	return mux
}

// TestKubernetesWebhookAdmits: an operator's own defaulting and validating webhooks run in the process of its test, at
// the paths that the test names. What one overwrites is found, and what one refuses is that test's to expect.
func TestKubernetesWebhookAdmits(t *testing.T) {
	tiers.Need(t, tiers.Kubernetes)
	_, newest := neighbours.Pair(t)
	for _, overwrites := range []bool{false, true} {
		t.Run(fmt.Sprintf("overwrites %t", overwrites), func(t *testing.T) {
			env := skewtest.Start(t, skewtest.Old("crd:testdata/webhook/old"), skewtest.New("crd:testdata/webhook/new"),
				skewtest.Server(newest.Reference), skewtest.Webhook(admitting(overwrites), "/default-lamp", "/validate-lamp"))
			s := skewtest.Scenario("admitted-lamps")
			s.Object("lamp", skewtest.Bystander(map[string]any{
				"apiVersion": "webhook.example.dev/v1", "kind": "Lamp", "spec": map[string]any{"colour": "red", "watts": 5},
			}))
			s.Create("lamp", skewtest.ViaOld)
			s.Touch("lamp").APIVersions("webhook.example.dev/v1", "webhook.example.dev/v2").AtEveryStage()
			if overwrites {
				s.Expect(skewtest.Violation(skewtest.CheckNothingLost, skewtest.CauseNotAdmitted).At(".spec.watts"))
			}
			env.Run(t, s)
		})
	}
}
