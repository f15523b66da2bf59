package source

import (
	"fmt"
	"go/ast"
)

// pluginsSource is the file with the admission plug-ins.
const pluginsSource = "pkg/kubeapiserver/options/plugins.go"

// readPlugins reads the plug-ins that are on by default, in the order of all of them.
func readPlugins(t tree, into *Facts) error {
	file, err := t.parse(pluginsSource)
	if err != nil {
		return err
	}
	order := variable(file, "AllOrderedPlugins")
	on := arguments(file, "defaultOnPlugins")
	if order == nil || len(on) == 0 {
		return fmt.Errorf("%s: the release declares no AllOrderedPlugins, or no defaultOnPlugins", pluginsSource)
	}
	imported, isOn := imports(file), map[string]bool{}
	for _, e := range on {
		name, err := t.named(e, serverModule+"/pkg/kubeapiserver/options", imported)
		if err != nil {
			return err
		}
		isOn[name] = true
	}
	for _, e := range order.Elts {
		name, err := t.named(e, serverModule+"/pkg/kubeapiserver/options", imported)
		if err != nil {
			return err
		}
		if isOn[name] {
			into.AdmissionPlugins = append(into.AdmissionPlugins, name)
		}
	}
	return nil
}

// arguments returns those of the call whose result is assigned to a variable.
func arguments(file *ast.File, name string) (args []ast.Expr) {
	ast.Inspect(file, func(n ast.Node) bool {
		assigned, is := n.(*ast.AssignStmt)
		if !is || len(assigned.Lhs) != 1 || len(assigned.Rhs) != 1 {
			return true
		}
		id, isName := assigned.Lhs[0].(*ast.Ident)
		call, isCall := assigned.Rhs[0].(*ast.CallExpr)
		if isName && isCall && id.Name == name {
			args = call.Args
		}
		return true
	})
	return args
}
