package redact

import (
	"bytes"
	"slices"
)

var fileRule = &rule{id: "secret-file", label: "secret", confidence: Likely}

// A fileKind is a set of formats of secret files.
type fileKind uint16

const (
	noFile fileKind = 0
	// output of a command that names an envFile, which may be something else
	envOutput fileKind = 1 << iota
	envFile            // NAME=value
	iniFile            // name = value
	yamlFile           // name: value
	jsonFile           // "name": "value"
	// each line is a secret, or has one after the word password, or after a user and a colon
	wordsFile
	keyOfFile   // base64
	valueOutput // output of a command that prints secrets
)

// secretFiles has the names of files that are made for secrets, in lower case: whole names, ends of paths, or
// beginnings and ends of names.
var secretFiles = []struct {
	kind             fileKind
	names            string // with blanks between
	paths            []string
	prefix, suffixes string // suffixes with blanks between
}{
	{kind: envFile, names: " .env .envrc .flaskenv .dev.vars ", prefix: ".env."},
	{kind: envFile, suffixes: " .env .dev.vars ", prefix: ""},
	{kind: envFile, prefix: ".dev.vars."},
	{kind: iniFile, names: " .npmrc .yarnrc .pypirc .s3cfg .boto .my.cnf .mylogin.cnf .passwd-s3fs rclone.conf .rclone.conf pip.conf .condarc .terraformrc credentials.toml .databrickscfg "},
	{kind: iniFile, suffixes: " .tfvars .auto.tfvars "},
	{kind: iniFile, paths: []string{".aws/credentials", ".cargo/credentials", "gem/credentials", ".oci/config", "snowsql/config", ".config/hub"}},
	{kind: jsonFile, names: " credentials.json .credentials.json auth.json .dockercfg application_default_credentials.json client_secret.json .terraform.d/credentials.tfrc.json secrets.json "},
	{kind: jsonFile, suffixes: " .tfvars.json credentials.tfrc.json ", paths: []string{".docker/config.json"}},
	{kind: jsonFile, prefix: "service-account", suffixes: " .json "},
	{kind: jsonFile, prefix: "service_account", suffixes: " .json "},
	{kind: yamlFile, names: " kubeconfig ", paths: []string{".kube/config", "gh/hosts.yml", "glab-cli/config.yml"}},
	{kind: yamlFile, prefix: "secrets.", suffixes: " .yml .yaml .toml "},
	{kind: jsonFile, prefix: "secrets.", suffixes: " .json "},
	{kind: wordsFile, names: " .netrc _netrc .pgpass pgpass.conf .vault-token .htpasswd .git-credentials ", paths: []string{"etc/shadow", "etc/gshadow"}},
	{kind: keyOfFile, names: " id_rsa id_dsa id_ecdsa id_ed25519 master.key ", suffixes: " .pem .key "},
}

// templateEnds are the last parts of names of files that only look like secret files.
const templateEnds = " example sample template dist default defaults schema md pub test ts js go py rb rs tpl j2 lock types d "

// kindOf returns the kind of a file with this name, noFile if it is not a secret file.
func kindOf(path []byte) fileKind {
	if len(path) == 0 || len(path) > 1024 || bytes.IndexByte(path, '\n') >= 0 {
		return noFile
	}
	low := bytes.ReplaceAll(bytes.ToLower(path), []byte(`\`), []byte("/"))
	if i := bytes.LastIndexByte(low, ':'); i > 1 { // HEAD:.env
		low = low[i+1:]
	}
	low = bytes.TrimRight(low, "*") // .env*
	base := low[bytes.LastIndexByte(low, '/')+1:]
	last := base[bytes.LastIndexByte(base, '.')+1:]
	if len(base) == 0 || len(last) < len(base) && inList(last, templateEnds) {
		return noFile
	}
	var kind fileKind
	for i := range secretFiles {
		f := &secretFiles[i]
		switch {
		case inList(base, f.names), hasSuffix(string(low), f.paths...),
			(f.prefix != "" || f.suffixes != "") && bytes.HasPrefix(base, []byte(f.prefix)) &&
				endsInList(base, f.suffixes):
			kind |= f.kind
		}
	}
	return kind
}

// endsInList reports whether a name ends with one of a list of words, or the list is empty.
func endsInList(name []byte, list string) bool {
	if list == "" {
		return true
	}
	for from := 1; from < len(list); {
		n := bytes.IndexByte([]byte(list[from:]), ' ')
		if n < 0 {
			return false
		}
		if word := list[from : from+n]; len(name) >= len(word) && string(name[len(name)-len(word):]) == word {
			return true
		}
		from += n + 1
	}
	return false
}

// secretFile is the detector of names of secret files, for tools that read or write one, and for texts that show lines
// of one.
func secretFile(s *scan, t *target, at int) {
	if s.isName {
		return
	}
	switch {
	case s.context.member&pathMember != 0:
		s.reads |= kindOf(s.text)
		return
	case s.context.member&(commandMember|inputMember|codeMember) != 0 && at >= s.shownEnd:
		s.reads |= s.commandReads(at)
	}
	s.noteWrittenLines(at)
	s.fileShown(at)
}

// pathAt returns the path that contains a place.
func (s *scan) pathAt(at int) (start, end int) {
	start, end = at, at
	for start > 0 && at-start < 512 && isPathByte(s.text[start-1]) {
		start--
	}
	for end < len(s.text) && end-at < 512 && (isPathByte(s.text[end]) || s.text[end] == '*') {
		end++
	}
	return start, end
}

func isPathByte(c byte) bool {
	return isSolid(c) && c != '(' && c != ')' && c != '=' && c != ';' && c != '|' && c != '<' && c != '>' && c != '*' &&
		c != ',' && c != '[' && c != ']' && c != '@'
}

// commandReads returns the kind of the file that a command names at a place, if it may print it.
func (s *scan) commandReads(at int) fileKind {
	start, end := s.pathAt(at)
	for end > start && (s.text[end-1] == ':' || s.text[end-1] == '\\') {
		end--
	}
	k := kindOf(s.text[start:end])
	switch {
	case k == noFile:
		return noFile
	case s.printing():
		return k
	case k&envFile != 0:
		return envOutput
	}
	return noFile
}

// printingPrograms are programs and calls that print files.
var printingPrograms = []string{"cat", "less", "more", "head", "tail", "tac", "bat", "batcat", "grep", "egrep", "rg",
	"ag", "ack", "sed", "awk", "nl", "strings", "diff", "type", "gc", "get-content",
	"cut", "sort", "uniq", "echo", "printf", "tee", "show", "log", "blame", "paste", "column", "jq", "yq", "dasel",
	"select-string", "findstr", "view", "xargs", "while", "envsubst", "printenv", "pr", "fold", "rev", "od", "xxd"}

var printingCalls = []string{"open(", "readfile", "read_text(", "readalltext", "readalllines", "file.read",
	"readtextfile", "read_file", "dotenv", "file_get_contents", "bun.file(", "slurp", "readlines(", "<<"}

// printing reports whether the text is a command that prints or writes files.
func (s *scan) printing() bool {
	if s.printsFiles == 0 {
		s.printsFiles = -1
		if commandPrints(s.text) {
			s.printsFiles = 1
		}
	}
	return s.printsFiles > 0
}

// commandPrints reports whether a command prints or writes files.
func commandPrints(command []byte) bool {
	low := lowered(nil, command[:min(len(command), 16<<10)])
	for _, program := range printingPrograms {
		for i := 0; ; {
			n := bytes.Index(low[i:], []byte(program))
			if n < 0 {
				break
			}
			i += n
			if end := i + len(program); (i == 0 || !isName(low[i-1]) || isEscaped(low, i-1)) && end < len(low) &&
				(isSpace(low[end]) || low[end] == '"' || low[end] == '\'' || low[end] == '\\') {
				return true
			}
			i += len(program)
		}
	}
	return slices.ContainsFunc(printingCalls, func(call string) bool { return contains(low, call) })
}
