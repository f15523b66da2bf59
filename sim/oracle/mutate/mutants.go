package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"slices"
	"strings"
)

// Kind says what a mutant does to its place.
type Kind string

// The kinds of mutants.
const (
	EmptyFunction    Kind = "empty function"
	ZeroReturned     Kind = "zero returned"
	TrueReturned     Kind = "true returned"
	ConditionTrue    Kind = "condition true"
	ConditionFalse   Kind = "condition false"
	OperandDropped   Kind = "operand dropped"
	Boundary         Kind = "boundary"
	StatementRemoved Kind = "statement removed"
	LoopSkipped      Kind = "loop skipped"
	OneMore          Kind = "one more"
)

// Mutant is one mistake.
type Mutant struct {
	ID       int    `json:"id"` // from 1, in the order of files and places
	File     string `json:"file"`
	Line     int    `json:"line"`
	Function string `json:"function"`
	Kind     Kind   `json:"kind"`
	Text     string `json:"text"` // what is mutated
}

// instrumented is the source of a file with all of its mutants, switched off.
type instrumented struct {
	source  string
	mutants []Mutant
}

// insertion is text that is added to a source.
type insertion struct {
	at   int // offset
	text string
}

// instrumenter adds the mutants of one file.
type instrumenter struct {
	set     *token.FileSet
	name    string
	source  string
	next    int
	mutants []Mutant
	added   []insertion
	inside  []frame
}

// frame is a function around the place that is visited.
type frame struct {
	name    string
	results []string // types, as written
	single  bool     // its body is one return
}

// instrument adds mutants to a source. Their numbers begin at first.
func instrument(name, source string, first int) (instrumented, error) {
	in := &instrumenter{set: token.NewFileSet(), name: filepath.Base(name), source: source, next: first}
	file, err := parser.ParseFile(in.set, name, source, parser.SkipObjectResolution)
	if err != nil {
		return instrumented{}, fmt.Errorf("parse %s: %w", name, err)
	}
	for _, d := range file.Decls {
		if f, ok := d.(*ast.FuncDecl); ok && f.Body != nil {
			in.function(nameOf(f), f.Type, f.Body)
		}
	}
	return instrumented{in.result(), in.mutants}, nil
}

func nameOf(f *ast.FuncDecl) string {
	if f.Recv == nil {
		return f.Name.Name
	}
	of := f.Recv.List[0].Type
	if star, ok := of.(*ast.StarExpr); ok {
		of = star.X
	}
	if id, ok := of.(*ast.Ident); ok {
		return id.Name + "." + f.Name.Name
	}
	return f.Name.Name
}

// result returns the source with the insertions.
func (in *instrumenter) result() string {
	slices.SortStableFunc(in.added, func(a, b insertion) int { return a.at - b.at })
	var b strings.Builder
	last := 0
	for _, i := range in.added {
		b.WriteString(in.source[last:i.at])
		b.WriteString(i.text)
		last = i.at
	}
	b.WriteString(in.source[last:])
	return b.String()
}

// add records a mutant of a node, and returns the expression that is true while it is on.
func (in *instrumenter) add(kind Kind, n ast.Node) string {
	m := Mutant{
		ID: in.next, File: in.name, Line: in.set.Position(n.Pos()).Line, Kind: kind,
		Function: in.inside[len(in.inside)-1].name, Text: firstLine(in.text(n)),
	}
	in.next++
	in.mutants = append(in.mutants, m)
	return fmt.Sprintf("mutantOn(%d)", m.ID)
}

func firstLine(text string) string {
	line, _, more := strings.Cut(text, "\n")
	if more {
		line += " …"
	}
	return line
}

func (in *instrumenter) text(n ast.Node) string {
	return in.source[in.offset(n.Pos()):in.offset(n.End())]
}

func (in *instrumenter) offset(p token.Pos) int { return in.set.Position(p).Offset }

func (in *instrumenter) insert(at token.Pos, text string) {
	in.added = append(in.added, insertion{in.offset(at), text})
}

// wrap writes text around what visit adds to the node.
func (in *instrumenter) wrap(n ast.Node, before, after string, visit func()) {
	in.insert(n.Pos(), before)
	visit()
	in.insert(n.End(), after)
}

// function adds the mutants of a function and of what is in it.
func (in *instrumenter) function(name string, of *ast.FuncType, body *ast.BlockStmt) {
	f := frame{name: name, results: in.results(of)}
	if len(body.List) == 1 {
		_, f.single = body.List[0].(*ast.ReturnStmt)
	}
	in.inside = append(in.inside, f)
	if len(body.List) > 0 && !f.single {
		on := in.add(EmptyFunction, &ast.BasicLit{ValuePos: body.Pos(), Value: "{"})
		in.insert(body.Lbrace+1, fmt.Sprintf(" if %s { return %s }; ", on, f.zeros()))
	}
	in.block(body.List)
	in.inside = in.inside[:len(in.inside)-1]
}

// results returns the types of a function's results, as written.
func (in *instrumenter) results(of *ast.FuncType) (all []string) {
	if of.Results == nil {
		return nil
	}
	for _, field := range of.Results.List {
		for range max(1, len(field.Names)) {
			all = append(all, in.text(field.Type))
		}
	}
	return all
}

// zeros returns the zero values of a function's results, as source.
func (f frame) zeros() string {
	var all []string
	for _, result := range f.results {
		all = append(all, "mutantZero["+result+"]()")
	}
	return strings.Join(all, ", ")
}
