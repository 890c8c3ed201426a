package redact

import (
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"unicode"

	"viewer/internal/redact/match"
	"viewer/internal/redact/rules"
)

// words has the words that the finder looks for, with their targets.
type words struct {
	find    *match.Finder
	targets []target
	added   []target // after clone
}

// A target is a word with the detector that examines the text around it.
type target struct {
	word       string // in lower case, or in the required case
	exact      bool
	detector   detector
	rules      []*rule
	candidates atomic.Pointer[candidates] // of the rules, for token; nil until the word is found
}

// A detector examines the text around a word at an offset and adds edits to s.edits. Its time must be proportional to
// the length of the text: text that it has examined must not be examined again for the next word.
type detector func(s *scan, t *target, at int)

// clone returns a copy to which words can be added. It shares the targets, which are many.
func (w *words) clone() words {
	return words{w.find.Clone(), w.targets, slices.Clip(w.added)}
}

func (w *words) target(index int) *target {
	if index < len(w.targets) {
		return &w.targets[index]
	}
	return &w.added[index-len(w.targets)]
}

// add adds a word. If exact is set, a word with capitals must have this case.
func (w *words) add(word string, exact bool, found detector, rules ...*rule) {
	w.find.Add(word, len(w.targets)+len(w.added))
	w.added = append(w.added, target{word: word, exact: exact, detector: found, rules: rules})
}

// builtin has the words of all rules.
var builtin = sync.OnceValue(newBuiltin)

func newBuiltin() *words {
	w := &words{find: new(match.Finder)}
	type key struct { // the common properties of rules that share a word
		word     string
		assigned bool
	}
	order, groups := make([]key, 0, 3000), make(map[key][]*rule, 3000)
	for _, d := range rules.All() {
		r := newRule(d)
		alone := []*rule{r}
		for _, pattern := range d.Words {
			for _, word := range spell(pattern) {
				k := key{word, d.Expr == ""}
				switch others, ok := groups[k]; {
				case !ok:
					groups[k] = alone
					order = append(order, k)
				case !slices.Contains(others, r):
					groups[k] = append(slices.Clip(others), r)
				}
			}
		}
	}
	w.added = make([]target, 0, len(order)*3/2) // allocated at once
	for _, k := range order {
		found := token
		if k.assigned {
			found = assignment
		}
		w.add(k.word, hasCapital(k.word), found, groups[k]...)
	}
	own := slices.Concat(detectorWords, markWords, writtenCharacters, commandWords, secretCommandWords())
	for _, own := range own {
		for _, word := range spell(own.word) {
			w.add(word, hasCapital(word), own.found)
		}
	}
	w.targets, w.added = w.added, nil
	return w
}

func hasCapital(word string) bool { return strings.IndexFunc(word, unicode.IsUpper) >= 0 }

// A detectorWord is a word of a detector.
type detectorWord struct {
	word  string
	found detector
}

// detectorWords are the words besides those of rules and programs.
var detectorWords = []detectorWord{
	{"password", assignment}, {"passwd", assignment}, {"passphrase", assignment}, {"passcode", assignment},
	{`pass[=:" '_\\(*&>)]`, assignment}, {`pwd[=:" '_\\(*&>),]`, assignment}, {"requirepass", assignment},
	{"passwort", assignment}, {"kennwort", assignment}, {`psk[=:"' ]`, assignment},
	{`[_bdlnprt]pw[=:"' ]`, assignment}, {`_pat[=:"' ]`, assignment},
	{"salt[=:\"' ]", assignment}, {"mnemonic", assignment}, {"phrase[=:\"' ]", assignment},
	{"secret", assignment}, {"token", assignment}, {"credential", assignment}, {"creds", assignment},
	{"apikey", assignment}, {"auth", assignment}, {"access", assignment},
	{`key[=:"' _.,)>0-9\]\\(*&-]`, assignment}, {"key`", assignment}, {"keys[=:\"' ]", assignment},
	{"identified by", assignment}, {"seed[=:\"' ]", assignment}, {"totp", assignment}, {"phpsessid", assignment},
	{"jsessionid", assignment}, {"sessionid=", assignment}, {"code=", assignment}, {"device_code", assignment},
	{"code_verifier", assignment},
	{"uthorization", header}, {"earer ", header}, {"ookie", cookie},
	{"::add-mask::", masked}, {"send [\"-]", expected},
	{":543[0-9]:", pgpass}, {":6432:", pgpass}, {":6543:", pgpass}, {":*:*:", pgpass},
	{"machine ", netrc}, {"\ttrue\t/", cookieLine}, {"\tfalse\t/", cookieLine},
	{`httponly[\\"]`, cookieObject},
	{"recovery codes", recoveryCodes}, {"backup codes", recoveryCodes},
	{"private-lines: ", puttyKey}, {"privateexponent:", printedKey}, {"prime1:", printedKey}, {"prime2:", printedKey},
	{"exponent1:", printedKey}, {"exponent2:", printedKey}, {"coefficient:", printedKey}, {"priv:", printedKey},
	{"private key", pem}, {".ey[a-zA-Z0-9]", webToken}, {"kind: secret", kubernetes}, {`kind": "secret`, kubernetes},
	{`kind":"secret`, kubernetes},
	{`\u001b`, colorEscape}, {`\x1b`, colorEscape}, {`\033`, colorEscape},
	{"/home/", home}, {"/users/", home}, {`\users\`, home}, {"-home-", home}, {"-users-", home},
	{`\home\`, home}, {"%2fhome%2f", encodedHome}, {"%2fusers%2f", encodedHome}, {"%5cusers%5c", encodedHome},
	{"%252fhome%252f", encodedHome},
	{"%40[a-z0-9]", encodedAt}, {"u0040", encodedAt}, {"㉿[a-z0-9]", kaliPrompt}, {"uid=[0-9]", idOutput},
	{"organizationid", account}, {"organization_id", account}, {"organization-id", account}, {"orgid", account},
	{"org_id", account}, {"org-[a-z0-9]", account},
	{"accountid", account}, {"account_id", account}, {"account-id", account}, {"installationid", account},
	{"installation_id", account},
	{"accountuuid", account}, {"account_uuid", account}, {"organizationuuid", account}, {"organization_uuid", account},
	{"orguuid", account}, {"org_uuid", account}, {"userid", account}, {"user_id", account},
	{"bridgesessionid", account},
	{"emailaddress", account}, {"_account_", account},
	{"-macbook", machineName}, {"-imac", machineName}, {"-mac-mini", machineName}, {"desktop-[a-z0-9]", machineName},
	{"laptop-[a-z0-9]", machineName},
	{".env", secretFile}, {"id_rsa", secretFile}, {"id_dsa", secretFile}, {"id_ecdsa", secretFile},
	{"id_ed25519", secretFile},
	{"credentials", secretFile}, {".netrc", secretFile}, {"_netrc", secretFile}, {".npmrc", secretFile},
	{".pypirc", secretFile},
	{".pgpass", secretFile}, {".pem", secretFile}, {".key", secretFile}, {".tfvars", secretFile},
	{".htpasswd", secretFile},
	{"secrets.", secretFile}, {"kubeconfig", secretFile}, {".kube/config", secretFile},
	{".docker/config.json", secretFile},
	{".my.cnf", secretFile}, {".vault-token", secretFile}, {"service-account", secretFile}, {"hosts.yml", secretFile},
	{".flaskenv", secretFile}, {".dev.vars", secretFile}, {"client_secret", secretFile},
	{"service_account", secretFile}, {".yarnrc", secretFile},
	{"rclone.conf", secretFile}, {"pip.conf", secretFile}, {".condarc", secretFile}, {".terraformrc", secretFile},
	{".databrickscfg", secretFile},
	{".mylogin.cnf", secretFile}, {".passwd-s3fs", secretFile}, {".oci/config", secretFile},
	{"snowsql/config", secretFile}, {"/gshadow", secretFile},
	{"pgpass.conf", secretFile}, {".config/hub", secretFile}, {"glab-cli/", secretFile}, {"auth.json", secretFile},
	{".s3cfg", secretFile}, {".boto", secretFile}, {".dockercfg", secretFile}, {"/shadow", secretFile},
}

// spell expands the classes of a word to one word for each byte. A "]" at the beginning of a word or after a backslash
// is itself.
func spell(word string) []string {
	open := strings.IndexByte(word, '[')
	if open < 0 {
		return []string{word}
	}
	var class []byte
	i := open + 1
	for ; i < len(word) && word[i] != ']'; i++ {
		switch {
		case word[i] == '\\' && i+1 < len(word):
			i++
			class = append(class, word[i])
		case i+2 < len(word) && word[i+1] == '-' && word[i+2] != ']':
			for c := word[i]; c <= word[i+2]; c++ {
				class = append(class, c)
			}
			i += 2
		default:
			class = append(class, word[i])
		}
	}
	rests := spell(word[i+1:])
	n := open + 1 + len(rests[0])
	var spelled strings.Builder
	spelled.Grow(n * len(class) * len(rests))
	for _, rest := range rests {
		for _, c := range class {
			spelled.WriteString(word[:open])
			spelled.WriteByte(c)
			spelled.WriteString(rest)
		}
	}
	all := make([]string, len(class)*len(rests))
	for i := range all {
		all[i] = spelled.String()[i*n : (i+1)*n]
	}
	return all
}
