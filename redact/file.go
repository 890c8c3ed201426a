package redact

import "bytes"

var fileRule = &rule{id: "secret-file", label: "secret", confidence: Likely}

// A fileKind says how the content of a file that is made for secrets is written.
type fileKind uint8

const (
	noFile    fileKind = iota
	envOutput          // what a command printed of a file of NAME=value: only names in capitals
	envFile            // NAME=value
	yamlFile           // name: value, also that of JSON
	wordsFile          // each line is a secret, or holds one behind the word password
	keyOfFile          // base64
)

// secretFile is the detector of the names of files that are made for secrets, where a tool reads or writes one.
func secretFile(s *scan, t *target, at int) {
	if s.isName {
		return
	}
	switch string(s.context.name) {
	case "filePath", "file_path", "filename", "path", "displayPath", "notebook_path":
		s.reads = max(s.reads, kindOf(s.text))
	case "command":
		start, end := at, at
		for start > 0 && isSolid(s.text[start-1]) && s.text[start-1] != '(' && s.text[start-1] != '=' {
			start--
		}
		for end < len(s.text) && isSolid(s.text[end]) && s.text[end] != ')' && s.text[end] != ';' && s.text[end] != '|' {
			end++
		}
		if k := kindOf(s.text[start:end]); k != noFile && showsFiles(s.text) {
			s.reads = max(s.reads, min(k, envOutput), onlyIf(k != envFile, k))
		}
	}
}

func onlyIf(ok bool, k fileKind) fileKind {
	if ok {
		return k
	}
	return noFile
}

// showsFiles says that a command prints what is in files.
func showsFiles(command []byte) bool {
	for _, program := range []string{"cat", "less", "more", "head", "tail", "bat", "grep", "rg", "sed", "awk", "nl", "strings", "diff", "type", "Get-Content", "xxd", "cut", "sort", "echo", "tee"} {
		for i := 0; ; {
			n := bytes.Index(command[i:], []byte(program))
			if n < 0 {
				break
			}
			i += n
			if (i == 0 || !isName(command[i-1])) && i+len(program) < len(command) && isSpace(command[i+len(program)]) {
				return true
			}
			i += len(program)
		}
	}
	return false
}

// kindOf is the kind of a file with this name, noFile for all that are not made for secrets.
func kindOf(path []byte) fileKind {
	if len(path) == 0 || len(path) > 1024 || bytes.IndexByte(path, '\n') >= 0 {
		return noFile
	}
	low := bytes.ReplaceAll(bytes.ToLower(path), []byte(`\`), []byte("/"))
	base := low[bytes.LastIndexByte(low, '/')+1:]
	for _, harmless := range []string{"example", "sample", "template", "dist", "default", "defaults", "schema", "md", "pub", "test", "ts", "js", "go", "py", "rb", "rs", "tpl", "j2"} {
		if bytes.HasSuffix(base, []byte("."+harmless)) || bytes.Equal(base, []byte("env."+harmless)) {
			return noFile
		}
	}
	name := string(base)
	switch {
	case name == ".env" || bytes.HasPrefix(base, []byte(".env.")) || bytes.HasSuffix(base, []byte(".env")) || name == ".envrc":
		return envFile
	case name == ".npmrc" || name == ".pypirc" || name == ".s3cfg" || name == ".boto" || name == ".my.cnf" || hasSuffix(name, ".tfvars"):
		return envFile
	case name == "credentials" && bytes.Contains(low, []byte(".aws/")):
		return envFile
	case name == ".netrc" || name == "_netrc" || name == ".pgpass" || name == ".vault-token" || name == ".htpasswd" || name == ".git-credentials" || hasSuffix(string(low), "etc/shadow"):
		return wordsFile
	case name == "id_rsa" || name == "id_dsa" || name == "id_ecdsa" || name == "id_ed25519" || hasSuffix(name, ".pem", ".key"):
		return keyOfFile
	case name == "credentials.json" || name == ".credentials.json" || name == "auth.json" || name == "kubeconfig" || name == ".dockercfg",
		hasSuffix(string(low), ".kube/config", ".docker/config.json", "gh/hosts.yml"),
		bytes.HasPrefix(base, []byte("service-account")) && hasSuffix(name, ".json"),
		bytes.HasPrefix(base, []byte("secrets.")) && hasSuffix(name, ".yml", ".yaml", ".json", ".toml"):
		return yamlFile
	}
	return noFile
}

// fileLines replaces what is set in a text that may be the content of such a file.
func (s *scan) fileLines() {
	text := s.text
	for from := 0; from < len(text); {
		end := from
		if n := bytes.IndexByte(text[from:], '\n'); n >= 0 {
			end += n
		} else {
			end = len(text)
		}
		s.fileLine(from, end)
		from = end + 1
	}
}

func (s *scan) fileLine(from, end int) {
	text := s.text
	if end-from > 8<<10 {
		return
	}
	for end > from && (isSpace(text[end-1]) || text[end-1] == ',' || text[end-1] == ';') {
		end--
	}
	p := afterFrame(text, from, end)
	switch s.context.file {
	case envFile, envOutput:
		name := p
		printed := s.context.file == envOutput
		for _, word := range []string{"export ", "set ", "declare -x ", "# ", "#"} {
			if bytes.HasPrefix(text[name:end], []byte(word)) {
				name += len(word)
			}
		}
		eq := bytes.IndexByte(text[name:end], '=')
		if eq <= 0 || eq > 120 {
			return
		}
		spaced := bytes.TrimRight(text[name:name+eq], " \t")
		if !isSetting(spaced, printed) || printed && (len(spaced) != eq || bytes.IndexByte(text[name+eq:end], ' ') >= 0 || text[min(name+eq+1, end-1)] == '/') {
			return
		}
		s.setting(name+eq+1, end)
	case yamlFile:
		colon := bytes.IndexByte(text[p:end], ':')
		if colon <= 0 || colon > 120 || p+colon+1 >= end || !isSpace(text[p+colon+1]) && !isQuote(text[p+colon+1]) {
			if eq := bytes.IndexByte(text[p:end], '='); eq > 0 && eq < 120 { // TOML
				s.setting(p+eq+1, end)
			}
			return
		}
		s.setting(p+colon+1, end)
	case wordsFile:
		if i := bytes.Index(text[p:end], []byte("password ")); i >= 0 {
			s.setting(p+i+len("password "), end)
			return
		}
		if i := bytes.LastIndexByte(text[p:end], ':'); i >= 0 && bytes.IndexByte(text[p:end], ' ') < 0 {
			s.setting(p+i+1, end)
		} else if isRandom(text[p:end], 16, 3.0) {
			s.setting(p, end)
		}
	case keyOfFile:
		if end-p < 40 || bytes.Contains(text, []byte("CERTIFICATE")) || bytes.Contains(text, []byte("PUBLIC KEY")) {
			return
		}
		for _, c := range text[p:end] {
			if !isAlnum(c) && c != '+' && c != '/' && c != '=' {
				return
			}
		}
		s.replace(p, end, fileRule)
	}
}

// setting replaces a value, but for what tells nobody anything.
func (s *scan) setting(start, end int) {
	text := s.text
	for start < end && (isSpace(text[start]) || isQuote(text[start])) {
		start++
	}
	if i := bytes.Index(text[start:end], []byte(" #")); i >= 0 {
		end = start + i
	}
	for end > start && (isSpace(text[end-1]) || isQuote(text[end-1])) {
		end--
	}
	v := text[start:end]
	if len(v) == 0 || isNumber(v) && len(v) <= 5 || isPlaceholder(v) || inList(lowered(nil, v), plainSettings) {
		return
	}
	s.replace(start, end, fileRule)
}

const plainSettings = " true false yes no on off null none nil development production test testing staging local debug info warn warning error localhost 127.0.0.1 0.0.0.0 "

func isSetting(name []byte, capitals bool) bool {
	if len(name) == 0 {
		return false
	}
	for _, c := range name {
		if !isName(c) && c != '/' && c != ':' && c != '@' && c != '_' || capitals && (isLower(c) || !isAlnum(c) && c != '_') {
			return false
		}
	}
	return true
}

// afterFrame skips what tools set before the lines of a file: its number, the sign of a patch.
func afterFrame(text []byte, from, end int) int {
	p := from
	for p < end && isSpace(text[p]) {
		p++
	}
	n := p
	for n < end && isDigit(text[n]) && n-p < 7 {
		n++
	}
	if n > p && n < end {
		switch {
		case text[n] == '\t' || text[n] == '|':
			p = n + 1
		case bytes.HasPrefix(text[n:end], []byte("→")):
			p = n + len("→")
		case text[n] == ':' || text[n] == '-': // grep -n
			p = n + 1
		}
	}
	if p < end && (text[p] == '+' || text[p] == '-') {
		p++
	}
	for p < end && isSpace(text[p]) {
		p++
	}
	return p
}
