package page

import (
	_ "embed"
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

// TableStyle returns the style sheet of a page: that of every page, that of the table, and its own.
func TableStyle(own string) string { return BaseStyle + tableStyle + own }

// TableScript returns the script of a page. All of it shares one scope, and the page's own is the last.
func TableScript(own string) string {
	return "'use strict';\n(() => {\n" + Elements + rows + table + start + own + "})();\n"
}
