# skewsim: what a rolling upgrade or a rollback does to stored objects.
SHELL := /bin/bash -o pipefail
.DEFAULT_GOAL := help

SCENARIO ?= frobber/add-field
# What make catalogue plays: names, files and patterns of names.
CATALOGUE ?= frobber/*
# What make matrix plays: scenarios as CATALOGUE has them, with PAIRS, or the neighbours
# among RELEASES. With pairs, or releases, and no scenario, all that are of theirs.
ifeq ($(PAIRS)$(RELEASES),)
SCENARIOS ?= add-field gated-field star gate-off
endif
GO       ?= go
# Which releases of frobber make images builds: all right ones, or '1.1 1.1+required'.
IMAGES   ?= $(shell bin/skewsim frobber-apiserver releases | awk '{ print $$1 }')
IMAGE    ?= skewsim/frobber-apiserver

# Nothing here needs C. Without it executables need nothing of the system that they run
# on, so that images hold them alone.
export CGO_ENABLED = 0
# What is compiled here serves a clone, an archive and go install as well.
export GOFLAGS := $(strip $(filter-out -trimpath,$(GOFLAGS)) -trimpath)

flags = $(if $(PAIR),--pair $(PAIR)) $(if $(OLD),--old $(OLD)) $(if $(NEW),--new $(NEW)) \
        $(if $(AA),--aa $(AA)) $(if $(OUT),--out $(OUT)) $(if $(SEED),--seed $(SEED)) \
        $(if $(ORDERS),--orders $(ORDERS)) $(if $(JOBS),--jobs $(JOBS))

# Vet is a part of make verify: with it each tier would compile for a minute more on a
# fresh machine. What debuggers read takes a third of the time to link.
TEST = $(GO) test -vet=off -ldflags='-s -w'

# How long each fuzz target of the nightly runs.
FUZZTIME ?= 1m

.PHONY: help build release images simulate catalogue matrix kubernetes test test-unit test-frobber test-kubernetes test-pages test-race test-all \
        test-nightly test-fuzz mutate record repeat fuzz verify update screenshots site bench clean

help: ## show this
	@echo 'skewsim: what a rolling upgrade or a rollback does to stored objects'
	@echo
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-15s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)
	@echo
	@echo 'make simulate [SCENARIO=<name or file>[+<mutant>]] [PAIR=frobber@1.0..1.1] [OLD=... NEW=...] [AA=old|new] [OUT=dir] [SEED=n] [ORDERS=n]'
	@echo 'make simulate SCENARIO=frobber/add-field+required          the same file on a release with a mistake'
	@echo "make catalogue [CATALOGUE='<names, files or patterns>'] [JOBS=n] and the flags of simulate,"
	@echo "               but ORDERS, which not every scenario can have"
	@echo "make matrix [SCENARIOS='<names>'] [PAIRS=OLD..NEW,...] [RELEASES=frobber@1.0..1.5] [SKEW=n] [SHARD=i/n] [RESUME=1] [ARGS=flags]"
	@echo 'make simulate SCENARIO=emptydir-mode                       on kube-apiserver v1.36.3 and v1.37.0 (downloaded or built on first use)'

# What to install where Go is missing, or is older than go.mod asks for and may not fetch a newer one.
go_version = $(shell awk '/^go / { print $$2 }' go.mod)
define need_go
	@command -v $(GO) >/dev/null || { echo "make: skewsim needs Go $(go_version) or newer, and '$(GO)' is not on PATH: install it from https://go.dev/dl" >&2; exit 1; }
	@said=$$($(GO) list -m 2>&1) || { echo "$$said" >&2; echo "make: skewsim needs Go $(go_version) or newer: install it from https://go.dev/dl, or run make with GOTOOLCHAIN=auto, so that Go fetches it" >&2; exit 1; }
endef

build: ## compile bin/skewsim
	$(need_go)
	@test -e bin/skewsim || echo 'compiling skewsim, with the etcd and the API server that it embeds: 4 minutes on two cores the first time, seconds afterwards'
	@# Without what debuggers read, which takes a third of the time to link.
	$(GO) build -ldflags='-s -w' -o bin/ ./cmd/skewsim

release: ## build archives, images, bills of materials and checksums of VERSION into out/release/VERSION; PLATFORMS=linux/amd64 ...
	.ci/release $(VERSION)

images: build ## build container images of frobber's releases, skewsim/frobber-apiserver:1.0 ...; needs a Docker engine
	@mkdir -p out/images
	$(GO) build -o out/images/ ./cmd/frobber-apiserver
	docker build -q -t $(IMAGE):latest -f cmd/frobber-apiserver/Dockerfile out/images
	@# A tag has no +: the mutant 1.1+required is 1.1-required.
	@for release in $(IMAGES); do \
		printf 'FROM %s\nLABEL org.opencontainers.image.version="%s"\nENTRYPOINT ["/frobber-apiserver", "--release=%s"]\n' \
			$(IMAGE):latest "$$release" "$$release" | docker build -q -t "$(IMAGE):$${release/+/-}" - >/dev/null || exit 1; \
		echo "image:$(IMAGE):$${release/+/-}"; done

simulate: build ## play a scenario on real servers, and write an HTML report (default frobber/add-field)
	bin/skewsim run $(SCENARIO) $(flags)

catalogue: build ## play all scenarios of frobber side by side, and tell how long each took
	bin/skewsim run $(foreach name,$(CATALOGUE),'$(name)') $(flags)

matrix: build ## play scenarios with every pair of releases that they apply to (default: neighbours of frobber, a few scenarios)
	$(if $(filter command,$(origin SCENARIO)),$(error SCENARIO is of make simulate: give SCENARIOS to make matrix))
	$(if $(filter command,$(origin PAIR)),$(error PAIR is of make simulate: give PAIRS to make matrix))
	bin/skewsim matrix $(foreach name,$(SCENARIOS),'$(name)') $(if $(PAIRS),--pairs '$(PAIRS)') $(if $(RELEASES),--releases '$(RELEASES)') \
		$(if $(SKEW),--skew $(SKEW)) $(if $(SHARD),--shard '$(SHARD)') $(if $(filter-out 0 no false,$(RESUME)),--resume) $(if $(OUT),--out '$(OUT)') \
		$(if $(SEED),--seed $(SEED)) $(if $(JOBS),--jobs $(JOBS)) $(ARGS)

kubernetes: build ## play all scenarios of kube-apiserver; releases that are not built yet take some minutes each
	bin/skewsim run 'kubernetes/*' $(flags)

# Tests that run go, git or make read what Go does not see, so their results are counted anew each time; those of
# the others Go keeps until something that they read has changed.
run_tools = ./cmd/skewsim ./servers/build ./servers/frobber/... ./servers/frobberapiserver ./servers/kubeapiserver ./servers/source ./sim/skewtest

test: ## run the unit tests and a smoke test on Frobber; needs Go and nothing else (90 s on two cores, 11 minutes the first time)
	$(need_go)
	SKEWSIM_MIRROR=off $(TEST) -count 1 -timeout 30m $(run_tools)
	@packages=$$($(GO) list ./... | grep -vxF "$$($(GO) list $(run_tools))") && SKEWSIM_MIRROR=off $(TEST) -timeout 30m $$packages

test-unit: ## run the tests that start no server (2 minutes)
	$(TEST) -short ./...

test-frobber: ## play scenarios of Frobber of each part of the guide, mutants, A/A runs, orders, chains, fuzz (15 minutes)
	SKEWSIM_TIER=frobber $(TEST) -count 1 -timeout 60m -run '^TestFrobber' ./cmd/... ./servers/... ./sim/skewtest ./sim/oracle/mutate

# What the module proxy withholds is printed when the tests have ended.
not_played = out/not-played.txt
begin_played = @mkdir -p out && rm -f $(not_played)
end_played = @if test -s $(not_played); then echo 'not played:'; cat $(not_played); fi

test-kubernetes: ## play kube-apiservers of the newest available pair, built on first use (20 minutes)
	$(begin_played)
	@# First the builds, so that packages tested side by side do not make them twice.
	SKEWSIM_TIER=kubernetes $(TEST) -count 1 -timeout 60m -run '^TestKubernetesTested$$' ./servers/neighbours
	SKEWSIM_NOT_PLAYED=$(CURDIR)/$(not_played) SKEWSIM_TIER=kubernetes $(TEST) -count 1 -timeout 60m -run '^TestKubernetes' ./cmd/... ./servers/... ./sim/skewtest
	$(end_played)

# The browser's protocol is 60 packages: only the tests that drive one compile them.
test-pages: ## drive reports in a browser, play container images, use kubectl on Frobber (5 minutes); needs chromium, npm and Docker
	SKEWSIM_TIER=pages $(TEST) -tags browser -count 1 -timeout 60m -run '^TestPages' ./cmd/... ./reports/... ./servers/...

test-race: ## play Frobber under the race detector; needs a C compiler
	CGO_ENABLED=1 SKEWSIM_TIER=race $(TEST) -race -count 1 -timeout 60m -run '^TestRace' ./cmd/skewsim

test-all: ## run every tier but the nightly (60 minutes, 80 on a fresh machine)
	$(MAKE) test
	$(MAKE) test-frobber
	$(MAKE) test-kubernetes
	$(MAKE) test-pages
	$(MAKE) test-race

# What the nightly does not split goes to the first of its parts.
first = $(if $(filter-out 1/%,$(SHARD)),@true ||)

test-nightly: ## run everything at full size, or a part of it with SHARD=i/n (hours)
	$(begin_played)
	SKEWSIM_NOT_PLAYED=$(CURDIR)/$(not_played) SKEWSIM_TIER=nightly SHARD='$(SHARD)' SKEWSIM_REPEAT=20 \
		$(TEST) -count 1 -timeout 240m -run '^TestNightly' ./cmd/... ./servers/... ./sim/... ./reports/...
	$(end_played)
	$(MAKE) mutate SHARD='$(SHARD)'
	$(first) SHARD= CGO_ENABLED=1 SKEWSIM_TIER=smoke,race $(TEST) -race -count 1 -timeout 120m ./...
	$(first) $(MAKE) test-fuzz

test-fuzz: ## run each fuzz target for FUZZTIME (default 1m)
	@set -e; packages=$$($(GO) list ./...); for package in $$packages; do \
		targets=$$($(TEST) -list '^Fuzz' $$package); \
		for target in $$(grep '^Fuzz' <<<"$$targets" || true); do \
			echo "$$package $$target"; $(TEST) -run '^$$' -fuzz "^$$target\$$" -fuzztime $(FUZZTIME) $$package; done; done

mutate: ## break the oracle's code in many ways, and list what no test notices; SHARD=i/n, MUTATE='flags' (hours)
	$(GO) run ./sim/oracle/mutate $(if $(SHARD),-shard $(SHARD)) -out out/mutation $(MUTATE) ./sim/oracle

record: build ## record the histories that the oracle's tests judge: all, or RECORD='<names>'
	$(GO) run ./sim/oracle/recorded/record -skewsim bin/skewsim $(if $(OUT),-out '$(OUT)') $(foreach name,$(RECORD),'$(name)')

repeat: ## play one scenario 20 times, also beside busy loops: each run must be the same
	SKEWSIM_TIER=nightly SKEWSIM_REPEAT=20 $(TEST) -timeout 60m -count 1 -run '^TestNightlySameAgain$$' ./cmd/skewsim

fuzz: ## fuzz every pair of neighbours of frobber's releases, stored as JSON and as protobuf (some minutes)
	SKEWSIM_TIER=nightly $(TEST) -timeout 60m -count 1 -run '^TestNightlyFuzz' ./cmd/skewsim

verify: ## what a change must pass: format, vet, lint, tidy, tests, clean tree
	@test -z "$$(gofmt -l .)" || { gofmt -l .; echo 'gofmt: run gofmt -w on the files above'; exit 1; }
	$(GO) vet -tags browser ./...
	$(GO) tool staticcheck -tags browser ./...
	$(GO) mod tidy -diff
	$(MAKE) test
	@test -z "$$(git status --porcelain)" || { git status --short; echo 'the tree is not clean: commit, or run make update'; exit 1; }

update: build ## write golden files, schemas and fixtures anew
	$(GO) test -timeout 40m ./cmd/skewsim ./servers/{frobber/cli,kubeapiserver} ./reports{,/preflight,/sweep} ./scenarios{,/rules} ./sim{,/diff,/matrix,/oracle,/plan,/preflight,/result,/skewtest,/storage,/sweep} -update
	SKEWSIM_TIER=frobber $(TEST) -count 1 -run '^TestFrobber(Scripts|Outputs)$$' ./cmd/skewsim -update

screenshots: build ## take the pictures of README.md and docs anew, of real runs; needs chromium and a kube-apiserver, which is built on first use
	for s in add-field plural+omits gate-off+clears; do \
		bin/skewsim run frobber/$$s --out out/pictures/$$s >/dev/null || test $$? -eq 1; done
	bin/skewsim sweep crd:sigs.k8s.io/gateway-api@v1.5.1//config/crd/standard..v1.6.3 --out out/pictures/sweep >/dev/null || test $$? -eq 1
	$(GO) test -tags browser ./reports -count 1 -run '^TestPictures' -pictures ../out/pictures

# The packages of the generator stay out of the tree that tests walk.
site: ## build the site of docs into out/site, with a search; needs npm
	npm install --prefix out/site-tools --no-save --no-package-lock --ignore-scripts --no-audit --no-fund vitepress@1.6.4
	out/site-tools/node_modules/.bin/vitepress build docs/site

bench: build ## what things cost, as ratios, beside the figures of docs/reference/performance.md; UPDATE=1 writes that page, BENCH=Sweep runs one
	@mkdir -p out/bench
	$(GO) test -timeout 120m -run '^$$' -bench '$(or $(BENCH),.)' -benchtime 1x ./cmd/skewsim | tee out/bench/bench.txt
	$(if $(UPDATE),SKEWSIM_BENCH=$(CURDIR)/out/bench/bench.txt $(GO) test ./cmd/skewsim -run '^TestPerformancePage$$' -update)
	@SKEWSIM_BENCH=$(CURDIR)/out/bench/bench.txt $(GO) test ./cmd/skewsim -run '^TestBenchBeside$$' -count 1 -v | grep -E 'here|FAIL'

clean: ## remove bin and out; cached builds stay (skewsim builds rm)
	rm -rf bin out
