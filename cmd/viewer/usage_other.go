//go:build !unix

package main

import "time"

func usage() (cpu time.Duration, peak int64, ok bool) { return 0, 0, false }
