package preflight

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/sim/preflight/reading"
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

// TestWithoutValues: no planted value is in what is left of servers' messages, and what servers say
// besides is.
func TestWithoutValues(t *testing.T) {
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
		got := withoutValues(message, (*Fields)(nil).uses, nil, []byte(planted))
		if !strings.HasSuffix(want, "{… refused") && want != "error found in #9 byte of ..." && want != "unclosed []" {
			assert.Equal(t, want, got)
		}
		for _, object := range []string{planted, ``, `{`} {
			if object != planted && !strings.ContainsAny(message, "\"'[{") {
				continue // only the object says what is a value
			}
			got := withoutValues(message, (*Fields)(nil).uses, nil, []byte(object))
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
	assert.Less(t, len(withoutValues(strings.Repeat("word ", 1000), (*Fields)(nil).uses, nil)), 410)
	assert.Equal(t, "spec.a.b: no", withoutValues("spec.a.b: no", (*Fields)(nil).uses, nil, []byte(planted)), "the dots of managedFields")
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
		assert.Equal(t, want, withoutKeys(path), path)
	}
}

// TestOwnWords: an object whose name or value is a word of messages, or a part of one, takes nothing from
// what servers and the simulator say; where servers quote it, it is hidden all the same.
func TestOwnWords(t *testing.T) {
	object := `{"metadata":{"name":"apps","labels":{"label":"answered"}},"spec":{"a":"priv","b":"invalid","c":8080,"d":"was"}}`
	s := seen("old", object)
	s.Fields = FieldsOf(published.Release{Resources: []published.Resource{{APIVersion: "apps/v1", Kind: "Deployment", Plural: "deployments"}}})
	refused := reading.Try{Write: reading.Label, Code: 422, Message: `deployments.apps "apps" is invalid: spec.privileged: Invalid value: "priv": port 18080 is not 8080, nor priv`}
	want := "label was answered 422: deployments.apps … is invalid: spec.privileged: Invalid value: …: port 18080 is not …, nor …"
	assert.Equal(t, want, Refusal(s, Up, refused).Message)
	now := seen("new", `{}`, refused)
	now.Fields = s.Fields
	found := Worse(s, now, Up)
	require.Len(t, found, 1)
	assert.Equal(t, want, found[0].Message, "what only the other release shows is hidden once, and nothing else is")
}

// TestSeveralCauses: what a server says of several fields in one list is said of each once, without values.
func TestSeveralCauses(t *testing.T) {
	s := seen("old", `{"metadata":{"name":"web"},"spec":{"hosts":[{"ip":"010.1.2.3"},{"ip":"s3cr3t-4"}]}}`)
	cause := func(field, value string) reading.Cause {
		return reading.Cause{Field: field, Message: `Invalid value: "` + value + `": must not have leading 0s`}
	}
	refused := reading.Try{Write: reading.Label, Code: 422, Message: `as.a.io "web" is invalid: [spec.hosts[0].ip: Invalid value: "010.1.2.3": must not have leading 0s, spec.hosts[1].ip: Invalid value: "s3cr3t-4": must not have leading 0s]`,
		Causes: []reading.Cause{cause("spec.hosts[0].ip", "010.1.2.3"), cause("spec.hosts[1].ip", "s3cr3t-4"), {Field: "spec.x", Message: "Required value: s3cr3t-4 and 010.1.2.3"}}}
	assert.Equal(t, "label was answered 422: as.a.io … is invalid: spec.hosts[].ip: Invalid value: …: must not have leading 0s; spec.x: Required value: … and …", Refusal(s, Up, refused).Message)
}

// TestBackticks: words of the API that the release publishes stay in backticks; whatever else is there goes, and so
// does any value in other quotation marks.
func TestBackticks(t *testing.T) {
	const text = `{"openapi":"3.0.0","components":{"schemas":{"S":{"type":"object","properties":{"hostUsers":{"type":"boolean"},"procMount":{"type":"string","enum":["Default","Unmasked"]}}}}}}`
	f := FieldsOf(published.Release{Documents: map[string][]byte{"a.io/v1": []byte(text)}})
	f.document("a.io/v1")
	said := withoutValues("Invalid value: \"Unmasked\": `hostUsers` must be false to use `Unmasked`, and `acmeSecret` is not", f.uses, nil, []byte(`{"status":{"procMount":"Unmasked","x":"acmeSecret"}}`))
	assert.Contains(t, said, "`hostUsers` must be false to use `Unmasked`")
	assert.NotContains(t, said, "acmeSecret")
	assert.NotContains(t, said, `"Unmasked"`)
	assert.Contains(t, withoutValues("`hostUsers` must", (*Fields)(nil).uses, nil), "… must", "nothing is published")
}
