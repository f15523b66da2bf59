package redact_test

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"

	"github.com/skewsim/skewsim/sim/redact"
)

const salt = "salt"

// secrets are what no output may hold: the value, and its base64.
var secrets = []string{"hunter2", "aHVudGVyMg=="}

func decode(t *testing.T, text string) any {
	t.Helper()
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	return v
}

func encode(t *testing.T, v any) string {
	t.Helper()
	data, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(data)
}

func TestBodyHidesEveryFormASecretIsSentIn(t *testing.T) {
	cases := map[string]struct{ body, stays string }{
		"object":         {`{"kind":"Secret","metadata":{"name":"s"},"data":{"p":"aHVudGVyMg=="},"type":"Opaque"}`, `"type":"Opaque"`},
		"stringData":     {`{"kind":"Secret","stringData":{"p":"hunter2"}}`, `"p":"sha256:`},
		"last applied":   {`{"kind":"Secret","metadata":{"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{hunter2}","a":"b"}}}`, `"a":"b"`},
		"list":           {`{"kind":"SecretList","items":[{"data":{"p":"aHVudGVyMg=="}}]}`, `"kind":"SecretList"`},
		"merge patch":    {`{"data":{"p":"aHVudGVyMg==","gone":null}}`, `"gone":null`},
		"json patch":     {`[{"op":"replace","path":"/data/p","value":"aHVudGVyMg=="},{"op":"add","path":"/metadata/labels/a","value":"b"}]`, `"value":"b"`},
		"json patch map": {`[{"op":"add","path":"/stringData","value":{"p":"hunter2"}}]`, `"path":"/stringData"`},
		"json patch all": {`[{"op":"replace","path":"","value":{"data":{"p":"aHVudGVyMg=="}}}]`, `"op":"replace"`},
		"annotation op":  {`[{"op":"add","path":"/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration","value":"hunter2"}]`, `"op":"add"`},
		"annotations op": {`[{"op":"add","path":"/metadata/annotations","value":{"kubectl.kubernetes.io/last-applied-configuration":"hunter2","a":"b"}}]`, `"a":"b"`},
		"plain string":   {`"hunter2"`, `sha256:`},
		"data no map":    {`{"data":"hunter2"}`, `"data"`},
		"data nested":    {`{"data":{"p":{"q":["hunter2", 7]}}}`, `"q"`},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got := encode(t, redact.For(nil).Body("Secret", decode(t, c.body), salt))
			for _, s := range secrets {
				if strings.Contains(got, s) {
					t.Errorf("%s shows %s", got, s)
				}
			}
			if !strings.Contains(got, c.stays) {
				t.Errorf("%s lacks %s", got, c.stays)
			}
		})
	}
}

func TestRedactLeavesOtherKindsAndItsArgument(t *testing.T) {
	other := decode(t, `{"kind":"ConfigMap","data":{"p":"hunter2"}}`).(map[string]any)
	if got := redact.For(nil).Redact(other, salt); !reflect.DeepEqual(got, other) {
		t.Errorf("ConfigMap changed: %v", got)
	}
	secret := decode(t, `{"kind":"Secret","data":{"p":"aHVudGVyMg=="}}`).(map[string]any)
	before := encode(t, secret)
	redact.For(nil).Redact(secret, salt)
	if after := encode(t, secret); after != before {
		t.Errorf("argument changed: %s", after)
	}
	list := decode(t, `{"kind":"List","items":[{"kind":"Secret","data":{"p":"aHVudGVyMg=="}},{"kind":"Pod"}]}`).(map[string]any)
	if got := encode(t, redact.For(nil).Redact(list, salt)); strings.Contains(got, secrets[1]) || !strings.Contains(got, "Pod") {
		t.Errorf("list: %s", got)
	}
}

func TestValue(t *testing.T) {
	sent := redact.For(nil).Value("Secret", ".stringData.p", "hunter2", salt)
	answered := redact.For(nil).Value("Secret", ".data.p", "aHVudGVyMg==", salt)
	if sent != answered || !redact.IsFingerprint(sent) {
		t.Errorf("sent %v, answered %v: want one fingerprint", sent, answered)
	}
	if again := redact.For(nil).Value("Secret", ".data.p", answered, salt); again != answered {
		t.Errorf("redacted twice: %v, want %v", again, answered)
	}
	if other := redact.For(nil).Value("Secret", ".data.p", "aHVudGVyMg==", "other"); other == answered {
		t.Error("another salt gives the same fingerprint")
	}
	const annotation = `.metadata.annotations["kubectl.kubernetes.io/last-applied-configuration"]`
	for _, path := range []string{annotation, ".metadata.annotations.kubectl.kubernetes.io/last-applied-configuration", `.data["a.b"]`, ".data", `.stringData`} {
		if !redact.IsFingerprint(redact.For(nil).Value("Secret", path, "x", salt)) {
			t.Errorf("%s is shown", path)
		}
	}
	for _, c := range [][2]string{{"Secret", ".type"}, {"Secret", ".metadata.labels.data"}, {"Pod", ".data.p"}, {"Secret", ""}} {
		if got := redact.For(nil).Value(c[0], c[1], "x", salt); got != "x" {
			t.Errorf("%v is hidden: %v", c, got)
		}
	}
	if got := redact.For(nil).Withhold("Secret", ".data", map[string]any{"p": "x", "q": answered}); !reflect.DeepEqual(got, map[string]any{"p": redact.Withheld, "q": answered}) {
		t.Errorf("withheld: %v", got)
	}
	if got := redact.For(nil).Value("Secret", ".data.p", nil, salt); got != nil {
		t.Errorf("null became %v", got)
	}
}

func TestScrubberTakesEveryFormOutOfAMessage(t *testing.T) {
	values := redact.For(nil).Values("Secret", decode(t, `{"data":{"p":"aHVudGVyMg=="},"stringData":{"q":"tab\there"}}`))
	values = append(values, redact.For(nil).Values("", decode(t, `{"kind":"Secret","data":{"p":"c2Vjb25k"}}`))...)
	got := redact.Scrubber(values).Replace(`a hunter2 b aHVudGVyMg== c tab\there d second`)
	if want := "a W b W c W d W"; strings.ReplaceAll(got, redact.Withheld, "W") != want {
		t.Errorf("got %q", got)
	}
	if got := redact.For(nil).Values("Pod", decode(t, `{"kind":"Pod","data":{"p":"hunter2"}}`)); len(got) != 0 {
		t.Errorf("values of a Pod: %v", got)
	}
}
