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
	"\t\tgvr(\"apps\", \"v1\", \"deployments\"): {ExpectedEtcdPath: \"/registry/etcdstoragepathtestnamespace/x\", ExpectedGVK: gvkP(\"apps\", \"v1beta1\", \"Old\"), Stub: \"{\\\"a\\\": 1}\"},\n" +
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
	for key, stub := range all {
		texts[key] = string(stub.Object)
	}
	assert.Equal(t, map[string]string{
		"v1/pods": `{"image": "example", "in": "here"}`, "apps/v1/deployments": `{"a": 1}`, "apps/v2/late": `{"late": true}`,
	}, texts)
	assert.JSONEq(t, `{"x": 1}`, string(all["v1/pods"].Mutated))
	assert.Equal(t, "/registry/here/x", all["apps/v1/deployments"].Path)
	assert.Equal(t, "apps/v1beta1 Old", all["apps/v1/deployments"].StoredAs)
	_, err = parse([]byte("no Go"), "here")
	assert.Error(t, err)
}
