package main

import (
	"runtime/debug"
	"testing"
)

func TestVersionOf(t *testing.T) {
	for in, want := range map[string]string{"v1.2.3": "1.2.3", "(devel)": "devel", "": "devel", "v0.0.0-20261121031229-fab12945d2a8+dirty": "0.0.0-20261121031229-fab12945d2a8+dirty"} {
		if got := versionOf(&debug.BuildInfo{Main: debug.Module{Version: in}}, true); got != want {
			t.Errorf("version of a build of %q is %s, want %s", in, got, want)
		}
	}
	if got := versionOf(nil, false); got != "devel" {
		t.Errorf("version without build information is %s", got)
	}
}
