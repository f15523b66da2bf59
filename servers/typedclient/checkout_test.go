package typedclient

import (
	"go/ast"
	"go/parser"
	"go/token"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/skewsim/skewsim/servers"
	"github.com/skewsim/skewsim/servers/build"
)

// TestStamped: of a checkout the stamp alone tells the release.
func TestStamped(t *testing.T) {
	main, files, err := stampedFiles()
	require.NoError(t, err)
	files["main.go"] = main
	where := map[string][]string{}
	for name, text := range files {
		file, err := parser.ParseFile(token.NewFileSet(), name, text, 0)
		require.NoError(t, err)
		assert.Equal(t, "main", file.Name.Name, name)
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
				where[f.Name.Name] = append(where[f.Name.Name], name)
			}
		}
	}
	assert.Equal(t, []string{"stamp.go"}, where["release"])
	assert.Equal(t, []string{"main.go"}, where["main"])
}

// TestOldCheckout: typed clients of one that is too old are refused before anything is built.
func TestOldCheckout(t *testing.T) {
	_, err := FromCheckout(t.Context(), nil, &build.Checkout{Reference: "source:x", Version: "v1.30.0-alpha.1-dirty"}, nil)
	var request *servers.RequestError
	require.ErrorAs(t, err, &request)
	assert.EqualError(t, err, `typed-client of source:x: version "v1.30.0-alpha.1-dirty": typed clients can be built of v1.31.0 and later`)
}
