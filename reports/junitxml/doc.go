// Package junitxml writes junit.xml: a test suite for each scenario and pair, and a test
// case for each check. An unknown verdict is an error and never a pass.
package junitxml
