// Package console makes text of transcripts fit to be printed: terminals, the runners of CI services and
// whoever reads a log see it, and none of them obeys it.
//
// Control characters of C0 (but for line ends and tabs) become the picture that Unicode has of them, ␛ for ESC;
// those of C1, the ones that turn the direction of text around, the separators of lines and bytes that are no
// UTF-8 become their number, <U+202E>. Commands of runners are taken apart so that they read the same: GitHub
// obeys lines that begin with "::", and older forms of its own, of Azure Pipelines and of TeamCity "##[command]" and
// "##name[command]" anywhere in a line. A word joiner (U+2060), which has no width, stands before the second colon
// and before the bracket. In JSON and HTML the character is written by its number instead, which means the same.
package console
