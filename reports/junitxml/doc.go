// Package junitxml turns a run, a chain or several runs into junit.xml: a suite for a
// scenario with its pair, a case for each check. An unknown verdict is an error and never a
// pass.
package junitxml
