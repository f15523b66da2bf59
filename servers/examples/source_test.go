package examples

import (
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

const source = "package etcd\n\n" +
	"func all(namespace string) map[R]Data {\n" +
	"\timage := image.Get(image.BusyBox)\n" +
	"\tdata := map[R]Data{\n" +
	"\t\tgvr(\"\", \"v1\", \"pods\"): {\n\t\t\tStub: `{\"image\": \"` + image + `\", \"in\": \"` + namespace + `\"}`,\n\t\t\tMutatedStub: `{\"x\": 1}`,\n\t\t},\n" +
	"\t\tgvr(\"apps\", \"v1\", \"deployments\"): {ExpectedEtcdPath: \"/x\", Stub: \"{\\\"a\\\": 1}\"},\n" +
	"\t\tgvr(\"apps\", \"v2\", \"broken\"): {Stub: `{`},\n" +
	"\t\tother(\"apps\", \"v2\", \"x\"): {Stub: `{}`},\n" +
	"\t}\n" +
	"\tdata[gvr(\"apps\", \"v2\", \"late\")] = Data{Stub: `{\"late\": true}`}\n" +
	"\treturn data\n}\n"

// TestParse: a resource's own object is read, however its text is put together; what is no
// JSON, or belongs to something else, is left out.
func TestParse(t *testing.T) {
	all, err := parse([]byte(source), "here")
	require.NoError(t, err)
	texts := map[string]string{}
	for key, object := range all {
		texts[key] = string(object)
	}
	assert.Equal(t, map[string]string{
		"v1/pods": `{"image": "example", "in": "here"}`, "apps/v1/deployments": `{"a": 1}`, "apps/v2/late": `{"late": true}`,
	}, texts)
	_, err = parse([]byte("no Go"), "here")
	assert.Error(t, err)
}
