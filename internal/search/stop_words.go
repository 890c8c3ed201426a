package search

import (
	"slices"
	"strings"
)

// stopWords are words of English, German, French and Spanish that do not help a search. They are dropped from a query
// if any other word is left. A word that is common in one of these languages but has a meaning in another is not in the
// list: die, man, sin. "not" is not in it either, because people often search for "not found". STOP_WORDS in
// assets/js/search.js is the same list.
const stopWords = `
a about all an and any are as at be been but by can could did do does for from had has have how i if in into is it its
just me my of on or our please should so some than that the their them then there these they this those to us was we
were what when where which who why will with would you your s t ll ve isn doesn didn don
aber auch auf aus bei das dass dem den der des ein eine einem einen einer er es für habe haben ich ihr im ist mit nach
oder sie sind und vom von wann warum was werden wie wir wird wo zu zum zur
au aux avec ce ces cette dans de du elle est et il je la le les nous ou où par pour pourquoi quand que quel quelle qui
quoi sont sur un une vous
como con cuando cuándo cómo del donde dónde el ella en era esta este hay lo los nosotros o para pero por porque qué se
su sus una unos y yo
`

var isStopWord = func() map[string]bool {
	set := make(map[string]bool)
	for w := range strings.FieldsSeq(stopWords) {
		set[w] = true
	}
	return set
}()

// isCommon reports whether a phrase has only stop words.
func (p *phrase) isCommon() bool {
	return !slices.ContainsFunc(p.terms, func(term string) bool { return !isStopWord[term] })
}

// withoutStopWords returns the phrases without unquoted stop words, or all phrases if no other is left.
func withoutStopWords(wanted []*phrase) []*phrase {
	var rest []*phrase
	for _, p := range wanted {
		if p.exact || !p.isCommon() {
			rest = append(rest, p)
		}
	}
	if len(rest) == 0 {
		return wanted
	}
	return rest
}
