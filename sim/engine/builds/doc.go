// Package builds implements engine.Builds: it makes builds with servers/builder, and checks
// them against the scenario and the plan. It refuses invalid requests before anything is
// built, and leaves out parts that a run can do without.
package builds
