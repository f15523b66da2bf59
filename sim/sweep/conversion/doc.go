// Package conversion turns what a release publishes of custom resources into their versions and the
// fields of each, where no webhook converts them: servers change nothing but apiVersion, so a field that
// one version lacks is lost there. It asks no server.
package conversion
