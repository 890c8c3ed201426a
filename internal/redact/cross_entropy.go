package redact

import (
	_ "embed"
	"sync"
)

// letterCosts are the costs of letters in English, in which code is written: for each pair of letters, or the beginning
// of a word and a letter, a line with the cost of each third letter, in halves of a bit, in base 36. Letters of random
// values cost more. TestGenerateLetters writes the file.
//
//go:embed rules/letters.txt
var letterCosts string

// costs has letterCosts in bits: by the letter before the last, the last, and the current one, 0 for the beginning of a
// word.
var costs = sync.OnceValue(func() *[27][27][27]float32 {
	of := new([27][27][27]float32)
	i := 0
	for a := range 27 {
		for b := range 27 {
			if a > 0 && b == 0 {
				continue
			}
			for c := 1; c < 27; c++ {
				for letterCosts[i] == '\n' {
					i++
				}
				n := letterCosts[i] - '0'
				if letterCosts[i] >= 'a' {
					n = letterCosts[i] - 'a' + 10
				}
				of[a][b][c] = float32(n) / 2
				i++
			}
		}
	}
	return of
})

// The costs of other bytes, and of a word besides its letters, in bits.
const (
	wordCost   = 1.0
	mixedCost  = 2.5 // a word right after a digit
	numberCost = 4.5 // the first digit of a number
	digitCost  = 3.3
	joinCost   = 2.0 // between the words of names
	signCost   = 5.0
)

// crossEntropy returns the cost of a value in bits a byte, for the model of letters, digits and symbols in identifiers.
// Identifiers and words cost 3 to 4, random values 5 to 7.
func crossEntropy(v []byte) float64 {
	if len(v) == 0 {
		return 0
	}
	table := costs()
	total := 0.0
	a, b := 0, 0 // the letters before
	for i, c := range v {
		if !isLetter(c) {
			switch {
			case isDigit(c) && (i == 0 || !isDigit(v[i-1])):
				total += numberCost
			case isDigit(c):
				total += digitCost
			case c == '_' || c == '-' || c == '.' || c == '/' || c == ' ' || c >= 0x80:
				total += joinCost
			default:
				total += signCost
			}
			a, b = 0, 0
			continue
		}
		if beginsWord(v, i) {
			a, b = 0, 0
			total += wordCost
			if i > 0 && isDigit(v[i-1]) {
				total += mixedCost - wordCost
			}
		}
		n := int(lower(c)-'a') + 1
		total += float64(table[a][b][n])
		a, b = b, n
	}
	return total / float64(len(v))
}

// beginsWord reports whether a letter begins a word: getURLFor has three.
func beginsWord(v []byte, i int) bool {
	return i == 0 || !isLetter(v[i-1]) || isUpper(v[i]) && (isLower(v[i-1]) || i+1 < len(v) && isLower(v[i+1]))
}
