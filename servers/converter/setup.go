package converter

import (
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"strings"

	"github.com/skewsim/skewsim/servers"
)

const (
	// setupFile is the name of a set-up in the program's package.
	setupFile = "setup.go"
	// maxSetup bounds its size.
	maxSetup = 1 << 20
)

// Setup is a Go file of the user that sets conversions up: package main, with func setup() error. It may import every
// package that the module can, and use the program's variables: scheme, and registry or kinds and withContext.
type Setup struct {
	file, text string
}

// ReadSetup reads a set-up. Errors: the file cannot be read, is no Go file of package main, or has no such function.
func ReadSetup(file string) (*Setup, error) {
	text, err := servers.ReadRegular(file, maxSetup)
	if err != nil {
		return nil, err
	}
	set := token.NewFileSet()
	parsed, err := parser.ParseFile(set, file, text, parser.SkipObjectResolution|parser.ParseComments)
	switch {
	case err != nil:
		return nil, err
	case parsed.Name.Name != "main":
		return nil, fmt.Errorf("%s: is of package %s: want package main, since it becomes part of a program", set.Position(parsed.Name.Pos()), parsed.Name.Name)
	}
	for _, d := range parsed.Decls {
		f, is := d.(*ast.FuncDecl)
		if !is || f.Recv != nil || f.Name.Name != "setup" {
			continue
		}
		if !isSetup(f.Type) {
			return nil, fmt.Errorf("%s: setup has other parameters or results: want func setup() error", set.Position(f.Pos()))
		}
		return &Setup{file, withoutConstraint(set, parsed, string(text))}, nil
	}
	return nil, fmt.Errorf("%s: has no func setup() error, which is called before conversions are served", file)
}

func isSetup(t *ast.FuncType) bool {
	if t.TypeParams != nil || t.Params.NumFields() != 0 || t.Results.NumFields() != 1 {
		return false
	}
	result, is := t.Results.List[0].Type.(*ast.Ident)
	return is && result.Name == "error"
}

// withoutConstraint returns the text without a build constraint, which keeps the file out of the builds of the folder that it is in.
// Lines keep their numbers.
func withoutConstraint(set *token.FileSet, parsed *ast.File, text string) string {
	for _, group := range parsed.Comments {
		if group.Pos() > parsed.Package {
			break
		}
		for _, c := range group.List {
			if strings.HasPrefix(c.Text, "//go:build") || strings.HasPrefix(c.Text, "// +build") {
				at := set.Position(c.Pos()).Offset
				text = text[:at] + "//" + strings.Repeat(" ", len(c.Text)-2) + text[at+len(c.Text):]
			}
		}
	}
	return text
}

// Explain returns the error of a build with the name of the user's file where it names the copy; nil if the build failed
// for another reason.
func (s *Setup) Explain(err error) error {
	if s == nil || err == nil || !strings.Contains(err.Error(), folder+"/"+setupFile+":") {
		return nil
	}
	text := err.Error()
	for _, at := range []string{"./" + folder + "/" + setupFile, folder + "/" + setupFile} {
		text = strings.ReplaceAll(text, at+":", s.file+":")
	}
	return errors.New("set-up: " + text)
}
