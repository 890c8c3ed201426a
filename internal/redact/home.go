package redact

import (
	"bytes"
	"slices"
	"strings"

	"viewer/internal/redact/match"
)

var homeRule = &rule{id: "home", label: "home", confidence: Personal}

// home is the detector of home folders: /home/NAME, /Users/NAME, C:\Users\NAME, and -Users-NAME- in names of folders
// that encode a path.
func home(s *scan, t *target, at int) {
	start, name, end, ok := homeFolder(s.text, at, len(t.word))
	if ok && start > 0 && s.text[start-1] == '@' && !isMention(s.text, start-1) && !s.knows(s.text[name:end]) {
		return
	}
	if !ok || s.text[at] == '/' && s.text[at+1] == 'u' { // /users/me, a path of a web service
		return
	}
	if t.word[0] == '-' {
		// The name ends where the next folder begins, which only known names can tell.
		if end = s.encodedName(name); end < name+2 {
			return
		}
	}
	s.edits = append(s.edits, edit{start: start, end: end, rule: homeRule, kind: tilde})
}

// homeFolder reads a home folder whose word ("/home/", `\Users\`, "-Users-") is at at.
func homeFolder(text []byte, at, word int) (start, name, end int, ok bool) {
	sep := text[at]
	name = at + word
	if sep == '-' {
		start, ok = startOfEncoded(text, at, name)
	} else {
		start, ok = startOfPath(text, at)
		for name < len(text) && text[name] == '\\' {
			name++
		}
	}
	if !ok {
		return start, name, name, false
	}
	end = userEnd(text, name, sep)
	who := text[name:end]
	if len(who) < 2 && sep != '-' || end < len(text) && strings.IndexByte("*<${(", text[end]) >= 0 {
		return start, name, end, false
	}
	var buffer [64]byte
	return start, name, accountEnd(text, name, end, sep), !inList(lowered(buffer[:0], who), sharedFolders)
}

// startOfEncoded returns the start of a path that is encoded as the name of a folder: below projects/, or as a whole
// name.
func startOfEncoded(text []byte, at, name int) (int, bool) {
	start := at
	if at > 1 && text[at-1] == '-' && isLetter(text[at-2]) { // C--Users-
		start = at - 2
		if start == 0 {
			return start, true
		}
	}
	if start == 0 || text[start-1] == '/' || text[start-1] == '\\' {
		return start, true
	}
	return start, isListed(text, start, name)
}

// startOfPath returns the start of a path whose home folder is at at.
func startOfPath(text []byte, at int) (int, bool) {
	start := at
	for text[at] == '\\' && start > 0 && text[start-1] == '\\' { // C:\\Users: escaped once more
		start--
	}
	if start, ok := beforeHome(text, start); ok {
		return start, true
	}
	return remoteHome(text, at)
}

// userEnd returns the end of a user name that is a folder.
func userEnd(text []byte, name int, sep byte) int {
	end := name
	for end < len(text) && end-name < 64 {
		n := 1
		if !isUserByte(text[end], sep) {
			n = escapedInName(text[end:], end-name, sep)
		}
		if n == 0 {
			break
		}
		end += n
	}
	if sep == '\\' && end < len(text) && text[end] == ' ' { // C:\Users\Mara Lind\Desktop
		for i := end; i < len(text) && i-name < 40; i++ {
			if text[i] == '\\' {
				end = i
				break
			}
			if !isUserByte(text[i], sep) && text[i] != ' ' {
				break
			}
		}
	}
	for end > name && text[end-1] == '.' { // the end of a sentence
		end--
	}
	return end
}

// escapedInName returns the length of another character inside a name, after some bytes of it, otherwise 0: a space or
// a letter as shells and addresses write them (/c/Users/Mara\ Lind, file:///home/ren%C3%A9), the apostrophe of o'neil,
// or the end of a short name of Windows (MARALI~1).
func escapedInName(text []byte, after int, sep byte) int {
	n := 0
	for sep == '/' && n < len(text) && text[n] == '\\' {
		n++
	}
	switch rest := text[n:]; {
	case sep == '-' || len(rest) == 0:
		return 0
	case n == 0 && rest[0] == '~' && after > 0 && len(rest) > 1 && isDigit(rest[1]):
		return len("~1")
	case after == 1 && rest[0] == '\'':
		n = apostrophe(text, n)
	case n > 0 && rest[0] == ' ' && after > 0:
		n++
	case n == 0 && isEncodedInName(rest, after):
		if n = len("%20"); rest[1] >= '8' {
			return n
		}
	default:
		return 0
	}
	if n < len(text) && isUserByte(text[n], sep) {
		return n
	}
	return 0
}

// isEncodedInName reports whether a text begins with a character that addresses encode: a byte of a letter that is not
// ASCII, a space inside a name, or the apostrophe after the first letter.
func isEncodedInName(text []byte, after int) bool {
	if len(text) < len("%20") || text[0] != '%' || !isHex(text[1]) || !isHex(text[2]) {
		return false
	}
	code := string(text[1:3])
	return code[0] >= '8' || code == "20" && after > 0 || code == "27" && after == 1
}

// apostrophe returns the index after the apostrophe at i. Inside quotes, shells write it as four characters.
func apostrophe(text []byte, i int) int {
	if bytes.HasPrefix(text[i:], []byte(`'\''`)) {
		return i + len(`'\''`)
	}
	return i + 1
}

// accountEnd returns the end of an account whose name in a folder has that of its domain: /home/CORP\mara,
// /home/mara@corp.local. Before a small letter, a backslash may belong to an escape: /home/mara\nnext.
func accountEnd(text []byte, name, end int, sep byte) int {
	at := end
	switch {
	case sep == '-' || at == len(text):
		return end
	case text[at] == '@':
		at++
	case sep == '/' && text[at] == '\\':
		for at < len(text) && text[at] == '\\' {
			at++
		}
		domain := isAll(text[name:end], func(c byte) bool { return !isLower(c) })
		if at < len(text) && isEscapeLetter(text[at]) && !domain {
			return end
		}
	}
	begin := at
	for at < len(text) && at-begin < 64 && isUserByte(text[at], sep) {
		at++
	}
	for at > begin && text[at-1] == '.' { // the end of a sentence
		at--
	}
	if at-begin < 2 {
		return end
	}
	return at
}

// sharedFolders are folders beside home folders.
const sharedFolders = " shared public default all defaultuser0 linuxbrew lost+found user username you me name yourname your-name youruser your-user someone somebody "

func isUserByte(c, sep byte) bool {
	return isAlnum(c) || c == '.' || c == '_' || c >= 0x80 || c == '-' && sep != '-'
}

// beforeHome extends a path by the text before /home or /Users: a drive, or a mount point. After anything else it is
// some other folder of that name.
func beforeHome(text []byte, at int) (int, bool) {
	if at == 0 {
		return at, true
	}
	switch c := text[at-1]; {
	case c == ':' && at >= 2 && isLetter(text[at-2]) && (at == 2 || !isAlnum(text[at-3])): // C:
		return at - 2, true
	case isLetter(c):
		return mountBefore(text, at)
	case isDigit(c) || c >= 0x80 || strings.IndexByte("_-.~})$%*", c) >= 0:
		return at, false
	}
	return at, true
}

// mountBefore extends a path by a mounted drive, or a folder of the system, before /home or /Users: /mnt/c, /var.
func mountBefore(text []byte, at int) (int, bool) {
	for _, mount := range []string{"/mnt/", "/cygdrive/", "/", "/host_mnt/"} { // /mnt/c
		if at <= len(mount) || string(text[at-1-len(mount):at-1]) != mount {
			continue
		}
		if start := at - 1 - len(mount); start == 0 ||
			!isName(text[start-1]) && text[start-1] != '/' && text[start-1] != '~' {
			return start, true
		}
	}
	for _, above := range []string{"/var", "/export", "/usr", "/private"} {
		if bytes.HasSuffix(text[:at], []byte(above)) {
			return at - len(above), true
		}
	}
	return at, isEscaped(text, at-1)
}

// isEscaped reports whether the letter at i ends an escape in an escaped text: \n/home/mara.
func isEscaped(text []byte, i int) bool {
	return i > 0 && text[i-1] == '\\' && isEscapeLetter(text[i])
}

// encodedName returns the end of a user name in the name of a folder that encodes a path: the end of a known name, or
// the next dash.
func (s *scan) encodedName(name int) int {
	rest := s.text[name:]
	best := 0
	for _, n := range s.names {
		if len(n) > best && hasFoldAt(rest, 0, encode(n)) && (len(n) == len(rest) || !isAlnum(rest[len(n)])) {
			best = len(n)
		}
	}
	if best == 0 {
		for best < len(rest) && isAlnum(rest[best]) {
			best++
		}
	}
	if best == 0 || best < len(rest) && (rest[best] == '*' || rest[best] == '<' || rest[best] == '{') {
		return -1
	}
	return name + best
}

// encode returns a path as Claude Code encodes it in the name of a folder.
func encode(name string) string {
	b := []byte(strings.ToLower(name))
	for i, c := range b {
		if !isAlnum(c) {
			b[i] = '-'
		}
	}
	return string(b)
}

// Learn takes user names from the folders of a session before it is read. A name that only its records have is known
// from the first record on that was written in such a folder.
func (s *Session) Learn(paths ...string) {
	for _, path := range paths {
		s.learnFrom([]byte(path))
	}
}

// learnFrom learns the user name in a path that begins with a home folder, after a drive or a mount point.
func (s *Session) learnFrom(path []byte) {
	for _, word := range []string{"/home/", "/Users/", `\Users\`} {
		if at := bytes.Index(path[:min(len(path), 64)], []byte(word)); at >= 0 {
			if _, name, end, ok := homeFolder(path, at, len(word)); ok {
				for end < len(path) && (path[end] == ' ' || isUserByte(path[end], path[at])) {
					end++ // in a path that is no part of a text, a space ends no name
				}
				account := path[name:end]
				account = account[bytes.LastIndexByte(account, '\\')+1:] // after the domain
				account, _, _ = bytes.Cut(account, []byte("@"))
				s.learnName(string(bytes.TrimRight(account, " ")))
			}
			return
		}
	}
}

// learnName makes a user name be found in paths, unless it is a common one.
func (s *Session) learnName(name string) {
	if len(name) < 3 || len(s.names) >= 100 || isNumber([]byte(name)) ||
		inList([]byte(strings.ToLower(name)), commonUsers) ||
		s.knows([]byte(name)) {
		return
	}
	s.names = append(s.names, name)
	s.learning = s.learning || s.started
	if len(s.names) == 1 && !s.ownsWords {
		s.words = s.redactor.wordsWith(asciiLower(name))
		clear(s.members)
		return
	}
	for _, word := range nameWords(asciiLower(name)) {
		s.addWord(word, false, userName, userRule)
	}
}

// nameWords returns the words by which a user name is found: a short name only between separators.
func nameWords(name string) []string {
	if len(name) >= match.ShortestWord {
		return []string{name}
	}
	return []string{"/" + name, `\` + name}
}

// maxNamed limits how many user names have words that sessions share.
const maxNamed = 64

// wordsWith returns the words of the rules and a user name. They are made once for each name, because most sessions of
// a machine belong to one user.
func (r *Redactor) wordsWith(name string) words {
	r.namedLock.Lock()
	defer r.namedLock.Unlock()
	w, ok := r.named[name]
	if ok {
		return w
	}
	w = r.words.clone()
	for _, word := range nameWords(name) {
		if !w.find.Full() {
			w.add(word, false, userName, userRule)
		}
	}
	if len(r.named) < maxNamed {
		if r.named == nil {
			r.named = make(map[string]words)
		}
		r.named[name] = w
	}
	return w
}

func (s *Session) knows(name []byte) bool {
	return slices.ContainsFunc(s.names, func(n string) bool { return strings.EqualFold(n, string(name)) })
}

func asciiLower(s string) string { return string(lowered(nil, []byte(s))) }

// commonUsers are accounts of images, runners and machines without an owner, and common names of folders.
const commonUsers = " root user users admin administrator ubuntu debian centos fedora alpine ec2-user azureuser vagrant docker container node runner " +
	"runneradmin vsts circleci travis jenkins gitlab-runner github actions build builder buildkite ci dev developer devcontainer vscode codespace codespaces " +
	"coder gitpod sandbox claude agent app apps application project projects work workspace worker workdir repo repos code src source data test tests tester testing " +
	"home public guest nobody www www-data nginx apache mysql postgres redis git svn service services server system default example username name me you your " +
	"demo sample staging production prod local temp tmp www pi oracle opc deploy deployer ansible jovyan kasm-user playwright chrome node_modules lib bin etc var opt "

// userName is the detector of a known user name: as a folder of a path, or before a host.
func userName(s *scan, t *target, at int) {
	name, end := t.word, at+len(t.word)
	if at < len(s.text) && isSlash(s.text[at]) && isSlash(t.word[0]) {
		at, name = at+1, name[1:]
	}
	var before, behind byte
	if at > 0 {
		before = s.text[at-1]
	}
	if end < len(s.text) {
		behind = s.text[end]
	}
	ends := isSlash(behind) || isEdge(behind)
	switch {
	case before == '~' && ends: // ~mara/src
		s.edits = append(s.edits, edit{start: at, end: end, rule: userRule, key: name})
		return
	case isSlash(before) && ends && !isEscaped(s.text, at): // /tmp/mara/x, /var/mail/mara
	case isEdge(before) && behind == '/': // mara/fix-it, the branch
	case isSpace(before) && isSpace(behind) && isOwner(s.text, at, t.word): // -rw-r--r-- 1 mara
	default:
		return
	}
	if !s.isURL(at) {
		s.edits = append(s.edits, edit{start: at, end: end, rule: userRule, key: name})
	}
}

func isSlash(c byte) bool { return c == '/' || c == '\\' }

// isEdge reports whether c may precede or follow paths and names; 0 is the end of the text.
func isEdge(c byte) bool {
	return c == 0 || isSpace(c) || isQuote(c) || strings.IndexByte(",)(:=[];", c) >= 0
}

// isURL reports whether a place is in a URL or the name of a repository, which are public.
func (s *scan) isURL(at int) bool {
	start := at
	for start > 0 && at-start < 200 && isSolid(s.text[start-1]) && s.text[start-1] != '(' && s.text[start-1] != '[' &&
		s.text[start-1] != '<' {
		start--
	}
	token := s.text[start:at]
	if bytes.Contains(token, []byte("://")) && !bytes.HasPrefix(token, []byte("file://")) ||
		bytes.IndexByte(token, '@') >= 0 {
		return true
	}
	host, _, ok := bytes.Cut(token, []byte("/"))
	return ok && bytes.IndexByte(host, '.') > 0 && isLetter(host[len(host)-1])
}

// isOwner reports whether a place is the owner, or the group of the same name, in a line of ls -l.
func isOwner(text []byte, at int, name string) bool {
	i := at
	if n := len(name) + 1; at > n && string(lowered(nil, text[at-n:at-1])) == name { // the group of the same name
		i -= n
	}
	for i > 0 && at-i < 80 && (isSpace(text[i-1]) && text[i-1] != '\n' || isDigit(text[i-1])) {
		i--
	}
	mode := text[max(0, i-11):i]
	return bytes.Contains(mode, []byte("rw")) || bytes.Contains(mode, []byte("r-x")) ||
		bytes.Contains(mode, []byte("r--"))
}

var machineRule = hostRule

// machineName is the detector of names that systems give to personal machines: Maras-MacBook-Pro.local,
// DESKTOP-1A2B3C4.
func machineName(s *scan, t *target, at int) {
	start, end := at, at+len(t.word)
	for start > 0 && at-start < 48 && (isAlnum(s.text[start-1]) || s.text[start-1] == '-') {
		start--
	}
	for end < len(s.text) && end-at < 48 && isHostByte(s.text, end) {
		end++
	}
	switch {
	case t.word[0] == '-': // the owner is before it
		if start == at || !isUpper(s.text[at+1]) && !bytes.HasSuffix(s.text[start:end], []byte(".local")) {
			return
		}
	case start != at || !isUpper(s.text[at]) || !isMachineID(s.text[at+len("DESKTOP-"):end]):
		return
	case s.text[at] == 'L':
		end = at + len("LAPTOP-") + 8
	}
	s.replace(start, min(end, len(s.text)), machineRule)
}

// isHostByte reports whether a byte may be part of a host name: a dot only if more follows.
func isHostByte(text []byte, i int) bool {
	c := text[i]
	return isAlnum(c) || c == '-' || c == '.' && i+1 < len(text) && isAlnum(text[i+1])
}

// isMachineID reports whether a text begins with a word of seven capitals and digits.
func isMachineID(text []byte) bool {
	const size = 7
	return len(text) >= size && isAll(text[:size], func(c byte) bool { return isUpper(c) || isDigit(c) }) &&
		(len(text) == size || !isAlnum(text[size]))
}
