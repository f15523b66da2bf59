package converter

import (
	"cmp"
	"fmt"
	"go/ast"
	"slices"
	"strings"
)

// handlerPackage is where controller-runtime has NewHubSpokeConverter.
const handlerPackage = "controller-runtime/pkg/webhook/conversion"

// What keeps a converter from being made.
const (
	notExported = "it is not exported"
	hiddenHub   = "its first argument is not written as &TYPE{}"
)

// Converter is a value that NewHubSpokeConverter of controller-runtime returned: a variable of a package, or what a function
// returns.
type Converter struct {
	// Package and Name are of the variable or function.
	Package, Name string
	// Value is the expression for the value; "": it cannot be made by another package without arguments.
	Value string
	// Why says then what keeps it from being made.
	Why string
	// Hub is the type that it converts to, and Types are all types that it names, sorted.
	Hub   Type
	Types []Type
}

// missing is what the kind's conversions answer if nobody registered the converter.
func (c Converter) missing() string {
	return fmt.Sprintf("no converter of %s is in registry: %s.%s makes one", c.Hub.Name, c.Package, c.Name)
}

func (c Converter) compare(d Converter) int {
	return cmp.Or(strings.Compare(c.Package, d.Package), strings.Compare(c.Name, d.Name))
}

// convertersIn returns the converters of a file.
func convertersIn(file source) (all []Converter) {
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			for _, spec := range d.Specs {
				value, is := spec.(*ast.ValueSpec)
				if !is {
					continue
				}
				for i, e := range value.Values {
					if i < len(value.Names) {
						all = append(all, variable(file, value.Names[i].Name, e)...)
					}
				}
			}
		case *ast.FuncDecl:
			all = append(all, function(file, d)...)
		}
	}
	return all
}

// made returns the converters that are made below a node.
func made(file source, n ast.Node) (all []Converter) {
	ast.Inspect(n, func(n ast.Node) bool {
		call, is := n.(*ast.CallExpr)
		if !is || len(call.Args) == 0 || !file.calls(call, handlerPackage, "NewHubSpokeConverter") {
			return true
		}
		c := Converter{Package: file.of}
		c.Hub, _ = file.pointerTo(call.Args[0])
		ast.Inspect(call, func(n ast.Node) bool {
			if e, is := n.(ast.Expr); is {
				if of, is := file.pointerTo(e); is {
					c.Types = append(c.Types, of)
				}
			}
			_, is := n.(*ast.FuncLit) // its body converts
			return !is
		})
		slices.SortFunc(c.Types, compareTypes)
		c.Types = slices.Compact(c.Types)
		all = append(all, c)
		return false
	})
	return all
}

// variable returns the converters in the value of a variable of the package.
func variable(file source, name string, value ast.Expr) []Converter {
	all := made(file, value)
	for i := range all {
		all[i].Name = name
		call, is := value.(*ast.CallExpr)
		switch {
		case !is || !file.calls(call, handlerPackage, "NewHubSpokeConverter"):
			all[i].Why = "it is part of another value"
		case !ast.IsExported(name):
			all[i].Why = notExported
		case all[i].Hub.Name == "":
			all[i].Why = hiddenHub
		default:
			all[i].Value = name
		}
	}
	return all
}

// function returns the converters that a function makes.
func function(file source, d *ast.FuncDecl) []Converter {
	if d.Body == nil {
		return nil
	}
	all := made(file, d.Body)
	for i := range all {
		c := &all[i]
		c.Name = strings.TrimPrefix(receiver(d)+"."+d.Name.Name, ".")
		switch {
		case d.Recv != nil:
			c.Why = "it is a method"
		case !ast.IsExported(d.Name.Name):
			c.Why = notExported
		case len(all) > 1:
			c.Why = "it makes several converters"
		case c.Hub.Name == "":
			c.Why = hiddenHub
		case isMaker(file, d.Type):
			c.Value = c.Name
		case d.Type.Params.NumFields() > 0:
			c.Why = fmt.Sprintf("it takes %s", parameters(file, d.Type))
		case !returnsMaker(file, d.Type):
			c.Why = "it returns something else"
		default:
			c.Value = c.Name + "()"
		}
	}
	return all
}

// isMaker reports whether a function takes a scheme and returns a converter, as what NewHubSpokeConverter returns does.
func isMaker(file source, t *ast.FuncType) bool {
	if t.Params.NumFields() != 1 || t.Results == nil || t.Results.NumFields() != 2 {
		return false
	}
	return file.text(t.Params.List[0].Type) == "*runtime.Scheme" && strings.HasSuffix(file.text(t.Results.List[0].Type), "Converter")
}

// returnsMaker reports whether a function returns one such function.
func returnsMaker(file source, t *ast.FuncType) bool {
	if t.Results == nil || t.Results.NumFields() != 1 {
		return false
	}
	f, is := t.Results.List[0].Type.(*ast.FuncType)
	return is && isMaker(file, f)
}

// parameters returns the types of a function's parameters.
func parameters(file source, t *ast.FuncType) string {
	var all []string
	for _, p := range t.Params.List {
		all = append(all, file.text(p.Type))
	}
	return strings.Join(all, ", ")
}

// unmade returns an error for converters that the program cannot make; nil if there is none. With a set-up it is the user who
// makes them, if objects of their kinds are converted.
func (f Found) unmade() error {
	for _, c := range f.Converters {
		if c.Value == "" {
			return fmt.Errorf("%s of package %s makes the conversions of %s, and cannot be used: %s; make them in a Go file of your own, and name it: auto: {setup: FILE.go} in a program file", c.Name, c.Package, cmp.Or(c.Hub.Name, "a kind"), c.Why)
		}
	}
	return nil
}
