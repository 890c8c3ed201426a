package main

import (
	"fmt"
	"time"

	"viewer/internal/sitegen"
)

// printStats prints how long the stages of a build took, summed over goroutines. A stage whose bytes are not counted
// has no rate.
func printStats(u *ui, r sitegen.Report) {
	var sum time.Duration
	for _, s := range r.Stages {
		sum += s.Time
	}
	u.print("%-12s%9s%8s%11s%9s\n", "stage", "seconds", "share", "MB", "MB/s")
	for _, s := range r.Stages {
		u.print("%-12s%9.3f%7.1f%%%11s%9s\n", s.Stage, s.Time.Seconds(), 100*s.Time.Seconds()/sum.Seconds(),
			megabytes(s.Bytes), rate(s.Bytes, s.Time))
	}
	u.print("%-12s%9.3f%8s%11s%9s\n", "all", r.Elapsed.Seconds(), "", megabytes(r.InBytes), rate(r.InBytes, r.Elapsed))
	u.print("%-12s%9.3f%8s%11s%9s\n", "out", r.Elapsed.Seconds(), "", megabytes(r.OutBytes),
		rate(r.OutBytes, r.Elapsed))
	if cpu, peak, ok := usage(); ok {
		u.print("%-12s%9.3f\n", "processor", cpu.Seconds())
		u.print("%-12s%9.1f\n", "peak MiB", float64(peak)/(1<<20))
	}
}

// megabytes and rate count 10^6 bytes, as disks do. They return "" for no bytes.
func megabytes(n int64) string {
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%.1f", float64(n)/1e6)
}

func rate(n int64, d time.Duration) string {
	if n == 0 || d <= 0 {
		return ""
	}
	return fmt.Sprintf("%.0f", float64(n)/1e6/d.Seconds())
}
