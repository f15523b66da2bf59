package table

import (
	_ "embed"

	"github.com/skewsim/skewsim/reports/page/base"
)

var (
	//go:embed table.css
	tableStyle string
	//go:embed rows.js
	rows string
	//go:embed table.js
	table string
	//go:embed start.js
	start string
)

// Style returns the style sheet of a page: that of every page, that of the table, and its own.
func Style(own string) string { return base.Style + tableStyle + own }

// Script returns the script of a page. All of it shares one scope, and the page's own is the last.
func Script(own string) string {
	return "'use strict';\n(() => {\n" + base.Elements + rows + table + start + own + "})();\n"
}
