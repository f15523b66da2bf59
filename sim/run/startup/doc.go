// Package startup determines the options of a release's servers, tries them on one server,
// and reports a refused option with its line in the scenario.
package startup
