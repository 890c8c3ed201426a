package redact

// Confidence says how certain it is that a replaced text was a secret.
type Confidence int

const (
	Personal Confidence = iota // a home folder, a name, an address: no secret, but nobody else's business
	Likely                     // after a suggestive name, and it looks the part
	High                       // the shape of a key that some service gives out, or a private key
)

func (c Confidence) String() string {
	switch c {
	case High:
		return "high"
	case Likely:
		return "likely"
	}
	return "personal"
}

// IsPersonal reports whether the rule with an id replaces personal data, which is no secret.
func IsPersonal(id string) bool {
	for _, r := range []*rule{accountRule, emailRule, hostRule, userRule, homeRule, signatureRule} {
		if r.id == id {
			return true
		}
	}
	return false
}
