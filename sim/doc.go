// Package sim holds no code: it is the house whose rooms are the packages
// below it. From a scenario to a verdict, what each turns into what:
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
// Its tests hold the architecture of the whole repository: who may import
// whom, that the rooms know rules and no cases, and how large things may grow.
package sim
