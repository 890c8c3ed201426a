package main

import (
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"

	"github.com/spf13/cobra"
)

// version is recorded by the go command: the tag, or a version with the commit. No script sets it, so that all builds
// of a commit have the same bytes.
var version = versionOf(debug.ReadBuildInfo())

func versionOf(info *debug.BuildInfo, ok bool) string {
	if !ok || info.Main.Version == "" || info.Main.Version == "(devel)" {
		return "devel"
	}
	return strings.TrimPrefix(info.Main.Version, "v")
}

// built returns the commit of the build and its date, "" if the go command recorded none.
func built(info *debug.BuildInfo, ok bool) string {
	if !ok {
		return ""
	}
	set := make(map[string]string)
	for _, s := range info.Settings {
		set[s.Key] = s.Value
	}
	commit := set["vcs.revision"]
	if commit == "" {
		return ""
	}
	commit = commit[:min(12, len(commit))]
	if set["vcs.modified"] == "true" {
		commit += " with changes"
	}
	date, _, _ := strings.Cut(set["vcs.time"], "T")
	return strings.TrimSuffix(" (commit "+commit+", "+date, ", ") + ")"
}

// versionLine returns the version as it is printed.
func versionLine() string {
	return fmt.Sprintf("viewer %s%s %s/%s %s\n", version, built(debug.ReadBuildInfo()), runtime.GOOS, runtime.GOARCH,
		runtime.Version())
}

func newVersion(u *ui) *cobra.Command {
	return &cobra.Command{
		Use:   "version",
		Short: "Print the version, with its commit and date",
		Args:  noArgs,
		RunE:  func(*cobra.Command, []string) error { u.print("%s", versionLine()); return nil },
	}
}
