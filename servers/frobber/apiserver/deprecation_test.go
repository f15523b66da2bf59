package apiserver_test

import (
	"testing"

	"github.com/stretchr/testify/assert"
)

const v5Goes = `299 - "frobbing.example.com/v5 Frobber is deprecated in v1.28+, unavailable in v1.30+; use frobbing.example.com/v7beta1 Frobber"`

// TestSmokeDeprecatedVersion: from 1.28 on every request to v5 gets a warning; requests to
// other versions, and discovery, get none.
func TestFrobberDeprecatedVersion(t *testing.T) {
	const v5, v5All = "/apis/frobbing.example.com/v5/namespaces/default/frobbers", "/apis/frobbing.example.com/v5/frobbers"
	k := newKernel(t)
	before := k.start(t, "1.27")
	before.create("a", `{"height":1}`)
	assert.Empty(t, before.do("GET", v5+"/a", "").header.Values("Warning"), "1.27")
	for name, s := range map[string]*server{
		"1.28": k.start(t, "1.28"),
		"1.29": k.start(t, "1.29", "--runtime-config=frobbing.example.com/v5=true"),
	} {
		for _, a := range []answer{
			s.do("GET", v5+"/a", ""), s.do("GET", v5+"/a/status", ""), s.do("GET", v5All, ""), s.patch(v5+"/a", mergePatch, `{"spec":{"height":2}}`),
			s.do("GET", v5+"/none", ""),
		} {
			assert.Equal(t, []string{v5Goes}, a.header.Values("Warning"), name)
		}
		for _, path := range []string{v6 + "/a", v7 + "/a", "/apis/frobbing.example.com/v5"} {
			assert.Empty(t, s.do("GET", path, "").header.Values("Warning"), "%s %s", name, path)
		}
	}
}
