// Package console makes text of sessions safe to print: terminals and the runners of CI services show it and never
// execute it. It knows nothing of commands or flags.
//
// Control characters of C0 (except line ends and tabs) become the symbol that Unicode has for them, ␛ for ESC.
// Those of C1, characters that change the direction of text, separators of lines and bytes that are not UTF-8 become
// their number, <U+202E>. Commands of runners are changed so that they read the same: GitHub executes lines that begin
// with "::"; GitHub (older forms), Azure Pipelines and TeamCity execute "##[command]" and "##name[command]" anywhere in
// a line. A word joiner (U+2060), which has no width, is inserted before the second colon and before the bracket. In
// JSON and HTML the character is written by its number instead, which means the same.
package console
