package apiserver_test

import (
	"net/http"
	"net/url"
	"testing"

	"github.com/stretchr/testify/assert"
)

// TestSmokeFieldLabels: a reference to a field is converted as the field is: what v5
// selects by spec.arg, the other versions select by spec.param ("Edit
// conversion.go"). Nobody selects by what another version calls it.
func TestFrobberFieldLabels(t *testing.T) {
	s := newKernel(t).start(t, "1.28", "--runtime-config=frobbing.example.com/v7alpha1=true")
	s.create("one", `{"height":3,"param":"x"}`)
	s.create("two", `{"height":3,"param":"y"}`)
	named := map[string]string{"v5": "spec.arg", "v6": "spec.param", "v7beta1": "spec.param", "v7alpha1": "spec.param"}
	for version, own := range named {
		for _, label := range []string{"spec.arg", "spec.param", "metadata.name", "spec.height"} {
			value := "y"
			if label == "metadata.name" {
				value = "two"
			}
			path := "/apis/frobbing.example.com/" + version + "/namespaces/default/frobbers?fieldSelector=" + url.QueryEscape(label+"="+value)
			if label != own && label != "metadata.name" {
				a := s.do("GET", path, "").json(t, http.StatusBadRequest)
				assert.Contains(t, at(a, "message"), "field label not supported: "+label, version)
				continue
			}
			items := s.do("GET", path, "").json(t, http.StatusOK)["items"].([]any)
			if assert.Len(t, items, 1, "%s by %s", version, label) {
				assert.Equal(t, "two", at(items[0], "metadata", "name"), version)
			}
		}
	}
}

// TestSmokeVersionsOff: a version that is off is no part of discovery and answers 404,
// and what was made through it while it was on is served in the others.
func TestFrobberVersionsOff(t *testing.T) {
	k := newKernel(t)
	const v7alpha1 = "/apis/frobbing.example.com/v7alpha1/namespaces/default/frobbers"
	on, off := k.start(t, "1.28", "--runtime-config=frobbing.example.com/v7alpha1=true"), k.start(t, "1.28")
	tilted := `{"apiVersion":"frobbing.example.com/v7alpha1","kind":"Frobber","metadata":{"name":"tilted"},"spec":{"height":3,"param":"x","tilt":-7}}`
	made := on.do("POST", v7alpha1, tilted).json(t, http.StatusCreated)
	assert.Equal(t, -7., at(made, "spec", "tilt"))
	assert.Nil(t, at(made, "metadata", "annotations"))
	assert.Equal(t, http.StatusNotFound, off.do("GET", v7alpha1+"/tilted", "").code)
	assert.Equal(t, http.StatusNotFound, off.do("GET", "/apis/frobbing.example.com/v7alpha1", "").code)
	assert.Len(t, off.do("GET", "/apis/frobbing.example.com", "").json(t, 200)["versions"], 3)
	served := off.do("GET", v6+"/tilted", "").json(t, http.StatusOK)
	assert.Equal(t, "-7", at(served, "metadata", "annotations", "v7alpha1.frobbing.example.com/tilt"))
	off.patch(v6+"/tilted", "application/merge-patch+json", `{"spec":{"height":4}}`).json(t, http.StatusOK)
	again := on.do("GET", v7alpha1+"/tilted", "").json(t, http.StatusOK)
	assert.Equal(t, []any{-7., 4.}, []any{at(again, "spec", "tilt"), at(again, "spec", "height")})
	wrong := `{"metadata":{"annotations":{"v7alpha1.frobbing.example.com/tilt":"46"}}}`
	assert.Equal(t, http.StatusUnprocessableEntity, off.patch(v6+"/tilted", "application/merge-patch+json", wrong).code)

	older := k.start(t, "1.29", "--runtime-config=frobbing.example.com/v5=true")
	assert.Equal(t, http.StatusOK, older.do("GET", "/apis/frobbing.example.com/v5/namespaces/default/frobbers/tilted", "").code)
}

// TestSmokeStorageVersionHashOfTheTrain: it changes with what is stored, not with what is
// served or preferred.
func TestFrobberStorageVersionHashOfTheTrain(t *testing.T) {
	k := newKernel(t)
	hash := func(release, version string) any {
		resources := k.start(t, release).do("GET", "/apis/frobbing.example.com/"+version, "").json(t, 200)["resources"].([]any)
		return at(resources[0], "storageVersionHash")
	}
	stored := hash("1.4", "v6")
	assert.NotEqual(t, hash("1.3", "v6"), stored)
	assert.Equal(t, stored, hash("1.4", "v7beta1"))
	assert.Equal(t, stored, hash("1.5", "v6"))
	assert.Equal(t, stored, hash("1.30", "v6"))
	assert.NotEqual(t, stored, hash("1.28+stored", "v6"))
}
