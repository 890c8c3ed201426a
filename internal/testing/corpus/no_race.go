//go:build !race

package corpus

// race reports whether the test has the race detector.
const race = false
