// Command gen writes an invented projects folder, see package corpusgen. It is never part of the program:
//
//	go run ./internal/testing/corpusgen/gen -mb 200 -sessions 1500 -o DIR
package main

import (
	"errors"
	"flag"
	"log"
	"os"
	"path/filepath"

	"viewer/internal/testing/corpusgen"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("gen: ")
	mb := flag.Int("mb", 10, "`MEGABYTES` to write, of 10^6 bytes")
	sessions := flag.Int("sessions", 0, "`NUMBER` of sessions; 7 a megabyte without it")
	huge := flag.Bool("huge", false, "one session in one file")
	seed := flag.Uint64("seed", 1, "another `SEED` gives another folder")
	out := flag.String("o", "", "`FOLDER` to write, which must not be there yet")
	flag.Parse()
	if *out == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if _, err := os.Stat(*out); err == nil {
		log.Fatalf("%s already exists", *out)
	}
	o := corpusgen.Options{Seed: *seed, Bytes: *mb * 1_000_000, Sessions: *sessions}
	if o.Sessions == 0 {
		o.Sessions = max(1, *mb*7)
	}
	files := corpusgen.Folder(o)
	if *huge {
		files = corpusgen.Huge(o)
	}
	for f := range files {
		if err := write(filepath.Join(*out, filepath.FromSlash(f.Path)), f.Data); err != nil {
			log.Fatal(err)
		}
	}
}

func write(name string, data []byte) error {
	return errors.Join(os.MkdirAll(filepath.Dir(name), 0o755), os.WriteFile(name, data, 0o644))
}
