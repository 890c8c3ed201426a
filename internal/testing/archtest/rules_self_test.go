package archtest

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"
)

// TestRules checks each rule with a module that breaks it or almost breaks it.
func TestRules(t *testing.T) {
	for _, c := range []struct{ name, path, text, want string }{
		{"an allowed import", "normalize/a.go", `package normalize; import "viewer/internal/transcript"`, ""},
		{"a forbidden import", "internal/transcript/a.go", `package transcript; import _ "viewer/normalize"`, "internal/transcript/a.go:1: internal/transcript may not import normalize"},
		{"the command reaches too far", "cmd/viewer/a.go", `package main; import _ "viewer/render"`, "cmd/viewer may not import render"},
		{"an unknown package", "util/a.go", `package util`, "package util is not in the import table"},
		{"an unknown package of tests", "util/a_test.go", `package util`, "package util is not in the import table"},
		{"a file at the root", "a.go", `package viewer`, "package . is not in the import table"},
		{"a helper in the product", "render/a.go", `package render; import _ "viewer/internal/testing/golden"`, "for tests only"},
		{"a helper in a test", "render/a_test.go", `package render; import _ "viewer/internal/testing/golden"`, ""},
		{"a test helper in a separate command", "internal/testing/corpusgen/gen/a.go", `package main; import _ "viewer/internal/testing/corpusgen"`, ""},
		{"another helper in it", "internal/testing/bench/a.go", `package main; import _ "viewer/internal/testing/golden"`, "internal/testing/bench may not import internal/testing/golden"},
		{"a helper in another", "internal/testing/sourcetest/a.go", `package sourcetest; import _ "viewer/internal/testing/golden"`, ""},
		{"it prints", "internal/testing/bench/a.go", `package main; import "fmt"; func a() { fmt.Println() }`, ""},
		{"a nested module", "e2e/go.mod", `module viewer/e2e`, ""},
		{"testdata", "render/testdata/x/a.go", `package x`, ""},

		{"a pure package opens files", "render/a.go", `package render; import _ "os"`, "render is pure and may not import os"},
		{"a pure package dials", "internal/stats/a.go", `package stats; import _ "net/http"`, "may not import net/http"},
		{"a pure package parses addresses", "internal/markup/a.go", `package markup; import _ "net/url"`, ""},
		{"a pure package rolls dice", "internal/redact/a.go", `package redact; import _ "math/rand/v2"`, "may not import math/rand/v2"},
		{"the edge opens files", "internal/sitegen/a.go", `package sitegen; import _ "os"`, ""},
		{"a clock", "internal/search/a.go", `package search; import "time"; var _ = time.Now()`, "time.Now in internal/search"},
		{"a clock by another name", "internal/search/a.go", `package search; import clock "time"; var _ = clock.Since`, "time.Since in internal/search"},
		{"a duration", "internal/search/a.go", `package search; import "time"; var _ = time.Second`, ""},
		{"a clock at the edge", "internal/sitegen/a.go", `package sitegen; import "time"; var _ = time.Now()`, ""},

		{"a new source", "internal/sources/tern/a.go", `package tern; import _ "viewer/internal/transcript"`, ""},
		{"a source that reaches too far", "internal/sources/tern/a.go", `package tern; import _ "viewer/normalize"`, "internal/sources/tern may not import normalize"},
		{"a source that opens files", "internal/sources/tern/a.go", `package tern; import _ "os"`, "internal/sources/tern is pure and may not import os"},
		{"the list of sources", "internal/sources/all/a.go", `package all; import _ "viewer/internal/sources/tern"`, ""},
		{"a goroutine", "render/a.go", `package render; func a() { go a() }`, "a goroutine in render"},
		{"a goroutine by WaitGroup", "render/a.go", `package render; import "sync"; func a(w *sync.WaitGroup) { w.Go(func() {}) }`, "a goroutine in render"},
		{"a goroutine by errgroup", "internal/export/a.go", `package export; import _ "golang.org/x/sync/errgroup"`, "internal/export starts goroutines"},
		{"a goroutine at the edge", "internal/watch/a.go", `package watch; func a() { go a() }`, ""},
		{"a goroutine in a test", "render/a_test.go", `package render; func a() { go a() }`, ""},

		{"printing", "internal/sitegen/a.go", `package sitegen; import "fmt"; func a() { fmt.Println() }`, "fmt.Println in internal/sitegen"},
		{"printing to a writer", "internal/sitegen/a.go", `package sitegen; import "fmt"; var _ = fmt.Fprintln`, ""},
		{"standard error", "internal/serve/a.go", `package serve; import "os"; var _ = os.Stderr`, "os.Stderr in internal/serve"},
		{"exit", "internal/sitegen/a.go", `package sitegen; import "os"; func a() { os.Exit(1) }`, "os.Exit in internal/sitegen"},
		{"a log", "internal/watch/a.go", `package watch; import "log"; var _ = log.Fatal`, "log.Fatal in internal/watch"},
		{"a left println", "internal/markup/a.go", `package markup; func a() { println() }`, "println in internal/markup"},
		{"the command prints", "cmd/viewer/a.go", `package main; import ("fmt"; "os"); func a() { fmt.Println(); os.Exit(1) }`, ""},

		{"a tool in normalize", "normalize/a.go", `package normalize; var a = "Bash"`, `normalize names the tool "Bash"`},
		{"a described tool in normalize", "normalize/a.go", `package normalize; var a = "Shovel"`, `normalize names the tool "Shovel"`},
		{"another word in normalize", "normalize/a.go", `package normalize; var a = "bash"`, ""},
		{"a tool in a test of normalize", "normalize/a_test.go", `package normalize; var a = "Bash"`, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			sources, err := parseModule(fstest.MapFS{
				"internal/tools/shovel.go": {Data: []byte(`package tools; var _ = register(Tool{Name: "Shovel"})`)},
				"e2e/a.go":                 {Data: []byte(`package e2e; import _ "viewer/render"`)},
				"e2e/go.mod":               {Data: []byte(`module viewer/e2e`)},
				c.path:                     {Data: []byte(c.text)},
			})
			if err != nil {
				t.Fatal(err)
			}
			got := check(byFolder(sources))
			says := func(f string) bool { return strings.Contains(f, c.want) }
			if c.want == "" && len(got) > 0 || c.want != "" && !slices.ContainsFunc(got, says) {
				t.Errorf("%s: %s\nfindings %q\nwant one with %q", c.path, c.text, got, c.want)
			}
		})
	}
}
