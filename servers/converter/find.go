package converter

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/build"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/skewsim/skewsim/servers"
)

// Found are the conversions of a module.
type Found struct {
	// Module is the module's path.
	Module string
	// ControllerRuntime is the version of controller-runtime that the module requires; "": none.
	ControllerRuntime string
	// Packages have convertible types of controller-runtime, or the hubs that they are converted
	// to, sorted by path.
	Packages []Package
	// Converters are values of NewHubSpokeConverter, sorted by package and name.
	Converters []Converter
	// Knative are the kinds that Knative's library converts, sorted by hub.
	Knative []Kind
	// MissingSetups are what conversions answer until somebody sets them up.
	MissingSetups []servers.MissingSetup

	all map[string]Package // by path: every package that was read
}

// Package is a package of API types.
type Package struct {
	Path string // of the import
	// Group is the API group of its types, as +groupName says; "": nothing says.
	Group string
	// Add is the function that adds its types to a scheme: AddToScheme.
	Add string
	// Getter is how a conversion of the package asks which version a kind of another group is served
	// in, as cluster-api's do: the parameters of the function that SetAPIVersionGetter takes; "": none does.
	Getter string
	// Spokes and Hubs are the names of its types.
	Spokes, Hubs []string

	imports map[string]bool
	// knative are the names of types that implement Knative's Convertible, each with the types that
	// its methods name.
	knative map[string][]Type
}

// Type is a type of a package.
type Type struct{ Package, Name string }

func (t Type) String() string { return t.Package + "." + t.Name }

func compareTypes(a, b Type) int {
	return cmp.Or(strings.Compare(a.Package, b.Package), strings.Compare(a.Name, b.Name))
}

// IsEmpty reports whether the module has no conversions.
func (f Found) IsEmpty() bool { return len(f.Packages)+len(f.Converters)+len(f.Knative) == 0 }

// Kinds returns the kinds that the module converts, each once as Kind.group. Types of a package that does not say of
// which group it is are left out: a kind of the same name may be another project's.
func (f Found) Kinds() (names []string) {
	add := func(group, kind string) {
		if group != "" {
			names = append(names, kind+"."+group)
		}
	}
	for _, p := range f.Packages {
		for _, kind := range slices.Concat(p.Spokes, p.Hubs) {
			add(p.Group, kind)
		}
	}
	for _, c := range f.Converters {
		add(f.all[c.Hub.Package].Group, c.Hub.Name)
	}
	for _, k := range f.Knative {
		for _, t := range k.Types {
			add(f.all[t.Package].Group, t.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// Find finds the conversions of the module in a directory. Errors: the module cannot be
// read, its types are in no package that adds them to a scheme, nothing says which version of a kind
// is the hub, or its programs name kinds of Knative beside types of controller-runtime. Packages of controller-runtime's types without
// a function that adds them are left out: no server serves their types.
func Find(dir string) (Found, error) {
	text, err := os.ReadFile(filepath.Join(dir, "go.mod"))
	if err != nil {
		return Found{}, err
	}
	mod, err := modfile.ParseLax("go.mod", text, nil)
	if err != nil || mod.Module == nil {
		return Found{}, fmt.Errorf("%s: not a go.mod: %w", filepath.Join(dir, "go.mod"), err)
	}
	f := Found{Module: mod.Module.Mod.Path, all: map[string]Package{}}
	for _, r := range mod.Require {
		if r.Mod.Path == runtimeModule {
			f.ControllerRuntime = r.Mod.Version
		}
	}
	var named []Kind // by the module's own main packages
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
		s, err := survey(at, path.Join(f.Module, filepath.ToSlash(below)))
		if s.isImportable {
			f.all[s.Path] = s.Package
			f.Converters = append(f.Converters, s.converters...)
			f.MissingSetups = append(f.MissingSetups, s.missing...)
		}
		named = append(named, s.kinds...)
		return err
	})
	if err != nil {
		return f, err
	}
	slices.SortFunc(f.Converters, Converter.compare)
	if err := f.choosePackages(); err != nil {
		return f, err
	}
	if f.IsEmpty() {
		f.Knative, err = knativeKinds(f.all, named)
		return f, err
	}
	if len(named) > 0 {
		return f, fmt.Errorf("kind %s converts with Knative's library, and other kinds of the module with controller-runtime: one program serves one of them: %s", named[0].Hub, needsFile)
	}
	return f, nil
}

// choosePackages keeps the packages of controller-runtime's types.
func (f *Found) choosePackages() error {
	var without []Package
	for _, p := range needed(slices.Collect(maps.Values(f.all))) {
		if p.Add == "" {
			without = append(without, p)
			continue
		}
		f.Packages = append(f.Packages, p)
	}
	hasSpokes := func(p Package) bool { return len(p.Spokes) > 0 }
	if i := slices.IndexFunc(without, hasSpokes); i >= 0 && !slices.ContainsFunc(f.Packages, hasSpokes) {
		p := without[i]
		return fmt.Errorf("package %s has convertible types (%s), and neither AddToScheme nor SchemeBuilder, which add them to a scheme", p.Path, strings.Join(append(p.Spokes, p.Hubs...), ", "))
	}
	return nil
}

// isLeftOut reports whether a directory has no packages of the module that could be imported.
func isLeftOut(at, name string) bool {
	if strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || slices.Contains([]string{"vendor", "testdata", "node_modules", "third_party"}, name) {
		return true
	}
	_, err := os.Stat(filepath.Join(at, "go.mod")) // another module
	return err == nil
}

// needed returns the packages with spokes, and those with their hubs. A spoke's package imports that of its hub, in any of its
// files, or else, where a conversion is by way of JSON, the hub has the name and the group of the spoke.
func needed(all []Package) (some []Package) {
	for _, p := range all {
		isHubOf := func(spoke Package) bool {
			return len(spoke.Spokes) > 0 && (spoke.imports[p.Path] || isNamedLike(p, spoke))
		}
		if len(p.Spokes) > 0 || len(p.Hubs) > 0 && slices.ContainsFunc(all, isHubOf) {
			some = append(some, p)
		}
	}
	slices.SortFunc(some, func(a, b Package) int { return strings.Compare(a.Path, b.Path) })
	return some
}

// isNamedLike reports whether a hub and a spoke are of one kind, as far as packages say of which group their types are.
func isNamedLike(hub, spoke Package) bool {
	isSpoke := func(name string) bool { return slices.Contains(spoke.Spokes, name) }
	return hub.Group != "" && hub.Group == spoke.Group && slices.ContainsFunc(hub.Hubs, isSpoke)
}

// groupName matches the marker that says of which API group the types of a package are.
var groupName = regexp.MustCompile(`(?m)^//\s*\+groupName=(\S+)`)

// surveyed is what the files of one package declare.
type surveyed struct {
	Package
	isImportable bool
	converters   []Converter
	kinds        []Kind // that composite literals name
	missing      []servers.MissingSetup
}

var (
	// conversionWords are the words of which a file has one that declares conversions, or adds types to a scheme.
	conversionWords = regexp.MustCompile(`Hub|SchemeBuilder|AddToScheme|apis\.Convertible|GroupKindConversion`)
	// errorWords are those of a file that may have errors of conversions that nobody set up.
	errorWords = regexp.MustCompile(`errors\.New|fmt\.Errorf`)
)

// survey reads the files of a package that may declare a conversion.
func survey(dir, importPath string) (surveyed, error) {
	s := surveyed{Package: Package{Path: importPath, imports: map[string]bool{}}}
	of, err := build.ImportDir(dir, 0)
	if err != nil {
		return s, nil // no package
	}
	s.isImportable = of.Name != "main"
	for _, imported := range of.Imports {
		s.imports[imported] = true
	}
	var files []source
	for _, name := range of.GoFiles {
		text, err := os.ReadFile(filepath.Join(dir, name))
		if err != nil {
			return s, err
		}
		if of := groupName.FindSubmatch(text); of != nil {
			s.Group = string(of[1])
		}
		converts := conversionWords.Match(text)
		if !converts && !errorWords.Match(text) {
			continue
		}
		set := token.NewFileSet()
		file, err := parser.ParseFile(set, name, text, parser.SkipObjectResolution)
		switch {
		case err != nil && converts:
			return s, fmt.Errorf("package %s: %w", importPath, err)
		case err != nil:
			continue
		}
		files = append(files, newSource(set, file, importPath))
	}
	s.declared(files)
	return s, s.readKinds(files)
}

// declared notes what the files of a package declare.
func (s *surveyed) declared(files []source) {
	to, from := map[string]bool{}, map[string]bool{}
	for _, file := range files {
		s.methods(file, to, from)
		s.converters = append(s.converters, convertersIn(file)...)
	}
	for name := range to {
		if from[name] {
			s.Spokes = append(s.Spokes, name)
		}
	}
	slices.Sort(s.Spokes)
	slices.Sort(s.Hubs)
	s.knative = knativeTypes(files)
	s.missing = missingSetups(files)
}

// methods notes the functions of a file.
func (s *surveyed) methods(file source, to, from map[string]bool) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				if value, is := spec.(*ast.ValueSpec); is {
					for _, name := range value.Names {
						s.adds(name.Name)
					}
				}
			}
		case *ast.FuncDecl:
			name := receiver(d)
			switch {
			case d.Recv == nil && d.Name.Name == versionGetter:
				s.Getter = parametersOfGetter(d)
			case d.Recv == nil:
				s.adds(d.Name.Name)
			case d.Name.Name == "Hub" && len(d.Type.Params.List) == 0 && d.Type.Results == nil:
				s.Hubs = append(s.Hubs, name)
			case d.Name.Name == "ConvertTo" && takesHub(d):
				to[name] = true
			case d.Name.Name == "ConvertFrom" && takesHub(d):
				from[name] = true
			}
		}
	}
}

// versionGetter is the function that cluster-api's main programs call before they serve.
const versionGetter = "SetAPIVersionGetter"

// parametersOfGetter returns the parameters of the function that SetAPIVersionGetter takes: with a context from
// cluster-api v1.14 on.
func parametersOfGetter(d *ast.FuncDecl) string {
	if len(d.Type.Params.List) == 1 {
		if f, is := d.Type.Params.List[0].Type.(*ast.FuncType); is && f.Params.NumFields() > 1 {
			return "_ context.Context, gk schema.GroupKind"
		}
	}
	return "gk schema.GroupKind"
}

// adds notes the function that adds the types of the package to a scheme.
func (p *Package) adds(name string) {
	switch {
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
