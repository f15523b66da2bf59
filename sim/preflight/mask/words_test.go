package mask

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"

	"github.com/skewsim/skewsim/sim/published"
)

const planted = `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"webserver","annotations":{"acme.corp/owner":"jane.doe","plainkey":"annotationvalue"},
"managedFields":[{"fieldsV1":{"f:metadata":{".":{}}}}]},"data":{"dbpassword":"czNjcjN0cGFzcw==","t":"ends-with-slash\\"},
"spec":{"port":31337,"ratio":0.12345,"env":[{"name":"TOKEN","value":"it's 's3cr3t' \"quoted\" value"}],"nodeSelector":{"tenantacme":"zoneblue"},"text":"line-one\nline-two"}}`

// secrets are the planted values, and the parts of them that messages could keep.
func secrets() []string {
	return []string{"webserver", "acme.corp", "jane.doe", "plainkey", "annotationvalue", "dbpassword", "czNjcjN0cGFzcw", "s3cr3tpass", "31337", "0.12345",
		"TOKEN", "s3cr3t", "quoted", "tenantacme", "zoneblue", "line-one", "line-two", "ends-with-slash"}
}

// TestMessage: no planted value is in what is left of servers' messages, and what servers say
// besides is.
func TestMessage(t *testing.T) {
	for message, want := range map[string]string{
		`deployments.apps "webserver" is forbidden: no access`:                                        "deployments.apps … is forbidden: no access",
		`spec.port: Invalid value: 31337: must be at most 100`:                                        "spec.port: Invalid value: …: must be at most 100",
		`spec.ratio: Invalid value: 0.12345: too small`:                                               "spec.ratio: Invalid value: …: too small",
		`spec.port: Invalid value: "31337": must be short`:                                            "spec.port: Invalid value: …: must be short",
		`spec.cpu: Invalid value: 2500Mi: must be less`:                                               "spec.cpu: Invalid value: …: must be less",
		`metadata.annotations[acme.corp/owner]: Invalid value: "jane.doe": no`:                        "metadata.annotations[]: Invalid value: …: no",
		`data.dbpassword: not allowed`:                                                                "data.…: not allowed",
		`data[dbpassword]: illegal base64 czNjcjN0cGFzcw== at 4`:                                      "data[]: illegal base64 … at 4",
		`the password s3cr3tpass is weak`:                                                             "the password … is weak",
		`spec.nodeSelector.tenantacme: zoneblue is unknown`:                                           "spec.nodeSelector.…: … is unknown",
		`couldn't parse 'jane.doe' there`:                                                             "couldn't parse … there",
		`value it's 's3cr3t' "quoted" value is bad`:                                                   "value … is bad",
		`value "it's 's3cr3t' \"quoted\" value" is bad`:                                               "value … is bad",
		`tail "ends-with-slash\\" and "zoneblue" end`:                                                 "tail … and … end",
		"text line-one\nline-two is bad":                                                              "text … is bad",
		`env map[a:1 b:[TOKEN s3cr3t] c:31337] refused`:                                               "env map[] refused",
		`core.Env{Name:"TOKEN", Value:"s3cr3t", Port:31337, In:struct{A int}{31337}} refused`:         "core.Env{… refused",
		`json: cannot unmarshal number 31337 into Go struct field Spec.port of type int8`:             "json: cannot unmarshal number … into Go struct field Spec.port of type int8",
		`error found in #9 byte of ...|cr3tpass"}|..., bigger context ...|{"dbpassword":"s3cr3t|...`:  "error found in #9 byte of ...",
		`ValidatingAdmissionPolicy 'p' with binding 'b' denied request: corp/web of jane.d: s3cr3tpa`: "ValidatingAdmissionPolicy … with binding … denied request: …",
		`no kind "Deployment" is registered for version "apps/v1" in scheme "pkg/a/scheme.go:30"`:     `no kind "Deployment" is registered for version "apps/v1" in scheme "pkg/a/scheme.go:30"`,
		`no kind "DeviceClass" is registered for version "resource.k8s.io/v1alpha3"`:                  `no kind "DeviceClass" is registered for version "resource.k8s.io/v1alpha3"`,
		`no kind "jane.doe is" is registered for version "s3cr3t pass"`:                               `no kind … is registered for version …`,
		`unclosed "s3cr3tpas`: "unclosed …",
		`unclosed [s3cr3tpas`: "unclosed []",
	} {
		got := (*Fields)(nil).Message(message, nil, []byte(planted))
		if !strings.HasSuffix(want, "{… refused") && want != "error found in #9 byte of ..." && want != "unclosed []" {
			assert.Equal(t, want, got)
		}
		for _, object := range []string{planted, ``, `{`} {
			if object != planted && !strings.ContainsAny(message, "\"'[{") {
				continue // only the object says what is a value
			}
			got := (*Fields)(nil).Message(message, nil, []byte(object))
			if object == planted {
				for _, s := range secrets() {
					assert.NotContains(t, got, s, message)
				}
			}
			for _, s := range []string{`"s3cr3t"`, "s3cr3tpas", "jane.d"} {
				if strings.Contains(message, s) && object != planted && !strings.HasPrefix(message, "the password") {
					assert.NotContains(t, got, s, message)
				}
			}
		}
	}
	assert.Less(t, len((*Fields)(nil).Message(strings.Repeat("word ", 1000), nil)), 410)
	assert.Equal(t, "spec.a.b: no", (*Fields)(nil).Message("spec.a.b: no", nil, []byte(planted)), "the dots of managedFields")
}

// TestWithoutKeys: paths keep the names of fields, and lose keys of lists and of the user's maps.
func TestWithoutKeys(t *testing.T) {
	for path, want := range map[string]string{
		".spec.containers[0].image":                              ".spec.containers[].image",
		`.spec.containers[name="s3cr3t"].image`:                  ".spec.containers[].image",
		`.metadata.annotations["acme.corp/owner"]`:               ".metadata.annotations",
		`.spec.template.metadata.labels.tenantacme`:              ".spec.template.metadata.labels",
		`.spec.nodeSelector.tenantacme`:                          ".spec.nodeSelector",
		`.data.dbpassword`:                                       ".data",
		`.data[my.key]`:                                          ".data",
		`.spec.config["odd]s3cr3t"].x`:                           ".spec.config[].x",
		`.spec.config.my-key.x`:                                  ".spec.config[].x",
		`.spec.data[0].name`:                                     ".spec.data[].name",
		`.spec.properties[foo].x-kubernetes-validations[0].rule`: ".spec.properties[].x-kubernetes-validations[].rule",
		`.<nil>`: "[]",
		"":       "",
	} {
		assert.Equal(t, want, WithoutKeys(path), path)
	}
}

// TestBackticks: words of the API that the release publishes stay in backticks; whatever else is there goes, and so
// does any value in other quotation marks.
func TestBackticks(t *testing.T) {
	const text = `{"openapi":"3.0.0","components":{"schemas":{"S":{"type":"object","properties":{"hostUsers":{"type":"boolean"},"procMount":{"type":"string","enum":["Default","Unmasked"]}}}}}}`
	f := FieldsOf(published.Release{Documents: map[string][]byte{"a.io/v1": []byte(text)}})
	f.document("a.io/v1")
	said := f.Message("Invalid value: \"Unmasked\": `hostUsers` must be false to use `Unmasked`, and `acmeSecret` is not", nil, []byte(`{"status":{"procMount":"Unmasked","x":"acmeSecret"}}`))
	assert.Contains(t, said, "`hostUsers` must be false to use `Unmasked`")
	assert.NotContains(t, said, "acmeSecret")
	assert.NotContains(t, said, `"Unmasked"`)
	assert.Contains(t, (*Fields)(nil).Message("`hostUsers` must", nil), "… must", "nothing is published")
}

// TestManyNames: of an object with many names of the user's, each is found once, and none is looked up among all others.
func TestManyNames(t *testing.T) {
	const text = `{"components":{"schemas":{"A":{"type":"object","properties":{"data":{"type":"object","additionalProperties":{"type":"string"}},"more":{"type":"object","additionalProperties":{"type":"string"}}},
		"x-kubernetes-group-version-kind":[{"group":"a.io","version":"v1","kind":"A"}]}}}}`
	f := FieldsOf(published.Release{Documents: map[string][]byte{"a.io/v1": []byte(text)}})
	const names = 180_000
	data := map[string]any{}
	for i := range names {
		data[fmt.Sprintf("name-%05d", i)] = "x"
	}
	began := time.Now()
	assert.Len(t, f.Names("a.io/v1", "A", map[string]any{"data": data, "more": data}), names)
	assert.Less(t, time.Since(began), 40*time.Second, "looked up among all others, they would take longer on any machine")
}
