package permissions

import (
	"bytes"
	"strings"

	"viewer/internal/tools"
	"viewer/internal/transcript"
	"viewer/internal/words"
	"viewer/normalize"
)

// A Host is a host that calls contacted, according to their inputs.
type Host struct {
	Name  string // in lower case, without user and port
	Calls int
	At    *normalize.Message // the first call
	last  *normalize.Group
}

// fetchCall records the host of a call whose input has an address.
func (k *collector) fetchCall(g *normalize.Group, action tools.Action) {
	input := g.Call.Block.Input
	if !bytes.Contains(input, []byte("://")) && !bytes.Contains(input, []byte(`:\/\/`)) {
		return
	}
	named := false
	for _, name := range []string{"url", "URL", "Url", "urls"} {
		v := transcript.Field(input, name)
		named = named || v != nil
		if transcript.Kind(v) == '[' {
			for e := range transcript.Elements(v) {
				k.host(g, transcript.String(e))
			}
			continue
		}
		k.host(g, transcript.String(v))
	}
	if named || action != tools.Fetch {
		return
	}
	for _, v := range transcript.Members(input) { // Gemini has addresses in a prompt
		text := transcript.String(v)
		for word := range strings.FieldsSeq(text) {
			if at := strings.Index(word, "http"); at >= 0 {
				k.host(g, word[at:])
			}
		}
	}
}

// webPrograms have addresses as arguments, installers sometimes, remotePrograms have hosts.
var (
	webPrograms = words.Set(`curl wget aria2c axel http https xh lynx w3m iwr irm invoke-webrequest invoke-restmethod yt-dlp
		gh glab pip pip3 uv npm pnpm yarn go cargo brew apt-get apt dnf chromium google-chrome open xdg-open`)
	bareHosts      = words.Set("curl wget http https xh")
	remotePrograms = words.Set("scp rsync sftp")
	gitRemotes     = words.Set("clone fetch pull push ls-remote remote submodule archive")
)

// noAddress are options whose value is not the address that is contacted.
var noAddress = words.Set(`-H --header -d --data --data-raw --data-binary --data-urlencode -F --form -A --user-agent -e
	--referer -o --output -O --output-document -b --cookie -c --cookie-jar -u --user -w --write-out -X --request -m
	--max-time --connect-timeout --retry -T --upload-file -K --config --cacert --cert --key -x --proxy --resolve`)

// remoteValues are options of ssh and similar programs that have a value.
var remoteValues = words.Set("-i -p -P -o -l -F -J -L -R -D -b -c -E -e -m -O -Q -S -W -w -B")

// hostsOf records the hosts that a simple command contacts.
func (s *shellCall) hostsOf(program []string) {
	name := strings.ToLower(program[0])
	switch {
	case name == "git":
		s.gitHosts(program[1:])
	case name == "ssh":
		if rest := operandsOf(program[1:], remoteValues); len(rest) > 0 {
			s.host(s.group, "ssh://"+rest[0])
		}
	case remotePrograms[name]:
		for _, w := range operandsOf(program[1:], remoteValues) {
			s.host(s.group, remoteOf(w))
		}
	case webPrograms[name]:
		rest := operandsOf(program[1:], noAddress)
		met := false
		for _, w := range rest {
			if i := strings.IndexByte(w, '='); i > 0 && strings.HasPrefix(w, "-") {
				w = w[i+1:]
			}
			if isAddress(w) {
				s.host(s.group, w)
				met = true
			}
		}
		if len(rest) > 0 && !met && bareHosts[name] && isBareHost(rest[0]) {
			s.host(s.group, "http://"+rest[0])
		}
	}
}

// gitValues are options of git and its commands that have a value.
var gitValues = words.Set("-C -c --git-dir --work-tree -b --branch -o --origin --depth -j --reference")

func (s *shellCall) gitHosts(args []string) {
	rest := operandsOf(args, gitValues)
	if len(rest) == 0 || !gitRemotes[rest[0]] {
		return
	}
	for _, w := range rest[1:] {
		if isAddress(w) {
			s.host(s.group, w)
		} else if strings.Contains(w, "@") {
			s.host(s.group, remoteOf(w))
		}
	}
}

// operandsOf returns the arguments that are neither options nor values of options.
func operandsOf(args []string, withValue map[string]bool) []string {
	var all []string
	for i := 0; i < len(args); i++ {
		switch w := args[i]; {
		case withValue[w]:
			i++
		case !strings.HasPrefix(w, "-"), strings.Contains(w, "=") && strings.Contains(w, "://"):
			all = append(all, w)
		}
	}
	return all
}

// remoteOf returns the address of user@host:path or host:path, as scp and git write it; "" for a local file.
func remoteOf(word string) string {
	if isAddress(word) {
		return word
	}
	host, _, ok := strings.Cut(word, ":")
	if !ok || len(host) < 2 || strings.ContainsAny(host, `/\ $`) {
		return ""
	}
	return "ssh://" + host
}

// isAddress reports whether a word begins with a scheme.
func isAddress(word string) bool {
	scheme, _, ok := strings.Cut(word, "://")
	return ok && scheme != "" && !strings.ContainsFunc(scheme, func(r rune) bool {
		return r != '+' && (r > 'z' || r < 'A' || r > 'Z' && r < 'a')
	})
}

// isBareHost reports whether a word without a scheme names a host: "example.com/x".
func isBareHost(word string) bool {
	host, _, _ := strings.Cut(word, "/")
	host, _, _ = strings.Cut(host, ":")
	i := strings.LastIndexByte(host, '.')
	return i > 0 && len(host)-i > 2 && !strings.ContainsFunc(host, func(r rune) bool {
		return r >= 0x80 || !isPathByte(byte(r))
	})
}

// maxHost is the maximum length of the name of a host, in runes.
const maxHost = 120

// host records the host of an address. The machine itself does not count, and neither do schemes without a host.
func (k *collector) host(g *normalize.Group, address string) {
	name := hostOf(address)
	if name == "" || isLoopback(name) {
		return
	}
	i, known := k.hosts[name]
	if !known {
		i = len(k.Hosts)
		k.hosts[name] = i
		k.Hosts = append(k.Hosts, Host{Name: name, At: g.Head()})
	}
	h := &k.Hosts[i]
	if h.last != g {
		h.Calls++
		h.last = g
	}
}

// hostOf returns the host of an address, "" for none.
func hostOf(address string) string {
	scheme, rest, ok := strings.Cut(strings.Trim(address, `"'<>`), "://")
	if !ok || !isAddress(scheme+"://") || scheme == "file" || scheme == "data" {
		return ""
	}
	if i := strings.IndexAny(rest, "/?#\\ \t\n\"'<>),;|"); i >= 0 {
		rest = rest[:i]
	}
	if i := strings.LastIndexByte(rest, '@'); i >= 0 {
		rest = rest[i+1:]
	}
	if inner, ok := strings.CutPrefix(rest, "["); ok { // IPv6
		rest, _, _ = strings.Cut(inner, "]")
	} else if i := strings.LastIndexByte(rest, ':'); i >= 0 && !strings.Contains(rest, "}") {
		rest = rest[:i]
	}
	return strings.ToLower(strings.TrimRight(words.Line(rest, maxHost), "."))
}

func isLoopback(host string) bool {
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || strings.HasPrefix(host, "127.") ||
		host == "::1" || host == "0.0.0.0"
}
