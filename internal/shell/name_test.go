package shell

import "testing"

// TestName: a command line is named by the command that decides its exit code.
func TestName(t *testing.T) {
	for command, want := range map[string]string{
		"go test ./... | tail -3":                    "go test",
		"cd x && git -C y status":                    "git status",
		"FOO=1 sudo /usr/bin/ls":                     "ls",
		"rtk git status && rtk test cargo test":      "cargo test",
		"":                                           "",
		`"$PROGRAM" x`:                               "",
		"cat > a.txt <<'EOF'\nIf it's here\nEOF":     "cat",
		"cat <<EOF > a.txt\nx\nEOF\nmake check":      "make check",
		"cat <<A - <<-\"B\"\none\nA\ntwo\n\tB\nwc a": "wc",
		"git commit -m \"$(cat <<'EOF'\nDon't \"x\"; rm\nEOF\n)\"":  "git commit",
		"git commit -m \"$(cat <<'EOF'\nIt's\nEOF\n)\" && git push": "git push",
		"python3 - <<PY\nimport sys\nprint(1)\nPY":                  "python3",
		"bash <<EOF\nls a\nmake b\nEOF":                             "make b",
		"grep -c x <<< 'a b'":                                       "grep",
		"echo $((1<<n))\nnl a":                                      "nl",
		"cat <<EOF\nno end\nls":                                     "ls",
		"for f in a b; do go vet $f; done":                          "go vet",
		"for f in a b; do wc $f; done | sort":                       "wc",
		"if test -e a; then rm a; fi":                               "rm",
		"while read l; do echo $l; done < list":                     "echo",
		"claude --permission-mode plan -p x":                        "claude",
		"done":                                                      "",
		"> a.txt sort b":                                            "sort",
		"2>&1 >a.txt sort b":                                        "sort",
		"A1=2 _b= ls":                                               "ls",
		"A1=2":                                                      "",
	} {
		if got := Name(command); got != want {
			t.Errorf("Name(%q) = %q, want %q", command, got, want)
		}
	}
}
