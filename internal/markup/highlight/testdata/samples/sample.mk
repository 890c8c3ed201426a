# A comment with "quotes", it's fine
SHELL := /bin/bash
VERSION ?= 1.0
SRC = $(wildcard src/*.c)
OBJ = $(SRC:.c=.o)
export PATH

.PHONY: all clean

all: build test

build: $(OBJ)
	@echo "building $(VERSION)"
	$(CC) -o app $^ $(LDFLAGS)

%.o: %.c
	$(CC) -c $< -o $@

clean:
	rm -rf *.o app # it's gone

ifeq ($(OS),Windows_NT)
EXT = .exe
else
EXT =
endif

test: build
	for t in tests/*; do \
		./$$t || exit 1; \
	done


# How the "release" is made: it's signed
PLATFORMS := linux/amd64 linux/arm64 darwin/arm64
LDFLAGS += -s -w -X main.version=$(VERSION)
SOURCES := $(shell find . -name '*.go' -not -path './vendor/*')
BIN = $(CURDIR)/bin

$(BIN)/app: $(SOURCES) go.mod
	mkdir -p $(@D)
	CGO_ENABLED=0 go build -trimpath -ldflags '$(LDFLAGS)' -o $@ ./cmd/app

release: $(BIN)/app ## builds and signs
	tar -czf dist/app-$(VERSION).tar.gz -C $(BIN) app
	sha256sum dist/app-$(VERSION).tar.gz > dist/checksums.txt
	gpg --detach-sign --armor "dist/checksums.txt"

lint:
	go vet ./...
	test -z "$$(gofmt -l .)"

cover: lint
	go test -coverprofile=cover.out ./...
	go tool cover -html=cover.out -o cover.html

help:
	@grep -E '^[a-z]+:.*##' $(MAKEFILE_LIST) | sort

.PHONY: release lint cover help
