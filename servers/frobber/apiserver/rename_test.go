package apiserver_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/assert"
)

// sizes are height and width under both names.
func sizes(o map[string]any) string {
	spec, _ := at(o, "spec").(map[string]any)
	return fmt.Sprint(spec["height"], spec["heightInInches"], " ", spec["width"], spec["widthInInches"])
}

// TestSmokeRename is the guide's example, "Multiple API versions".
func TestFrobberRename(t *testing.T) {
	s := newKernel(t).start(t, "1.7")
	assert.Equal(t, "10 10 5 5", sizes(s.create("s", `{"height":10,"width":5}`)))
	put := func(spec string) string {
		return sizes(s.do("PUT", v6+"/s", body("s", spec)).json(t, 200))
	}
	assert.Equal(t, "13 13 5 5", put(`{"height":13,"heightInInches":10,"width":5,"widthInInches":5}`), "the guide's PUT")
	assert.Equal(t, "13 13 5 5", sizes(s.do("GET", v6+"/s", "").json(t, 200)))
	assert.Equal(t, "12 12 5 5", put(`{"height":13,"heightInInches":12,"width":5,"widthInInches":5}`), "a new client's")
	assert.Equal(t, "7 7 6 6", put(`{"height":7,"heightInInches":8,"width":6,"widthInInches":9}`), "both are changed: the former counts")
	assert.Equal(t, "9 9 6 6", put(`{"height":9,"width":6}`), "a client with old types")
	assert.Equal(t, "4 4 3 3", put(`{"heightInInches":4,"widthInInches":3}`), "the new names alone, changed")
	assert.Equal(t, "0 0 0 0", put(`{"height":0,"heightInInches":4,"width":0,"widthInInches":3}`), "0 is a value")

	patch := func(spec string) string {
		return sizes(s.patch(v6+"/s", mergePatch, `{"spec":`+spec+`}`).json(t, 200))
	}
	assert.Equal(t, "0 0 2 2", patch(`{"width":2}`))
	assert.Equal(t, "5 5 2 2", patch(`{"heightInInches":5}`))
	assert.Equal(t, "5 5 1 1", patch(`{"width":null}`), "reset, as before there was another name")
	size := at(s.patch(v7+"/s", mergePatch, `{"spec":{"size":{"height":6}}}`).json(t, 200), "spec", "size")
	assert.Equal(t, 6., at(size, "heightInInches"))
}

// TestSmokeRenamedCreate: a create has no before.
func TestFrobberRenamedCreate(t *testing.T) {
	s := newKernel(t).start(t, "1.7")
	for spec, want := range map[string]string{
		`{}`:                                 "0 0 1 1",
		`{"heightInInches":3}`:               "3 3 1 1",
		`{"widthInInches":0}`:                "0 0 0 0",
		`{"height":2,"heightInInches":3}`:    "2 2 1 1",
		`{"height":null,"heightInInches":3}`: "3 3 1 1",
		`{"height":0,"heightInInches":3}`:    "0 0 1 1",
	} {
		assert.Equal(t, want, sizes(s.create("s", spec)), spec)
		s.do("DELETE", v6+"/s", "").json(t, 200)
	}
}
