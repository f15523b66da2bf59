// Package builds implements engine.Builds with a builder: it makes builds as
// servers/builder does, and checks them against the scenario and the plan, which a builder
// does not know. It refuses invalid requests before anything is built, and leaves out parts
// that a run can do without.
package builds
