package main

import (
	"go/ast"
	"go/token"
	"slices"
)

// block adds the mutants of statements that follow each other.
func (in *instrumenter) block(list []ast.Stmt) {
	for _, s := range list {
		if removable(s) {
			in.wrap(s, "if !"+in.add(StatementRemoved, s)+" { ", " }", func() { in.visit(s) })
		} else {
			in.visit(s)
		}
	}
}

// removable reports whether the program still compiles without the statement, and the
// statement is about more than the wording of a message.
func removable(s ast.Stmt) bool {
	switch t := s.(type) {
	case *ast.ExprStmt:
		call, ok := t.X.(*ast.CallExpr)
		return ok && !isPanic(call)
	case *ast.AssignStmt:
		return t.Tok != token.DEFINE && !slices.ContainsFunc(t.Lhs, isMessage)
	case *ast.BranchStmt:
		return t.Tok == token.BREAK || t.Tok == token.CONTINUE
	case *ast.IncDecStmt:
		return true
	}
	return false
}

func isPanic(call *ast.CallExpr) bool {
	id, ok := call.Fun.(*ast.Ident)
	return ok && id.Name == "panic"
}

// isMessage reports whether the assigned value is a text for a reader.
func isMessage(e ast.Expr) bool {
	s, ok := e.(*ast.SelectorExpr)
	return ok && s.Sel.Name == "Message"
}

// visit adds the mutants of a node and of what is in it.
func (in *instrumenter) visit(n ast.Node) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch t := n.(type) {
		case *ast.FuncLit:
			in.function(in.inside[len(in.inside)-1].name, t.Type, t.Body)
			return false
		case *ast.BlockStmt:
			in.block(t.List)
			return false
		case *ast.IfStmt:
			in.ifStatement(t)
			return false
		case *ast.ForStmt:
			in.forStatement(t)
			return false
		case *ast.RangeStmt:
			in.visit(t.X)
			in.loop(t.Body)
			return false
		case *ast.SwitchStmt:
			in.switchStatement(t)
			return false
		case *ast.CaseClause: // of a type switch
			in.block(t.Body)
			return false
		case *ast.CommClause:
			in.block(t.Body)
			return false
		case *ast.ReturnStmt:
			in.returned(t)
			return false
		case *ast.BinaryExpr:
			return !in.binary(t)
		case *ast.DeclStmt: // constants stay constant
			return t.Decl.(*ast.GenDecl).Tok != token.CONST
		case *ast.ArrayType:
			return false
		}
		return true
	})
}

func (in *instrumenter) visitAll(all ...ast.Node) {
	for _, n := range all {
		in.visit(n)
	}
}

// condition adds the mutants of a condition: it always holds, and never.
func (in *instrumenter) condition(e ast.Expr) {
	always, never := in.add(ConditionTrue, e), in.add(ConditionFalse, e)
	in.wrap(e, "((", " || "+always+") && !"+never+")", func() { in.visit(e) })
}

func (in *instrumenter) ifStatement(s *ast.IfStmt) {
	if s.Init != nil {
		in.visit(s.Init)
	}
	in.condition(s.Cond)
	in.block(s.Body.List)
	if s.Else != nil {
		in.visit(s.Else)
	}
}

// forStatement leaves out the condition that always holds: such a loop has no end.
func (in *instrumenter) forStatement(s *ast.ForStmt) {
	if s.Init != nil {
		in.visit(s.Init)
	}
	if s.Cond != nil {
		in.visit(s.Cond)
	}
	if s.Post != nil {
		in.visit(s.Post)
	}
	if s.Cond == nil { // with a break it would be no end of its function
		in.block(s.Body.List)
		return
	}
	in.loop(s.Body)
}

// loop adds the mutant that leaves a loop at once.
func (in *instrumenter) loop(body *ast.BlockStmt) {
	if len(body.List) == 0 {
		return
	}
	on := in.add(LoopSkipped, body.List[0])
	in.insert(body.Lbrace+1, " if "+on+" { break }; ")
	in.block(body.List)
}

// switchStatement adds conditions where cases are conditions.
func (in *instrumenter) switchStatement(s *ast.SwitchStmt) {
	if s.Init != nil {
		in.visit(s.Init)
	}
	if s.Tag != nil {
		in.visit(s.Tag)
	}
	for _, clause := range s.Body.List {
		c := clause.(*ast.CaseClause)
		for _, e := range c.List {
			if s.Tag == nil {
				in.condition(e)
			}
		}
		in.block(c.Body)
	}
}

// returned adds the mutants of a return: zero values and, for a predicate, true.
func (in *instrumenter) returned(s *ast.ReturnStmt) {
	f := in.inside[len(in.inside)-1]
	if slices.ContainsFunc(s.Results, func(e ast.Expr) bool { return !isZero(e) }) {
		kind := ZeroReturned
		if f.single {
			kind = EmptyFunction
		}
		in.insert(s.Pos(), "if "+in.add(kind, s)+" { return "+f.zeros()+" }; ")
	}
	for i, e := range s.Results {
		if len(s.Results) == len(f.results) && f.results[i] == "bool" && !isIdent(e, "true") {
			in.wrap(e, "(", " || "+in.add(TrueReturned, e)+")", func() { in.visit(e) })
		} else {
			in.visit(e)
		}
	}
}

// isZero reports whether an expression is written as its type's zero value.
func isZero(e ast.Expr) bool {
	switch t := e.(type) {
	case *ast.BasicLit:
		return t.Value == `""` || t.Value == "0"
	case *ast.CompositeLit:
		_, named := t.Type.(*ast.Ident)
		return named && len(t.Elts) == 0
	}
	return isIdent(e, "nil") || isIdent(e, "false")
}

func isIdent(e ast.Expr, name string) bool {
	id, ok := e.(*ast.Ident)
	return ok && id.Name == name
}

// binary adds the mutants of an operator, and reports whether there were any.
func (in *instrumenter) binary(e *ast.BinaryExpr) bool {
	switch e.Op {
	case token.LAND, token.LOR:
		in.operand(e.Op, e.X)
		in.operand(e.Op, e.Y)
		return true
	case token.LSS, token.GTR:
		on := in.add(Boundary, e)
		equal := in.text(e.X) + " == " + in.text(e.Y)
		in.wrap(e, "(", " || "+on+" && "+equal+")", func() { in.visitAll(e.X, e.Y) })
		return true
	case token.LEQ, token.GEQ:
		on := in.add(Boundary, e)
		equal := in.text(e.X) + " == " + in.text(e.Y)
		in.wrap(e, "(", " && !("+on+" && "+equal+"))", func() { in.visitAll(e.X, e.Y) })
		return true
	case token.ADD, token.SUB:
		return in.oneMore(e)
	}
	return false
}

// oneMore changes a number that is added or taken away.
func (in *instrumenter) oneMore(e *ast.BinaryExpr) bool {
	number, ok := e.Y.(*ast.BasicLit)
	if !ok || number.Kind != token.INT {
		return false
	}
	in.wrap(e, "mutantPlus("+in.add(OneMore, e)+", ", ")", func() { in.visit(e.X) })
	return true
}

// operand adds the mutant that leaves an operand out.
func (in *instrumenter) operand(op token.Token, e ast.Expr) {
	if inner, ok := e.(*ast.BinaryExpr); ok && inner.Op == op {
		in.visit(e) // its own operands are left out
		return
	}
	on := in.add(OperandDropped, e)
	if op == token.LAND {
		in.wrap(e, "(", " || "+on+")", func() { in.visit(e) })
	} else {
		in.wrap(e, "(", " && !"+on+")", func() { in.visit(e) })
	}
}
