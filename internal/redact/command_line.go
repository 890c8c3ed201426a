package redact

import (
	"bytes"
	"strings"
)

// A program takes a password or a key on its command line.
//
// The notation of an option tells how it takes the value:
//
//	-p     in the next argument, or joined: -p X, -pX; with letters of others before it: -xp X
//	-p+    joined only
//	-p_    in the next argument only
//	-pass  in the next argument, or behind an equals sign, as all of more letters
//	pass:  in the argument that begins so
//	#2     the second argument that is no option; #= what is behind the equals sign of each; #name the second one
//	       when the first is a name that promises a secret, which may be joined to it by an equals sign
//
// After a blank is the text before the value in the argument: "-u :" takes user:password.
type program struct {
	words   string // beginnings of its command lines, separated by commas
	options []valueOption
}

// A valueOption is an option that takes a value.
type valueOption struct {
	option    string
	separator byte // the value is after the first of these bytes, 0 if it is the whole argument
}

func valueOptions(options ...string) []valueOption {
	var all []valueOption
	for _, o := range options {
		option, before, ok := strings.Cut(o, " ")
		t := valueOption{option: option}
		if ok {
			t.separator = before[0]
		}
		all = append(all, t)
	}
	return all
}

var programs = []program{
	{"sshpass ,mongosh ,mongo --,mongodump ,mongorestore ,mongoexport ,mongoimport ,docker login,podman login,buildah login,nerdctl login,registry login," +
		"skopeo login,oras login,crane auth login,oc login,az login,cf login,expo login,twine upload,poetry publish,cqlsh ," +
		"cypher-shell ,rabbitmqadmin ,couchbase-cli ,crackmapexec ,netexec ,evil-winrm ,rdesktop ",
		valueOptions("-p", "--password", "--authenticationdatabasepassword")},
	{"mysql ,mysqldump ,mysqladmin ,mysqlimport ,mysqlshow ,mysqlcheck ,mysqlpump ,mysqlsh ,mariadb ,mariadb-dump ,mariadb-admin ", valueOptions("-p+", "--password")},
	{"redis-cli ,valkey-cli ,keydb-cli ", valueOptions("-a", "--pass")},
	{"requirepass ", valueOptions("#1")}, {"masterauth ", valueOptions("#1")}, {"> auth ", valueOptions("#1", "#2")},
	{"curl ,curl.exe ,curlie ", valueOptions("-u :", "-U :", "--user :", "--proxy-user :", "--pass", "--oauth2-bearer", "--tlspassword", "--proxy-pass")},
	{"http ,https ,xh -,xhs ,xh get,xh post,xh put", valueOptions("-a :", "--auth :")},
	{"skopeo copy,skopeo inspect,skopeo sync,buildah push,buildah pull,podman push,podman pull", valueOptions("--creds :", "--src-creds :", "--dest-creds :")},
	{"wget ,aria2c ,svn ", valueOptions("--password", "--http-password", "--ftp-password", "--proxy-password", "--http-passwd", "--ftp-passwd")},
	{"zip -,zip --,unzip -", valueOptions("-P", "--password")},
	{"7z [axetlud],7z.exe ,7za ,7zz ,rar ,unrar ", valueOptions("-p+", "-hp+")},
	{"keytool ,keytool.exe ,jarsigner ", valueOptions("-storepass", "-keypass", "-srcstorepass", "-deststorepass", "-srckeypass", "-destkeypass", "-new", "-storepasswd")},
	{"apksigner ,openssl ,codesign ,xcrun ", valueOptions("pass:", "-passin", "-passout", "-k_", "-K_", "--ks-pass", "--key-pass", "--password")},
	{"gpg ,gpg2 ,restic ,borg ", valueOptions("--passphrase")},
	{"ldapsearch ,ldapadd ,ldapmodify ,ldapdelete ,ldapwhoami ,ldapcompare ,ldapmodrdn ", valueOptions("-w")},
	{"ldappasswd ", valueOptions("-w", "-s", "-a")},
	{"convertto-securestring ", valueOptions("#1", "-String")},
	{"sqlcmd ,sqlcmd.exe ,bcp ,mssql-cli ,mosquitto_pub ,mosquitto_sub ,ipmitool ,kcadm.sh ", valueOptions("-P", "--password", "--pw")},
	{"etcdctl ", valueOptions("--user :")}, {"jenkins-cli", valueOptions("-auth :")},
	{"sqlplus ,sqlldr ,expdp ,impdp ,rman target", valueOptions("#= /")},
	{"smbclient ,rpcclient ,smbmap ", valueOptions("-U %", "--user %")},
	{"net use ", valueOptions("#3")}, {"net user ", valueOptions("#2")},
	{"cmdkey ,xfreerdp ,mstsc ,wfreerdp ,runas ,wmic ,schtasks ", valueOptions("/pass:", "/p:", "/password:", "/rp:", "/rp_", "/p_")},
	{"lftp ,ncftp", valueOptions("-u ,")},
	{"mc alias set", valueOptions("#4")},
	{"rabbitmqctl add_user,rabbitmqctl change_password,rabbitmqctl authenticate_user", valueOptions("#2")},
	{"plink ,pscp ,psftp ,plink.exe ,pscp.exe ,putty ,psexec ", valueOptions("-pw", "-p_")},
	{"vault login", valueOptions("#1")}, {"cargo login", valueOptions("#1")},
	{"ngrok authtoken,config add-authtoken,cloudflared service install,snyk auth,bw unlock,set-initial-password", valueOptions("#1")},
	{"bw login", valueOptions("#2")},
	{"vault kv put,vault kv patch,vault write", valueOptions("#= =")},
	{"fly secrets set,flyctl secrets set,supabase secrets set,doppler secrets set", valueOptions("#= =")},
	{"pulumi config set --secret", valueOptions("#2")}, {"ansible-vault encrypt_string", valueOptions("#1")},
	{"--type securestring ,keyvault secret set,eas secret:create", valueOptions("--value")},
	{"secret generic,secret docker-registry,secret create", valueOptions("--from-literal =", "--docker-password")},
	{"gh secret set,gh variable set,wrangler secret", valueOptions("-b", "--body")},
	{"poetry config pypi-token", valueOptions("#2")},
	{"poetry config http-basic,composer config http-basic,composer config --global http-basic,composer config -g http-basic", valueOptions("#3")},
	{"dotnet nuget push,nuget push,nuget.exe push", valueOptions("-k_", "-ApiKey", "--api-key")},
	{"user-secrets set", valueOptions("#2")},
	{"add-generic-password,add-internet-password,unlock-keychain,create-keychain,security import", valueOptions("-w_", "-p_", "-P_")},
	{"set-key-partition-list", valueOptions("-k_")},
	{"nmcli ", valueOptions("password")},
	{"wpa_passphrase ", valueOptions("#2")},
	{"snmpwalk ,snmpget ,snmpset ,snmptrap ,snmpbulkwalk ", valueOptions("-A", "-X")},
	{"useradd ,usermod ", valueOptions("-p", "--password")},
	{"rclone obscure", valueOptions("#1")}, {"hydra -", valueOptions("-p")},
	{"setx ,setx.exe ,set -gx,set -ux,set -xg,set -xu,set -x ,set -lx,setenv ,npm config set,pnpm config set,yarn config set,npm set,configure set,git config", valueOptions("#name")},
	{"config:set ,config:add ,eb setenv ", valueOptions("#names")},
}

// commandWords are the words of the programs, with their detectors.
var commandWords = func() []detectorWord {
	all := []detectorWord{{"htpasswd ", htpasswd}, {"sudo -", stdin}, {"password-stdin", stdin}, {"--stdin", stdin},
		{"--with-token", stdin}, {"chpasswd", stdin}, {"secret set ", stdin}, {"secret put ", stdin},
		{"secrets versions add ", stdin}, {"gcloud secrets create ", stdin}, {"kinit ", stdin}, {"cryptsetup ", stdin},
		{"pass insert ", stdin}}
	for i := range programs {
		p := &programs[i]
		for w := range strings.SplitSeq(p.words, ",") {
			all = append(all, detectorWord{w, func(s *scan, t *target, at int) { s.program(p, t, at) }})
		}
	}
	return all
}()

// A readRange is the part of the text in which command lines of a program were read.
type readRange struct {
	program *program
	to      int
}

// command returns the part of the text with the arguments after a word, nil if the word does not begin a command or was
// read as part of one. All words together read at most a few times the length of the text.
func (s *scan) command(p *program, t *target, at int) []byte {
	if at > 0 && isAlnum(t.word[0]) && (isAlnum(s.text[at-1]) && !isEscaped(s.text, at-1) || s.text[at-1] == '_' ||
		s.text[at-1] == '-' && at > 1 && !isSpace(s.text[at-2])) {
		return nil
	}
	if at+len(t.word) > len(s.text) { // a blank at the end of a word stands for the end of the text, too
		return nil
	}
	for i := range s.commands {
		if r := &s.commands[i]; r.program == p && at < r.to {
			return nil
		}
	}
	text := s.text[:min(len(s.text), at+len(t.word)+longestCommand)]
	if s.commandBytes += len(text) - at; s.commandBytes > 4*len(s.text)+64<<10 {
		return nil
	}
	return text
}

// noteRead records how far the command lines of a program were read.
func (s *scan) noteRead(p *program, to int) {
	for i := range s.commands {
		if s.commands[i].program == p {
			s.commands[i].to = to
			return
		}
	}
	s.commands = append(s.commands, readRange{p, to})
}

// program replaces the values of the options of a program.
func (s *scan) program(p *program, t *target, at int) {
	text := s.command(p, t, at)
	if text == nil {
		return
	}
	var waits *valueOption // the option that waits for its value
	var first argument
	plain, to := 0, at+len(t.word)
	if text[to-1] == '-' {
		to = at + bytes.IndexByte(text[at:], ' ')
	}
	for range 200 {
		a, ok := nextArgument(text, to)
		if !ok {
			break
		}
		to = a.next
		if waits != nil {
			s.optionValue(waits, a, 0)
			waits = nil
			continue
		}
		if text[a.start] == '-' || isSwitch(text[a.start:a.end]) {
			waits = s.option(p, a)
			continue
		}
		if waits = s.option(p, a); waits != nil {
			continue
		}
		plain++
		for i := range p.options {
			switch o := &p.options[i]; {
			case o.option == "#=":
				s.optionValue(o, a, 0)
			case o.option == "#names":
				s.namedArgument(a, a)
			case o.option == "#name" && plain == 1:
				first = a
				s.namedArgument(a, a)
			case o.option == "#name" && plain == 2:
				s.namedArgument(first, a)
			case len(o.option) == 2 && o.option[0] == '#' && int(o.option[1]-'0') == plain:
				s.positional(a)
			}
		}
	}
	s.noteRead(p, to)
}

// isSwitch reports whether an argument is an option of Windows: /user:mara.
func isSwitch(word []byte) bool {
	return len(word) > 1 && word[0] == '/' && isLetter(word[1]) && bytes.IndexByte(word[1:], '/') < 0
}

// option replaces the value that is joined to an option, and returns the option if the value is the next argument.
func (s *scan) option(p *program, a argument) *valueOption {
	word := s.text[a.start:a.end]
	for i := range p.options {
		o := &p.options[i]
		name, joined := strings.CutSuffix(o.option, "+")
		switch {
		case name[0] == '#':
		case strings.HasSuffix(name, ":"):
			if hasFoldAt(word, 0, name) {
				s.optionValue(o, a, len(name))
				return nil
			}
		case joined:
			if bytes.HasPrefix(word, []byte(name)) && len(word) > len(name) {
				s.optionValue(o, a, len(name))
				return nil
			}
		case strings.HasSuffix(name, "_"):
			if string(word) == name[:len(name)-1] {
				return o
			}
		case len(name) == 2:
			if n := lettersTo(word, name[1]); n > 0 {
				if n == len(word) {
					return o
				}
				s.optionValue(o, a, n)
				return nil
			}
		case len(word) >= len(name) && hasFoldAt(word, 0, strings.ToLower(name)):
			if len(word) == len(name) {
				return o
			}
			if word[len(name)] == '=' || word[len(name)] == ':' {
				s.optionValue(o, a, len(name)+1)
				return nil
			}
		}
	}
	return nil
}

// lettersTo returns where the value of a one-letter option begins in an argument: after -u, or after letters of options
// without values, as in -sSu. It returns 0 if the argument does not have the option.
func lettersTo(word []byte, letter byte) int {
	if len(word) < 2 || word[0] != '-' {
		return 0
	}
	for i := 1; i < len(word) && i < 7; i++ {
		switch c := word[i]; {
		case c == letter:
			if i > 1 && i+1 < len(word) && isLetter(word[i+1]) { // such as -purge
				return 0
			}
			return i + 1
		case !isLetter(c) && c != '#':
			return 0
		}
	}
	return 0
}

// optionValue replaces the value of an option, which begins skip bytes after the beginning of an argument.
func (s *scan) optionValue(o *valueOption, a argument, skip int) {
	start := a.start + skip
	if a.quoted < a.end && start < a.quoted && start >= a.quoted-1-quoteSlashes(s.text, a.quoted) {
		start = a.quoted
	}
	if start >= a.end {
		return
	}
	if o.separator == 0 {
		if hasFoldAt(s.text, start, "pass:") || hasFoldAt(s.text, start, "password:") {
			start += bytes.IndexByte(s.text[start:], ':') + 1
		}
		s.passwordArgument(start, a.end, false)
		return
	}
	i := bytes.IndexByte(s.text[start:a.end], o.separator)
	switch {
	case i < 0:
		return
	case o.separator == ':' && start+i+1 == a.end && i >= 16: // a key as the user, without password
		if v := s.text[start : start+i]; !isPlaceholder(v) && isRandom(v, 16, 3.0) {
			s.replace(start, start+i, passwordRule)
		}
		return
	}
	start += i + 1
	end := a.end
	if o.separator == '/' {
		if n := bytes.LastIndexByte(s.text[start:end], '@'); n > 0 {
			end = start + n
		}
	}
	if a.quoted < end && start < a.quoted {
		start = a.quoted
	}
	s.passwordArgument(start, end, o.option == "#=")
}

func quoteSlashes(text []byte, p int) int {
	n := 0
	for p-2-n >= 0 && text[p-2-n] == '\\' {
		n++
	}
	return n
}

// passwordArgument replaces a password, unless it is a placeholder. If careful is set, the command may be part of a
// sentence, and the password must not look like a word.
func (s *scan) passwordArgument(start, end int, careful bool) {
	if end-start < minArgument {
		return
	}
	v := s.text[start:end]
	if isShell(v) || isNotSecret(v, assignedValue{quoted: true}) || careful && !hasDigit(v) && crossEntropy(v) < 4.3 {
		return
	}
	s.replace(start, end, passwordRule)
}

// minArgument is the shortest password on a command line, in bytes.
const minArgument = 4

// positional replaces an argument that is a password by its position.
func (s *scan) positional(a argument) {
	s.passwordArgument(a.start, a.end, true)
}

// namedArgument replaces a value if the argument before it, or the part before an equals sign in it, is a name that
// suggests a secret.
func (s *scan) namedArgument(name, value argument) {
	word, start := s.text[name.start:name.end], value.start
	if name == value {
		i := bytes.IndexByte(word, '=')
		if i < 0 {
			return
		}
		word, start = word[:i], name.start+i+1
		if name.quoted < name.end { // API_KEY='...'
			start = max(start, name.quoted)
		}
	}
	if colon := bytes.LastIndexByte(word, ':'); colon >= 0 { // //registry.npmjs.org/:_authToken
		word = word[colon+1:]
	}
	if c := classOf(word); c >= keyName && c <= phraseName {
		s.passwordArgument(start, value.end, false)
	}
}

// htpasswd is the detector of the password after -b, which is the last argument.
func htpasswd(s *scan, t *target, at int) {
	text := s.command(nil, t, at)
	if text == nil {
		return
	}
	batch, last, plain := false, argument{}, 0
	to := at + len(t.word)
	for range 20 {
		a, ok := nextArgument(text, to)
		if !ok {
			break
		}
		to = a.next
		if text[a.start] == '-' && plain == 0 {
			batch = batch || bytes.IndexByte(text[a.start:a.end], 'b') > 0
		} else {
			last = a
			plain++
		}
	}
	if batch && plain > 1 {
		s.positional(last)
	}
	s.noteRead(nil, to)
}

// stdin is the detector of commands that read a password from their input: echo ... | sudo -S, gh auth login
// --with-token <<< ...
func stdin(s *scan, t *target, at int) {
	text := s.text
	if t.word == "sudo -" && !readsInput(text, at) {
		return
	}
	if s.commandBytes += longestInput; s.commandBytes > 4*len(text)+64<<10 {
		return
	}
	before := text[max(0, at-longestInput):at]
	if i := bytes.LastIndexByte(before, '\n'); i >= 0 {
		before = before[i+1:]
	}
	if pipe := bytes.LastIndexByte(before, '|'); pipe >= 0 {
		from := at - len(before)
		for _, word := range []string{"echo ", "printf "} {
			if i := bytes.LastIndex(before[:pipe], []byte(word)); i >= 0 {
				s.printed(from+i+len(word), from+pipe, t.word == "chpasswd")
			}
		}
	}
	line := text[at:min(lineEnd(text, at), at+longestInput)]
	if i := bytes.Index(line, []byte("<<<")); i >= 0 {
		if a, ok := nextArgument(text[:at+len(line)], at+i+3); ok {
			s.passwordArgument(a.start, a.end, false)
		}
	}
}

// longestInput limits the distance between a command and its input in bytes.
const longestInput = 512

// readsInput reports whether -S is among the options of sudo.
func readsInput(text []byte, at int) bool {
	p := at + len("sudo ")
	for range 8 {
		a, ok := nextArgument(text[:min(len(text), at+128)], p)
		if !ok {
			return false
		}
		p = a.next
		word := text[a.start:a.end]
		if word[0] == '-' && word[len(word)-1] == 'S' || string(word) == "--stdin" {
			return true
		}
		if bytes.IndexByte(word, 'S') > 0 && word[0] == '-' && word[1] != '-' {
			return true
		}
	}
	return false
}

// masked is the detector of values that a job of GitHub hides from its log: ::add-mask::VALUE
func masked(s *scan, t *target, at int) {
	if at >= s.run[0] && at < s.run[1] {
		return
	}
	start := at + len(t.word)
	end := s.runEnd(start)
	if i := bytes.IndexByte(s.text[start:end], '\\'); i >= 0 {
		end = start + i
	}
	s.passwordArgument(start, end, true)
}

// expected is the detector of passwords that a script of expect sends when it is asked for one: send "...\r"
func expected(s *scan, t *target, at int) {
	before := s.text[max(0, at-longestInput/4):at]
	if i := bytes.LastIndex(before, []byte("expect")); i < 0 || !contains(before[i:], "assword") &&
		!contains(before[i:], "assphrase") || contains(before[i:], "send ") {
		return
	}
	a, ok := nextArgument(s.text, at+len("send "))
	if ok && string(s.text[a.start:a.end]) == "--" {
		a, ok = nextArgument(s.text, a.next)
	}
	for _, key := range []string{`\r`, `\n`} {
		if v := s.text[a.start:a.end]; ok && bytes.HasSuffix(v, []byte(key)) {
			s.passwordArgument(a.start, a.end-len(key), false)
		}
	}
}

// printed replaces the arguments of echo or printf from p on, except options and formats.
func (s *scan) printed(p, to int, login bool) {
	for range 8 {
		a, ok := nextArgument(s.text[:to], p)
		if !ok {
			return
		}
		p = a.next
		v := s.text[a.start:a.end]
		switch {
		case v[0] == '-' && len(v) < 4 || contains(v, "%s"):
		case login:
			s.optionValue(&valueOption{separator: ':'}, a, 0)
		default:
			end := a.end
			for _, tail := range []string{`\\n`, `\n`} {
				if bytes.HasSuffix(v, []byte(tail)) {
					end -= len(tail)
					break
				}
			}
			s.passwordArgument(a.start, end, false)
		}
	}
}
