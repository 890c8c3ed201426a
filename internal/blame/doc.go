// Package blame finds which session, prompt and call wrote each line of a file. It replays the edits in the logs and
// uses the history of the file in git. It never guesses: the writer of a line that the logs do not explain is unknown.
package blame
