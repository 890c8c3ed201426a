// Command gen writes the sessions of package attacks. It is never part of the program:
//
//	go run ./internal/testing/attacks/gen -o DIR
package main

import (
	"errors"
	"flag"
	"log"
	"os"
	"path/filepath"

	"viewer/internal/testing/attacks"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("gen: ")
	full := flag.Bool("full", false, "each text in each place")
	out := flag.String("o", "", "`FOLDER` to write, which must not be there yet")
	flag.Parse()
	if *out == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if _, err := os.Stat(*out); err == nil {
		log.Fatalf("%s already exists", *out)
	}
	files, err := attacks.Folder(attacks.Options{Full: *full})
	if err != nil {
		log.Fatal(err)
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
