package examples

import (
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"strconv"
)

// Objects are examples by group, version and resource: "apps/v1/deployments", "v1/configmaps".
// They have no apiVersion and no kind.
type Objects map[string]json.RawMessage

// file is the path of the examples in a release's module.
const file = "test/integration/etcd/data.go"

// Read reads the examples of the module k8s.io/kubernetes in a folder. It replaces the
// namespace in them by the given one.
func Read(folder, namespace string) (Objects, error) {
	text, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(file)))
	if err != nil {
		return nil, fmt.Errorf("examples of objects: %w", err)
	}
	return parse(text, namespace)
}

func parse(text []byte, namespace string) (Objects, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("examples of objects: %w", err)
	}
	r := reader{names: map[string]string{"namespace": namespace}, objects: Objects{}}
	ast.Inspect(parsed, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.KeyValueExpr: // gvr("apps", "v1", "deployments"): {Stub: `{...}`}
			r.entry(n.Key, n.Value)
		case *ast.AssignStmt: // data[gvr(...)] = StorageData{Stub: `{...}`}
			for i, left := range n.Lhs {
				if at, is := left.(*ast.IndexExpr); is && i < len(n.Rhs) {
					r.entry(at.Index, n.Rhs[i])
				}
			}
		}
		return true
	})
	return r.objects, nil
}

// reader collects the examples of one file.
type reader struct {
	names   map[string]string // the values of variables
	objects Objects
}

func (r reader) entry(key, value ast.Expr) {
	call, is := key.(*ast.CallExpr)
	if !is || len(call.Args) != 3 {
		return
	}
	if name, is := call.Fun.(*ast.Ident); !is || name.Name != "gvr" {
		return
	}
	group, version, resource := r.text(call.Args[0]), r.text(call.Args[1]), r.text(call.Args[2])
	data, is := value.(*ast.CompositeLit)
	if !is || version == "" || resource == "" {
		return
	}
	for _, e := range data.Elts {
		member, is := e.(*ast.KeyValueExpr)
		if !is {
			continue
		}
		name, _ := member.Key.(*ast.Ident)
		if stub := r.text(member.Value); name != nil && name.Name == "Stub" && json.Valid([]byte(stub)) {
			r.objects[Key(group, version, resource)] = json.RawMessage(stub)
		}
	}
}

// Key returns the key of a resource in Objects.
func Key(group, version, resource string) string {
	if group == "" {
		return version + "/" + resource
	}
	return group + "/" + version + "/" + resource
}

// text evaluates a Go string expression of literals, variables and concatenations. An unknown
// variable or call becomes a plain word: it is an image's name.
func (r reader) text(e ast.Expr) string {
	switch e := e.(type) {
	case *ast.BasicLit:
		text, err := strconv.Unquote(e.Value)
		if err == nil {
			return text
		}
	case *ast.BinaryExpr:
		return r.text(e.X) + r.text(e.Y)
	case *ast.ParenExpr:
		return r.text(e.X)
	case *ast.Ident:
		if text, known := r.names[e.Name]; known {
			return text
		}
	}
	return "example"
}
