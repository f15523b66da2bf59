package source

import (
	"errors"
	"fmt"
	"go/ast"
	"path/filepath"
	"slices"
	"strings"
)

// The folder of the packages of API groups, and the file with the versions that resources are
// stored in.
const (
	groupsFolder  = "pkg/apis"
	storageSource = "pkg/kubeapiserver/default_storage_factory_builder.go"
)

// group returns the name of the API group of a package.
func (t tree) group(importPath string) (string, error) { return t.constant(importPath, "GroupName") }

// readStorageVersions reads the resources that are not stored in the newest version:
// coordination.Resource("leases").WithVersion("v1").
func readStorageVersions(t tree, into *Facts) error {
	file, err := t.parse(storageSource)
	if err != nil {
		return err
	}
	literal := variable(file, "resources")
	if literal == nil {
		return fmt.Errorf("%s: the release declares no list of resources", storageSource)
	}
	into.StorageVersions = map[string]string{}
	imported := imports(file)
	var failed []error
	for _, e := range literal.Elts {
		resource, version, err := t.storedAs(e, imported)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		into.StorageVersions[resource] = version
	}
	return errors.Join(failed...)
}

// storedAs reads one element of the list.
func (t tree) storedAs(e ast.Expr, imported map[string]string) (resource, version string, err error) {
	unknown := fmt.Errorf("%s: an element is not written as group.Resource(NAME).WithVersion(VERSION)", storageSource)
	on, version, is := method(e, "WithVersion")
	if !is {
		return "", "", unknown
	}
	pkg, name, is := method(on, "Resource")
	id, named := pkg.(*ast.Ident)
	if !is || !named || imported[id.Name] == "" {
		return "", "", unknown
	}
	group, err := t.group(imported[id.Name])
	return group + "/" + name, version, err
}

// method returns the receiver and the only argument, a string, of a call.
func method(e ast.Expr, name string) (on ast.Expr, arg string, is bool) {
	call, is := e.(*ast.CallExpr)
	if !is || len(call.Args) != 1 {
		return nil, "", false
	}
	selector, is := call.Fun.(*ast.SelectorExpr)
	if !is || selector.Sel.Name != name {
		return nil, "", false
	}
	arg, is = stringOf(call.Args[0])
	return selector.X, arg, is
}

// readVersionPriority reads in which order each group has its versions.
func readVersionPriority(t tree, into *Facts) error {
	files, err := t.glob(groupsFolder + "/*/install/install.go")
	if err != nil {
		return err
	}
	into.VersionPriority = map[string][]string{}
	var failed []error
	for _, name := range files {
		group, versions, err := t.priority(name)
		if err != nil {
			failed = append(failed, err)
			continue
		}
		if len(versions) > 0 {
			into.VersionPriority[group] = versions
		}
	}
	return errors.Join(failed...)
}

// priority reads SetVersionPriority(v1.SchemeGroupVersion, v1beta1.SchemeGroupVersion).
func (t tree) priority(name string) (group string, versions []string, err error) {
	file, err := t.parse(name)
	if err != nil {
		return "", nil, err
	}
	imported := imports(file)
	ast.Inspect(file, func(n ast.Node) bool {
		call, is := n.(*ast.CallExpr)
		if !is || called(call) != "SetVersionPriority" {
			return true
		}
		for _, a := range call.Args {
			at := packageOf(a, imported)
			if at == "" {
				err = fmt.Errorf("%s: an argument is no group version of a package", name)
				return false
			}
			versions = append(versions, filepath.Base(at))
		}
		return false
	})
	if err != nil || len(versions) == 0 {
		return "", nil, err
	}
	group, err = t.group(serverModule + "/" + strings.TrimSuffix(name, "/install/install.go"))
	return group, versions, err
}

// called returns the name of the function or method that is called.
func called(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.SelectorExpr:
		return f.Sel.Name
	case *ast.Ident:
		return f.Name
	}
	return ""
}

// packageOf returns the import path of the package in pkg.Name.
func packageOf(e ast.Expr, imported map[string]string) string {
	selector, is := e.(*ast.SelectorExpr)
	if !is {
		return ""
	}
	id, is := selector.X.(*ast.Ident)
	if !is {
		return ""
	}
	return imported[id.Name]
}

// glob returns the files of the server's module that match a pattern, by their paths in it.
func (t tree) glob(pattern string) ([]string, error) {
	found, err := filepath.Glob(t.at(pattern))
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, fmt.Errorf("%s: the release has no such file", pattern)
	}
	for i, f := range found {
		below, err := filepath.Rel(t.at("."), f)
		if err != nil {
			return nil, err
		}
		found[i] = filepath.ToSlash(below)
	}
	slices.Sort(found)
	return found, nil
}
