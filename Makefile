# make check runs everything, on a fresh machine with Go. Continuous integration runs the same.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help

# One target at a time, also with make -j: each uses all cores, and two cannot install packages at the same time.
.NOTPARALLEL:

# All steps compile as a release does, so that they share the results. The race detector needs cgo.
export CGO_ENABLED := 0
export GOFLAGS := -trimpath

# Collecting garbage less often saves a fifth of the processor time of these steps. Builds of the program set it for
# themselves, so that the tests of its memory are the same.
vet staticcheck vuln cross race test: export GOGC := 300

# Only these packages start goroutines (internal/testing/archtest checks that), so the race detector runs their tests,
# and those of the command in which goroutines interact: watch, serve, progress, build and report. -short leaves out
# sweeps over sessions beside the project, runs of the released program, which has no race detector, clean builds to
# compare sites with, and cases that do in parallel what others do, and generates fewer sessions: make test does all of
# these.
CONCURRENT := ./internal/sitegen ./internal/watch ./internal/serve
MEETING := ^Test(Watch|Serve|Progress)|^TestScript$$/^(build|report)$$

.PHONY: help check lint vet staticcheck vuln test race e2e cross man chromium firefox checkers scale bench torture update screenshots

help:
	@echo 'make check    format, vet, staticcheck, govulncheck, all tests, the race detector, the browser, all systems'
	@echo 'make lint     format, vet, staticcheck; make vet and make staticcheck are its parts'
	@echo 'make test     all tests but those in a browser'
	@echo 'make race     the tests of the packages that start goroutines, with the race detector'
	@echo 'make e2e      the tests in browsers; installs Chromium, Firefox, npm and Java if possible'
	@echo 'make cross    builds for each system, type checks for each target, and that builds are reproducible'
	@echo 'make man      the manual pages, into release/man, and scripts for shells'
	@echo 'make bench    the benchmarks, and whole runs on generated folders; BENCH="-before COMMIT" compares'
	@echo 'make torture  the long tests: killed builds, floods, hostile input'
	@echo 'make screenshots  the pictures of README.md, from testdata; look at them after it'
	@echo 'make update   rewrite the golden files and the licences; read the diff after it'

check:
	@.ci/check

lint: vet staticcheck

vet:
	@echo '== gofmt'
	@unformatted=$$(find . -name node_modules -prune -o -name testdata -prune -o -name '*.go' -exec gofmt -l {} +); \
		if [[ -n $$unformatted ]]; then printf 'not formatted:\n%s\nto format: gofmt -w .\n' "$$unformatted"; exit 1; fi
	@echo '== go vet'
	@go vet ./...
	@go vet -tags cloud,parquet,disable_grpc_modules ./cmd/viewer ./internal/storage/... ./internal/facts/...
	@cd e2e && go vet ./...

staticcheck:
	@echo '== staticcheck'
	@go tool staticcheck ./...
	@staticcheck=$$(go tool -n staticcheck) && cd e2e && "$$staticcheck" ./...

vuln:
	@echo '== govulncheck'
	@.ci/vulncheck

# Without vet, which is a separate step. The tests of buckets wait for most of their time, so they come first, when the
# browser tests run, too, and many of them run at once. Of the others the slowest packages come first, so that no core is
# idle at the end. VIEWER_SWEEP=all makes the sweeps use all sessions beside the project, of which plain go test uses an
# eighth, and runs the tests that are too slow for plain go test.
test:
	@echo '== go test, of buckets and Parquet'
	@go test -vet=off -parallel 10 -tags cloud,parquet,disable_grpc_modules -run '^Test(Bucket|Parquet|DuckDB|ClickHouse)' ./cmd/viewer ./internal/storage/cloud
	@echo '== go test'
	@VIEWER_SWEEP=all go test -vet=off -timeout 30m ./internal/sitegen ./cmd/viewer ./render ./internal/markup/highlight ./...

race:
	@echo '== go test -race'
	@unset CGO_ENABLED; if [[ $$(go env CGO_ENABLED) == 1 ]]; then \
		go test -vet=off -race -short -timeout 30m $(CONCURRENT) && go test -vet=off -race -short -timeout 30m -run '$(MEETING)' ./cmd/viewer; else \
		echo 'the race detector needs a C compiler and there is none: install gcc; the tests run without it below'; fi

# -count=1 because go test does not see when the command that they run has changed.
e2e: chromium firefox checkers
	@echo '== go test, in a browser'
	@cd e2e && TMPDIR=$$(../.ci/memory) go test -count=1 -timeout 30m ./...

cross:
	@echo '== builds for other systems'
	@.ci/cross

man:
	@.ci/release-files release

chromium:
	@.ci/chromium

firefox:
	@.ci/firefox

checkers:
	@.ci/checkers

scale:
	@.ci/scale

bench:
	@echo '== go test -bench'
	@go test -run '^$$' -bench . -benchmem ./...
	@echo '== whole runs'
	@go run ./internal/testing/bench $(BENCH)

# The long form of the tests with killed builds, floods, generated sessions and hostile input, also in a browser;
# make check has a short form of each. Packages run one after the other, because the cost of floods is measured.
torture: chromium
	@echo '== faults, floods, attacks'
	@VIEWER_TORTURE=1 VIEWER_SWEEP=all go test -count=1 -p 1 -timeout 40m -v -run 'TestKilled|TestChangingSources|TestTwoBuilds|TestDiskFull|TestNotAllowed|TestClocks|TestFolderGone|TestEdits|TestLivePages|Torture' \
		./cmd/viewer ./internal/sitegen | grep -v '^=== '
	@VIEWER_TORTURE=1 go test -count=1 -tags cloud,parquet,disable_grpc_modules -timeout 40m -v -run TestBucketKilled ./cmd/viewer | grep -v '^=== '
	@echo '== attacks, in a browser'
	@cd e2e && VIEWER_TORTURE=1 go test -count=1 -timeout 120m -v -run 'TestAttacks' . | grep -v '^=== '

# The packages whose tests have the flag -update.
update:
	@go test $$(go list -f '{{.ImportPath}} {{.TestImports}} {{.XTestImports}}' ./... \
		| grep -F viewer/internal/testing/golden | cut -d ' ' -f 1) -update
	@go run ./internal/licenses

screenshots:
	@.ci/screenshots
