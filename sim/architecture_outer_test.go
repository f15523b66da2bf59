package sim_test

// reportRooms are the rows of what draws results.
func reportRooms() []room {
	return []room{
		{"reports/view", []string{"scenarios", "scenarios/term", "sim/chain", "sim/history", "sim/plan", "sim/redact", "sim/result"},
			"it is what all writers read, so it knows none of them"},
		{"reports/plots", []string{"reports/view", "scenarios/term", "sim/history", "sim/result"}, "a plot counts what a run has, wherever it is shown"},
		{"reports/markdown", []string{"reports/view", "scenarios/term", "sim/result"}, "a writer knows no other writer, and Markdown is one that others write with"},
		{"reports/prr", []string{"reports/markdown", "reports/view", "scenarios", "scenarios/term", "sim/history", "sim/plan", "sim/result"},
			"its answers are pasted into a KEP, which is Markdown"},
		{"reports/text", []string{"reports/view", "scenarios/term", "sim/chain", "sim/result"}, "a writer knows no other writer"},
		{"reports/junitxml", []string{"reports/view", "scenarios/term", "sim/chain", "sim/result"}, "a writer knows no other writer"},
		{"reports/page/base", leaf, "every page with a script begins with it, so it knows no page"},
		{"reports/page/table", []string{"reports/page/base"}, "two pages have such a table, and it knows the rows of neither"},
		{"reports/page/pack", []string{"reports/page/base", "reports/view", "scenarios/term", "sim/history", "sim/plan", "sim/redact", "sim/result", "sim/storage"},
			"it shows stored bytes as they can be read without a schema"},
		{"reports/page/timeline", []string{"reports/view", "scenarios/term", "sim/history", "sim/plan", "sim/result"}, "it is a part of the page that knows no other part"},
		{"reports/page", []string{"reports/page/base", "reports/page/pack", "reports/page/timeline", "reports/plots", "reports/view", "scenarios/term", "sim/plan", "sim/result"},
			"it puts its parts into one file"},
		{"reports/sweep", []string{"reports/markdown", "reports/page/base", "reports/page/table", "reports/view", "scenarios/term", "sim/diff", "sim/sweep"},
			"it draws what package sweep has decided, in every format; its Markdown and its page begin as those of runs do"},
		{"reports/preflight", []string{"reports/markdown", "reports/page/base", "reports/page/table", "reports/view", "scenarios/term", "sim/preflight", "sim/preflight/mask", "sim/rundir"},
			"it draws what package preflight has decided, in every format; of run directories it needs how a file is written that nobody else may read"},
		{"reports/gather", []string{"reports/view", "scenarios/shell", "scenarios/term", "servers", "sim/chain", "sim/matrix", "sim/pairing", "sim/result", "sim/rundir"},
			"it reads what runs, chains and matrices left, and judges nothing; of servers it needs how a pair is written, for cells that no build names"},
		{"reports/merge", []string{"reports", "reports/gather", "servers/fault", "sim/result", "sim/rundir"},
			"it writes what the formats draw of what gather has read, and judges nothing"},
		{"reports", []string{"reports/", "scenarios/suggest", "scenarios/term", "servers/fault", "sim/chain", "sim/history", "sim/preflight", "sim/result", "sim/rundir", "sim/sweep"},
			"it names every report that there is; writers only read what is judged already, and servers and reports never meet: of servers it needs whose doing an error is"},
	}
}

// serverRooms are the rows of what starts servers.
func serverRooms() []room {
	return []room{
		{"servers/fault", leaf, "whoever makes an error says whose doing it is, so it can need no room"},
		{"servers", []string{"servers/fault"}, "it is the leaf of interfaces that both a run and its servers build on"},
		{"servers/frobber/", []string{
			"servers/frobber/", "servers/typedclient/program",
		}, "it is a server under test like any other: only its own command knows it; its releases bring their typed clients along, and speak as those of Kubernetes do"},
		{"servers/crd", []string{"scenarios/suggest", "scenarios/yamlnodes", "servers", "servers/"}, "its manifests are files that users write; for the rest it knows nothing of the simulator"},
		{"servers/objects/", []string{"scenarios/yamlnodes", "servers", "servers/fault", "servers/objects/"}, "its manifests are files that users write; what it reads it plays nowhere, so it needs no server, no build and no run"},
		{"servers/adapter", []string{"scenarios/yamlnodes"}, "it reads files that users write, and knows neither what their keys mean nor what is started"},
		{"servers/program", []string{"scenarios/yamlnodes", "servers", "servers/adapter", "servers/certs", "servers/process"}, "its files are written by users; it starts a program, and knows no server that asks it"},
		{"servers/aggregated", []string{"scenarios/yamlnodes", "servers", "servers/"}, "its adapters are files that users write; for the rest it knows nothing of the simulator"},
		{"servers/typedclient/program", leaf, "it is built in the modules of other releases, which have nothing of this one"},
		{"servers/neighbours", []string{"scenarios/tiers", "servers", "servers/"}, "only tests import it, and one file fixes for all of them which pairs they start"},
		{"servers/container/containertest", []string{"scenarios/tiers", "servers", "servers/"}, "only tests import it"},
		{"servers/machine", leaf, "what this machine has left depends on nothing that runs on it"},
		{"servers/serverflags", []string{"servers"}, "it reads files that users write, and asks a release through an interface; it starts nothing"},
		{"servers/snapshot", []string{"servers/fault", "servers/machine"}, "it reads a file of the user's, and starts nothing: what the values mean is for its callers"},
		{"servers/decrypt", []string{"servers", "servers/fault"}, "keys stay with what reads values with them, so it needs no store and no file format of etcd"},
		{"servers/builder", []string{"servers", "servers/"}, "it makes every kind of build, and knows no scenario, no plan and no terminal"},
		{"servers/download", leaf, "it gets a file of a name and a version, whoever executes it"},
		{"servers/", []string{"servers", "servers/"}, "servers know nothing of the simulator that starts them"},
	}
}
