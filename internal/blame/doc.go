// Package blame finds which session, prompt and call wrote each line of a file, from what sessions did to the file and
// what git knows of it. It never guesses: a line that the logs do not explain is unknown. It changes nothing.
package blame
