package converter

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/mod/modfile"
)

// Found are the convertible types of a module.
type Found struct {
	// Module is the module's path.
	Module string
	// ControllerRuntime is the version of controller-runtime that the module requires; "": none.
	ControllerRuntime string
	// Packages have the types, sorted by path.
	Packages []Package
}

// Package is a package with convertible types, or with the hubs that they are converted to.
type Package struct {
	Path string // of the import
	// Group is the API group of its types, as +groupName says; "": nothing says.
	Group string
	// Add is the function that adds its types to a scheme: AddToScheme.
	Add string
	// AsksVersions says that its conversions ask which version a kind of another group is served in, by a
	// function that SetAPIVersionGetter sets, as cluster-api's do.
	AsksVersions bool
	// Spokes and Hubs are the names of its types.
	Spokes, Hubs []string

	imports map[string]bool
}

// Kinds returns the kinds that the module converts, each once as Kind.group. Types of a package that does not say of
// which group it is are left out: a kind of the same name may be another project's.
func (f Found) Kinds() (names []string) {
	for _, p := range f.Packages {
		for _, kind := range slices.Concat(p.Spokes, p.Hubs) {
			if p.Group != "" {
				names = append(names, kind+"."+p.Group)
			}
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Find finds the convertible types of the module in a directory. Errors: the module cannot be
// read, or no package with such types has a function that adds them to a scheme. Packages without one
// are left out: no server serves their types.
func Find(dir string) (Found, error) {
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return Found{}, err
	}
	mod, err := modfile.ParseLax("go.mod", text, nil)
	if err != nil || mod.Module == nil {
		return Found{}, fmt.Errorf("%s: not a go.mod: %w", filepath.Join(dir, "go.mod"), err)
	}
	f := Found{Module: mod.Module.Mod.Path}
	for _, r := range mod.Require {
		if r.Mod.Path == runtimeModule {
			f.ControllerRuntime = r.Mod.Version
		}
	}
	var all []Package
	err = filepath.WalkDir(dir, func(at string, d fs.DirEntry, err error) error {
		if err != nil || !d.IsDir() {
			return err
		}
		if at != dir && isLeftOut(at, d.Name()) {
			return filepath.SkipDir
		}
		below, err := filepath.Rel(dir, at)
		if err != nil {
			return err
		}
		p, err := inspect(at, path.Join(f.Module, filepath.ToSlash(below)))
		if len(p.Spokes)+len(p.Hubs) > 0 {
			all = append(all, p)
		}
		return err
	})
	var without []Package
	for _, p := range needed(all) {
		if p.Add == "" {
			without = append(without, p)
			continue
		}
		f.Packages = append(f.Packages, p)
	}
	hasSpokes := func(p Package) bool { return len(p.Spokes) > 0 }
	if i := slices.IndexFunc(without, hasSpokes); i >= 0 && !slices.ContainsFunc(f.Packages, hasSpokes) && err == nil {
		p := without[i]
		err = fmt.Errorf("package %s has convertible types (%s), and neither AddToScheme nor SchemeBuilder, which add them to a scheme", p.Path, strings.Join(append(p.Spokes, p.Hubs...), ", "))
	}
	return f, err
}

// isLeftOut reports whether a directory has no packages of the module that could be imported.
func isLeftOut(at, name string) bool {
	if strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || slices.Contains([]string{"vendor", "testdata", "node_modules", "third_party"}, name) {
		return true
	}
	_, err := os.Stat(filepath.Join(at, "go.mod")) // another module
	return err == nil
}

// needed returns the packages with spokes, and those with the hubs that they import.
func needed(all []Package) (some []Package) {
	for _, p := range all {
		isHubOf := func(spoke Package) bool { return len(spoke.Spokes) > 0 && spoke.imports[p.Path] }
		if len(p.Spokes) > 0 || slices.ContainsFunc(all, isHubOf) {
			some = append(some, p)
		}
	}
	slices.SortFunc(some, func(a, b Package) int { return strings.Compare(a.Path, b.Path) })
	return some
}

// groupName matches the marker that says of which API group the types of a package are.
var groupName = regexp.MustCompile(`(?m)^//\s*\+groupName=(\S+)`)

// inspect reads the files of a package that may declare a hub or a spoke.
func inspect(dir, importPath string) (Package, error) {
	p := Package{Path: importPath, imports: map[string]bool{}}
	of, err := build.ImportDir(dir, 0)
	if err != nil || of.Name == "main" {
		return p, nil // no package, or none that can be imported
	}
	to, from := map[string]bool{}, map[string]bool{}
	for _, name := range of.GoFiles {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return p, err
		}
		if of := groupName.FindSubmatch(text); of != nil {
			p.Group = string(of[1])
		}
		if !bytes.Contains(text, []byte("Hub")) && !bytes.Contains(text, []byte("SchemeBuilder")) && !bytes.Contains(text, []byte("AddToScheme")) {
			continue
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.SkipObjectResolution)
		if err != nil {
			return p, err
		}
		p.declared(file, to, from)
	}
	for name := range to {
		if from[name] {
			p.Spokes = append(p.Spokes, name)
		}
	}
	slices.Sort(p.Spokes)
	slices.Sort(p.Hubs)
	return p, nil
}

// declared notes what a file declares.
func (p *Package) declared(file *ast.File, to, from map[string]bool) {
	converts := false
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			for _, s := range d.Specs {
				if value, is := s.(*ast.ValueSpec); is {
					for _, name := range value.Names {
						p.adds(name.Name)
					}
				}
			}
		case *ast.FuncDecl:
			name := receiver(d)
			switch {
			case d.Recv == nil:
				p.adds(d.Name.Name)
			case d.Name.Name == "Hub" && len(d.Type.Params.List) == 0 && d.Type.Results == nil:
				p.Hubs = append(p.Hubs, name)
			case d.Name.Name == "ConvertTo" && takesHub(d):
				to[name], converts = true, true
			case d.Name.Name == "ConvertFrom" && takesHub(d):
				from[name], converts = true, true
			}
		}
	}
	for _, i := range file.Imports {
		if imported, err := strconv.Unquote(i.Path.Value); err == nil && converts {
			p.imports[imported] = true
		}
	}
}

// versionGetter is the function that cluster-api's main programs call before they serve.
const versionGetter = "SetAPIVersionGetter"

// adds notes the function that adds the types of the package to a scheme, and the one that sets it up.
func (p *Package) adds(name string) {
	switch {
	case name == versionGetter:
		p.AsksVersions = true
	case name == "AddToScheme":
		p.Add = name
	case name == "SchemeBuilder" && p.Add == "":
		p.Add = name + ".AddToScheme"
	}
}

// receiver returns the name of a method's type; "" for a function.
func receiver(d *ast.FuncDecl) string {
	if d.Recv == nil || len(d.Recv.List) != 1 {
		return ""
	}
	of := d.Recv.List[0].Type
	if pointer, is := of.(*ast.StarExpr); is {
		of = pointer.X
	}
	if name, is := of.(*ast.Ident); is {
		return name.Name
	}
	return ""
}

// takesHub reports whether a method has one parameter, a Hub of another package, and returns one
// value.
func takesHub(d *ast.FuncDecl) bool {
	if len(d.Type.Params.List) != 1 || d.Type.Results == nil || len(d.Type.Results.List) != 1 {
		return false
	}
	of, is := d.Type.Params.List[0].Type.(*ast.SelectorExpr)
	return is && of.Sel.Name == "Hub"
}
