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
	"strings"
)

// Objects are examples by group, version and resource: "apps/v1/deployments", "v1/configmaps".
// They have no apiVersion and no kind.
type Objects map[string]json.RawMessage

// file is the path of the examples in a release's module.
const file = "test/integration/etcd/data.go"

// Stub is what the storage path test of a release says of one resource.
type Stub struct {
	// Object is a valid object, without apiVersion and kind.
	Object json.RawMessage
	// Mutated are members of the object with other values; nil: the test has none.
	Mutated json.RawMessage
	// Status is a status that the object's status subresource accepts; nil: the test has none.
	Status json.RawMessage
	// Path is the key of the stored object, below the default prefix: /registry/pods/NAMESPACE/NAME.
	Path string
	// StoredAs is the version and kind that it is stored in, "apps/v1 Deployment"; "": in its
	// own.
	StoredAs string
	// Needs are objects that must exist before.
	Needs []json.RawMessage
}

// Stubs are by group, version and resource, as Objects are.
type Stubs map[string]Stub

// Objects returns the valid objects alone.
func (s Stubs) Objects() Objects {
	objects := Objects{}
	for key, stub := range s {
		objects[key] = stub.Object
	}
	return objects
}

// ReadStubs reads what the storage path test of the module k8s.io/kubernetes in a folder says of
// resources. It replaces the namespace in it by the given one.
func ReadStubs(folder, namespace string) (Stubs, error) {
	text, err := os.ReadFile(filepath.Join(folder, filepath.FromSlash(file)))
	if err != nil {
		return nil, fmt.Errorf("examples of objects: %w", err)
	}
	return parse(text, namespace)
}

// theirNamespace is the namespace in the paths of the test, whose text is not put together.
const theirNamespace = "etcdstoragepathtestnamespace"

func parse(text []byte, namespace string) (Stubs, error) {
	parsed, err := parser.ParseFile(token.NewFileSet(), file, text, parser.SkipObjectResolution)
	if err != nil {
		return nil, fmt.Errorf("examples of objects: %w", err)
	}
	r := reader{names: map[string]string{"namespace": namespace}, namespace: namespace, stubs: Stubs{}}
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
	return r.stubs, nil
}

// reader collects the examples of one file.
type reader struct {
	names     map[string]string // the values of variables
	namespace string
	stubs     Stubs
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
	stub := Stub{}
	for _, e := range data.Elts {
		if member, is := e.(*ast.KeyValueExpr); is {
			r.member(&stub, member)
		}
	}
	if stub.Object != nil {
		r.stubs[Key(group, version, resource)] = stub
	}
}

// member adds one member of a test's entry to a stub.
func (r reader) member(stub *Stub, member *ast.KeyValueExpr) {
	name, _ := member.Key.(*ast.Ident)
	if name == nil {
		return
	}
	switch name.Name {
	case "Stub":
		stub.Object = r.object(member.Value)
	case "MutatedStub":
		stub.Mutated = r.object(member.Value)
	case "StatusStub":
		stub.Status = r.object(member.Value)
	case "ExpectedEtcdPath":
		stub.Path = strings.ReplaceAll(r.text(member.Value), theirNamespace, r.namespace)
	case "ExpectedGVK":
		if call, is := member.Value.(*ast.CallExpr); is && len(call.Args) == 3 {
			stub.StoredAs = strings.TrimPrefix(r.text(call.Args[0])+"/"+r.text(call.Args[1])+" "+r.text(call.Args[2]), "/")
		}
	case "Prerequisites":
		ast.Inspect(member.Value, func(n ast.Node) bool {
			if e, is := n.(*ast.KeyValueExpr); is {
				var needed Stub
				if r.member(&needed, e); needed.Object != nil {
					stub.Needs = append(stub.Needs, needed.Object)
				}
			}
			return true
		})
	}
}

// object returns the JSON of a Go string expression; nil if it is not JSON.
func (r reader) object(e ast.Expr) json.RawMessage {
	if text := r.text(e); json.Valid([]byte(text)) {
		return json.RawMessage(text)
	}
	return nil
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
