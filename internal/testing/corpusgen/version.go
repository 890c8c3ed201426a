package corpusgen

import (
	"math/rand/v2"
	"strconv"
	"strings"
)

// A version is a version of Claude Code as a number: 2.1.210 is 201210.
type version int

func parseVersion(s string) version {
	n := 0
	for part := range strings.SplitSeq(s, ".") {
		p, err := strconv.Atoi(part)
		if err != nil {
			panic(err) // the versions in the table below are valid
		}
		n = n*1000 + p
	}
	return version(n/1_000_000*100_000 + n/1000%1000*1000 + n%1000)
}

// versions are weighted by the bytes that they wrote, in order of time. 2.1.12 stands for 2.1.11 to 2.1.16, which wrote
// more than half of the bytes of their time.
var versions = []weighted[string]{
	{3, "1.0.44"}, {4, "1.0.54"}, {2, "1.0.98"}, {2, "1.0.128"},
	{2, "2.0.5"}, {5, "2.0.36"}, {3, "2.0.55"}, {2, "2.0.76"},
	{2, "2.1.1"}, {21, "2.1.12"}, {5, "2.1.19"}, {4, "2.1.29"}, {4, "2.1.38"}, {3, "2.1.63"}, {2, "2.1.81"},
	{2, "2.1.90"}, {4, "2.1.98"}, {6, "2.1.105"}, {6, "2.1.112"}, {4, "2.1.123"}, {5, "2.1.150"}, {10, "2.1.170"},
	{10, "2.1.210"}, {5, "2.1.217"},
}

// versionAt returns the version that was current at a point in time, given in thousandths of all sessions.
func versionAt(thousandth int) string {
	all := 0
	for _, v := range versions {
		all += v.share
	}
	at := thousandth * all / 1000
	for _, v := range versions {
		if at -= v.share; at < 0 {
			return v.what
		}
	}
	return versions[len(versions)-1].what
}

// modelOf returns a model that existed at the time of a version. From opus-4-7 on, logs have only the signature of the
// thinking.
func modelOf(rng *rand.Rand, v version) (model string, silent bool) {
	switch {
	case v < 200000:
		return pick(rng, []string{"claude-sonnet-4-20250514", "claude-opus-4-20250514"}), false
	case v < 200055:
		return "claude-sonnet-4-5-20250929", false
	case v < 201030:
		return pick(rng, []string{"claude-opus-4-5-20251101", "claude-sonnet-4-5-20250929"}), false
	case v < 201110:
		return "claude-opus-4-6", rng.IntN(10) < 4
	}
	return pick(rng, []string{"claude-opus-4-7", "claude-opus-4-8"}), true
}
