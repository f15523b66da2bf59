// Package sim has no code: its tests hold the architecture of the repository. The packages
// below it turn a scenario into a verdict:
//
//	term     the closed lists of words, and path, the one syntax for a field
//	plan     a scenario, two releases and a seed into everything a run will do
//	client   a step into a request, an answer into evidence
//	run      a plan into a history, on real servers
//	history  what happened, as JSON lines, and back
//	storage  stored bytes into their envelope; schema: OpenAPI into kinds
//	oracle   a history into findings, without I/O
//	result   what the findings mean, as JSON
//	redact   Secrets into fingerprints, before anyone sees them
//
// The tests hold which package may import which, that code knows rules and no single case,
// and the limits of sizes.
package sim
