package main

import (
	"os"
	"strconv"
	"strings"

	"viewer/internal/sitegen"
)

// An engine is a program that starts the shards of a build. Its variables tell a process which shard it is.
type engine struct {
	name, index, count string
	first              func(getenv func(string) string) int // returns the smallest index
}

var engines = []engine{
	{"Kubernetes", "JOB_COMPLETION_INDEX", "JOB_COMPLETIONS", zero},
	{"Slurm", "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_COUNT", smallestTask},
	{"AWS Batch", "AWS_BATCH_JOB_ARRAY_INDEX", "AWS_BATCH_JOB_ARRAY_SIZE", zero},
	{"GitLab", "CI_NODE_INDEX", "CI_NODE_TOTAL", func(func(string) string) int { return 1 }},
}

func zero(func(string) string) int { return 0 }

// smallestTask returns the first index of an array job of Slurm, which may be any number.
func smallestTask(getenv func(string) string) int {
	n, _ := strconv.Atoi(getenv("SLURM_ARRAY_TASK_MIN"))
	return n
}

// parseShard parses --shard: "3/64", "auto" for the variables of an engine, or "auto/64" if they only have the index.
func parseShard(s string, getenv func(string) string) (sitegen.Shard, error) {
	index, count, both := strings.Cut(s, "/")
	if index == "auto" {
		return autoShard(count, getenv)
	}
	shard, ok := shardOf(index, count, 0)
	if !both || !ok {
		return shard, usagef("--shard %s is invalid: the first of 64 is 0/64, the last 63/64; auto asks the engine", s)
	}
	return shard, nil
}

func autoShard(count string, getenv func(string) string) (sitegen.Shard, error) {
	for _, e := range engines {
		index := getenv(e.index)
		if index == "" {
			continue
		}
		n := count
		if n == "" {
			n = getenv(e.count)
		}
		if n == "" {
			return sitegen.Shard{}, usagef("--shard auto: %s does not say how many shards there are: set %s, or use --shard auto/64",
				e.name, e.count)
		}
		shard, ok := shardOf(index, n, e.first(getenv))
		if !ok {
			return shard, usagef("--shard auto: %s=%s of %s is not a shard", e.index, index, n)
		}
		return shard, nil
	}
	var names []string
	for _, e := range engines {
		names = append(names, e.index)
	}
	return sitegen.Shard{}, usagef("--shard auto: the number of the shard is unknown: none of %s is set",
		strings.Join(names, ", "))
}

// maxShards is the maximum number of shards. More shards than sessions are useless.
const maxShards = 99999

func shardOf(index, count string, first int) (sitegen.Shard, bool) {
	i, err := strconv.Atoi(index)
	n, failed := strconv.Atoi(count)
	i -= first
	return sitegen.Shard{Index: i, Count: n}, err == nil && failed == nil && i >= 0 && i < n && n <= maxShards
}

// shardOptions returns the options of a build of one shard.
func (f *buildFlags) shardOptions() (sitegen.Shard, error) {
	if f.strict || f.cache != "use" {
		return sitegen.Shard{}, usagef("--shard builds a part of a site: --strict is for viewer merge, --cache for a whole build")
	}
	return parseShard(f.shard, os.Getenv)
}
