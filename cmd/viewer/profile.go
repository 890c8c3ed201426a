package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"runtime/pprof"

	"viewer/internal/failure"
)

// startProfiles starts a CPU profile and returns the function that ends it and writes the profiles. A profile without a
// file name is not written.
func startProfiles(cpu, mem string) (stop func() error, err error) {
	if mem != "" {
		runtime.MemProfileRate = 512 << 10 // bytes between two samples: the default
	}
	stopCPU := func() error { return nil }
	if cpu != "" {
		f, err := os.Create(cpu)
		if err != nil {
			return nil, fmt.Errorf("writing %s: %w", cpu, failure.Cause(err))
		}
		if err := pprof.StartCPUProfile(f); err != nil {
			return nil, errors.Join(fmt.Errorf("profiling: %w", err), f.Close())
		}
		stopCPU = func() error {
			pprof.StopCPUProfile()
			return f.Close()
		}
	}
	return func() error { return errors.Join(stopCPU(), writeAllocations(mem)) }, nil
}

// writeAllocations writes the allocations since the flags were read, and which of them are still in use.
func writeAllocations(name string) error {
	if name == "" {
		return nil
	}
	f, err := os.Create(name)
	if err != nil {
		return fmt.Errorf("writing %s: %w", name, failure.Cause(err))
	}
	runtime.GC() // the profile is as of the last collection
	return errors.Join(pprof.Lookup("allocs").WriteTo(f, 0), f.Close())
}
