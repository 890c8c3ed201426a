// Command site builds a site of many small invented sessions, divided like the sites of very many. It is never part of
// the program:
//
//	go run ./internal/testing/manysessions/site -sessions 700 -above 100 -o DIR
package main

import (
	"context"
	"flag"
	"log"
	"os"
	"path/filepath"

	"viewer/internal/sitegen"
	"viewer/internal/testing/manysessions"
)

func main() {
	log.SetFlags(0)
	log.SetPrefix("site: ")
	sessions := flag.Int("sessions", 700, "`NUMBER` of sessions")
	above := flag.Int("above", 100, "`NUMBER` of sessions above which the site is cut")
	source := flag.String("source", "", "`FOLDER` of sessions; else they are invented, beside the site")
	out := flag.String("o", "", "`FOLDER` of the site")
	flag.Parse()
	if *out == "" || flag.NArg() > 0 {
		flag.Usage()
		os.Exit(2)
	}
	if *source == "" {
		*source = filepath.Clean(*out) + "-sessions"
		if err := manysessions.Write(*source, *sessions); err != nil {
			log.Fatal(err)
		}
	}
	_, err := sitegen.Build(context.Background(), sitegen.Options{
		Sources: []string{*source}, Out: *out, Large: *above, Version: "test",
	})
	if err != nil {
		log.Fatal(err)
	}
}
