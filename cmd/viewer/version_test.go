package main

import (
	"runtime/debug"
	"testing"
)

func TestVersionOf(t *testing.T) {
	for in, want := range map[string]string{
		"v1.2.3": "1.2.3", "(devel)": "devel", "": "devel",
		"v0.0.0-20261121031229-fab12945d2a8+dirty": "0.0.0-20261121031229-fab12945d2a8+dirty",
	} {
		if got := versionOf(&debug.BuildInfo{Main: debug.Module{Version: in}}, true); got != want {
			t.Errorf("version of a build of %q is %s, want %s", in, got, want)
		}
	}
	if got := versionOf(nil, false); got != "devel" {
		t.Errorf("version without build information is %s, want devel", got)
	}
}

func TestBuilt(t *testing.T) {
	settings := func(all ...string) *debug.BuildInfo {
		info := new(debug.BuildInfo)
		for i := 0; i < len(all); i += 2 {
			info.Settings = append(info.Settings, debug.BuildSetting{Key: all[i], Value: all[i+1]})
		}
		return info
	}
	for _, c := range []struct {
		info *debug.BuildInfo
		want string
	}{
		{settings("vcs.revision", "0123456789abcdef0123", "vcs.time", "2026-11-23T04:12:38Z", "vcs.modified", "false"), " (commit 0123456789ab, 2026-11-23)"},
		{settings("vcs.revision", "0123456789abcdef0123", "vcs.time", "2026-11-23T04:12:38Z", "vcs.modified", "true"), " (commit 0123456789ab with changes, 2026-11-23)"},
		{settings("vcs.revision", "0123"), " (commit 0123)"},
		{settings("-trimpath", "true"), ""},
	} {
		if got := built(c.info, true); got != c.want {
			t.Errorf("built() = %q, want %q", got, c.want)
		}
	}
	if got := built(nil, false); got != "" {
		t.Errorf("without build information: got %q, want none", got)
	}
}
