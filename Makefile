# Everything a developer does. `make help` lists it.
SHELL := bash
export CGO_ENABLED := 0
VERSION ?= $(shell git describe --tags --always --dirty 2>/dev/null || echo dev)
LDFLAGS := -s -w -X main.version=$(VERSION)
WEB := $(shell git ls-files frontend 2>/dev/null | grep -v '^frontend/dist/')

.PHONY: help run dev build test test-go test-web test-e2e check generate bench bench-once deps screenshots clean
.DEFAULT_GOAL := help

help: ## list the targets
	@grep -hE '^[a-z0-9-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 16

run: build ## build everything and start the product: server, worker, first project
	bin/nightshift up

dev: build ## reload both halves on save: the page by Vite on port 5173, the server when a Go file changes
	scripts/dev

build: bin/nightshift ## the one static binary, web app inside

frontend/node_modules/.installed: frontend/package-lock.json
	cd frontend && npm ci --no-audit --no-fund
	@touch $@

frontend/dist/index.html: frontend/node_modules/.installed $(WEB) $(wildcard schema/*.graphql)
	cd frontend && npm run --silent build

GO := $(shell find . -name '*.go' -not -path './frontend/node_modules/*') go.mod go.sum

# The supervisor as a small program of its own, embedded: it starts with every job, and the whole binary would take longer to start than a short job.
worker/helper/supervisor.bin: $(GO)
	go build -trimpath -ldflags '-s -w' -o $@ ./worker/helper/supervisor

bin/nightshift: frontend/dist/index.html worker/helper/supervisor.bin $(GO) $(wildcard ent/migrate/*/*.sql)
	go build -tags helper -ldflags '$(LDFLAGS)' -o $@ ./cmd/nightshift

deps: ## install what the tests need (Chromium, fonts, PostgreSQL); needs root or sudo
	scripts/test-deps

test: deps build check test-go test-web test-e2e ## everything CI runs
	@echo "all suites passed"

test-go: ## rooms, API, worker and the whole binary, on SQLite and PostgreSQL
	scripts/with-postgres go test -count=1 -timeout 10m ./...

test-web: frontend/node_modules/.installed ## the web app's unit tests
	cd frontend && npm test --silent

test-e2e: build ## journeys in a real browser against the real binary
	cd frontend && npm run --silent e2e

check: frontend/node_modules/.installed ## generated code fresh, gofmt, vet, types, lint
	scripts/check

generate: ## write the generated code: ent, gqlgen, client, frontend types
	go generate ./ent
	go run github.com/99designs/gqlgen generate
	go run github.com/Khan/genqlient client/genqlient.yaml
	cd frontend && npm run --silent codegen

bench: build ## measure every budget of docs/benchmarks.md (an idle machine)
	scripts/bench

bench-once: ## run every Go benchmark once, so that none rots
	scripts/with-postgres go test -run '^$$' -bench . -benchtime 1x ./...

clean: ## remove what was built
	rm -rf bin frontend/dist/assets frontend/dist/index.html
