package redact

import "bytes"

// secretCommands are words of commands that print a secret and little else.
var secretCommands = []string{
	"get-parameter", "get-secret-value", "get secret", "secrets versions access", "print-access-token",
	"print-identity-token", "print-refresh-token", "keyvault secret", "keys list", "configure get",
	"vault kv get", "vault read", "vault token", "config:get", "secrets get", "secret get", "op read", "op item get",
	"op get", "pass show", "gopass show", "find-generic-password", "find-internet-password",
	"auth token", "secret-tool lookup", "keyring get", "bw get", "lpass show", "terraform output", "tofu output",
	"pulumi config get", "pulumi stack output", "openssl rand", "pwgen ",
	"get-login-password", "sops -d", "sops --decrypt", "sops decrypt", "ansible-vault view", "ansible-vault decrypt",
	"chamber read", "gpg -d", "gpg --decrypt", "age -d", "age --decrypt", "create token",
	"get-session-token", "credential fill", "docker-credential", "token_urlsafe", "token_hex", "randombytes", "uuidgen",
	"echo $", "echo \"$", "echo '$", "echo \\\"$", "echo ${", "echo \"${", "printenv ",
	"generate-password", "get-random-password", "rails secret", "rake secret", "mix phx.gen.secret", "key:generate",
	"wp config get", "config get ",
	"wg genkey", "wg genpsk", "initial-password", "auth:token", "$ pass ", "getnetworkcredential().password",
}

func secretCommandWords() []detectorWord {
	all := make([]detectorWord, len(secretCommands))
	for i, w := range secretCommands {
		all[i] = detectorWord{w, secretCommand}
	}
	return all
}

// secretCommand is the detector of commands that print a secret.
func secretCommand(s *scan, t *target, at int) {
	if s.isName || at < s.printedEnd {
		return
	}
	if at > 0 && isAlnum(s.text[at-1]) && !isEscaped(s.text, at-1) {
		return
	}
	if t.word[0] == 'e' && t.word[1] == 'c' || t.word == "printenv " { // the name of the variable tells what it prints
		from := min(at+len(t.word), len(s.text)) // the blank of a word may be the end of the text
		to := from
		for to < len(s.text) && isName(s.text[to]) {
			to++
		}
		if c := classOf(s.text[from:max(from, to)]); c != keyName && c != passwordName {
			return
		}
	}
	s.noteWrittenLines(at)
	if s.context.member&(commandMember|inputMember) != 0 {
		s.reads |= valueOutput
	} else if s.printedEnd = lineEnd(s.text, at); s.atPrompt(at) { // a line is examined once
		s.printedBelow(at)
	}
}

// atPrompt reports whether the command at a place was typed at the prompt of a terminal, and prints there.
func (s *scan) atPrompt(at int) bool {
	start, ok := lineStartNear(s.text, at)
	if !ok {
		return false
	}
	line := s.text[start:min(lineEnd(s.text, at), at+longestCommand)]
	for _, sign := range []string{"$ ", "% ", "❯ "} {
		if i := bytes.Index(line, []byte(sign)); i >= 0 && start+i <= at {
			return printsHere(line[i+len(sign):])
		}
	}
	return false
}

// filters are programs that print what they read, or a part of it.
const filters = " base64 jq yq head tail tr cut sed awk grep tee cat "

// printsHere reports whether the output of a command line is printed: it is not redirected, and every program that
// reads it prints it.
func printsHere(command []byte) bool {
	if bytes.ContainsAny(command, ">`") || contains(command, "$(") {
		return false
	}
	first := true
	for part := range bytes.SplitSeq(command, []byte("|")) {
		program, _, _ := bytes.Cut(bytes.TrimSpace(part), []byte(" "))
		if !first && !inList(program, filters) {
			return false
		}
		first = false
	}
	return true
}

// maxPrinted limits the number of lines that are taken for the output of a command.
const maxPrinted = 40

// printedBelow replaces values in the output of a command below its line, up to the next prompt.
func (s *scan) printedBelow(at int) {
	from := nextLine(s.text, at)
	to := from
	for n := 0; to < len(s.text) && n < maxPrinted; n++ {
		next := nextLine(s.text, to)
		line := bytes.TrimSpace(s.text[to:next])
		if len(line) == 0 || isFence(line) || contains(line, "$ ") || contains(line, "% ") || contains(line, "❯ ") {
			break
		}
		to = next
	}
	s.printedEnd = to
	s.printedValues(from, to)
}

// printedValues replaces values in the output of a command that prints secrets: a value on a separate line or after a
// name, and members of JSON.
func (s *scan) printedValues(from, to int) {
	text := s.text[:to]
	if first := bytes.TrimSpace(text[from:]); len(first) > 0 && first[0] == '{' {
		s.printedJSON(from, to)
		return
	}
	for n := 0; from < to && n < maxLines; n++ {
		end := min(lineEnd(text, from), len(text))
		start := from
		for start < end && isSpace(text[start]) {
			start++
		}
		// name: value
		if i := bytes.LastIndexAny(text[start:end], " \t"); i >= 0 &&
			(text[start+max(0, i-1)] == ':' || text[start+i] == '\t') {
			start += i + 1
		}
		s.printedValue(start, end)
		from = nextLine(text, end)
	}
}

// printedValue replaces a value that a command printed, if it looks like a secret.
func (s *scan) printedValue(start, end int) {
	for end > start && isSpace(s.text[end-1]) {
		end--
	}
	if v := s.text[start:end]; len(v) >= minKey && len(v) <= longestValue && bytes.IndexByte(v, ' ') < 0 &&
		isSecretLike(v) {
		s.replace(start, end, secretRule)
	}
}

// isSecretLike reports whether a value without a name looks like a secret: generated, or chosen by a person with a
// digit and a symbol.
func isSecretLike(v []byte) bool {
	a := assignedValue{op: command}
	if isNotSecret(v, a) || bytes.ContainsAny(v, "{}<>") || isPath(v) {
		return false
	}
	return looksGenerated(v, a) && !isNumber(v) ||
		hasDigit(v) && !isExpression(v) && !isVersioned(v) && looksChosen(v, a)
}

// valueMembers are the members in which tools print a secret.
const valueMembers = " value secretstring secretbinary plaintext secret password data payload token "

// printedJSON replaces the members of JSON that have a secret: those with such a name, or all if it is a map of
// secrets.
func (s *scan) printedJSON(from, to int) {
	text := s.text[:to]
	isMap := !bytes.Contains(text[from:], []byte(`"kind"`)) &&
		!bytes.Contains(lowered(nil, text[from:min(to, from+512)]), []byte(`"name"`))
	var buffer [80]byte
	name := []byte(nil)
	for p := from; p < to; p++ {
		if text[p] != '"' {
			continue
		}
		end := quote{`"`, `"`, 0}.end(text, p+1)
		if end < 0 {
			break
		}
		next := end + 1
		for next < len(text) && isSpace(text[next]) {
			next++
		}
		switch {
		case next < len(text) && text[next] == ':':
			name = lowered(buffer[:0], text[p+1:min(end, p+80)])
		case inList(name, valueMembers) || isMap:
			s.printedValue(p+1, end)
		}
		p = end
	}
}
