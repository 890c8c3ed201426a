package redact

var accountRule = &rule{id: "account-id", label: "account", confidence: Personal}

// account is the detector of ids of accounts and organizations in records and requests.
func account(s *scan, t *target, at int) {
	if s.isName {
		switch string(lowered(nil, s.text)) {
		case "accountuuid", "account_uuid", "organizationuuid", "organization_uuid", "orguuid", "org_uuid",
			"organizationid", "organization_id", "organization-id", "anthropic-organization-id", "orgid", "org_id",
			"userid", "user_id", "bridgesessionid", "emailaddress",
			"accountid", "account_id", "account-id", "chatgptaccountid", "chatgpt_account_id", "chatgpt-account-id",
			"chatgptuserid", "chatgpt_user_id", "installationid", "installation_id":
			s.nameClass = accountID
		}
		return
	}
	if t.word == "_account_" { // user_<64 digits>_account_<uuid>_session_<uuid>, the user_id of requests
		s.accountValue(at+len(t.word), min(len(s.text), at+len(t.word)+36))
		start := at
		for start > 0 && at-start < 64 && isHex(s.text[start-1]) {
			start--
		}
		if at-start >= 32 {
			s.replace(start, at, accountRule)
		}
		return
	}
	if t.word[:4] == "org-" { // of OpenAI
		end := at + len("org-")
		for end < len(s.text) && end-at < 64 && isAlnum(s.text[end]) {
			end++
		}
		if v := s.text[at+len("org-") : end]; (at == 0 || !isName(s.text[at-1])) && len(v) >= 20 &&
			(isRandom(v, 20, 3.0) || crossEntropy(v) >= 4.3) {
			s.replace(at, end, accountRule)
		}
		return
	}
	if a, ok := s.readAssignment(at, at+len(t.word)); ok {
		s.accountValue(a.start, a.end)
	}
}

// accountValue replaces an id: a UUID, a long hexadecimal number, or letters and digits after a prefix.
func (s *scan) accountValue(start, end int) {
	v := s.text[start:end]
	if isUUID(v) || len(v) >= 32 && isRandom(v, 32, 3.0) ||
		len(v) >= 20 && len(v) < 80 && contains(v, "_") && isRandom(v, 20, 3.0) {
		s.replace(start, end, accountRule)
	}
}
