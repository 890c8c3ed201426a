package shell

import (
	"slices"
	"testing"
)

// TestRedirections: operators that are not quoted redirect, whatever is between them and a file.
func TestRedirections(t *testing.T) {
	for command, want := range map[string][]string{
		`grep ">" f`:                   nil,
		`awk '$3 > 5' f`:               nil,
		`echo "a > b" a\>b ">f" '<'`:   nil,
		`a>b`:                          {">b"},
		`a > "b c" >>'d'e`:             {">b c", ">>de"},
		`a 2>b 2>&1 1>&2 >&- 0<c`:      {"2>b", "2>&1", "1>&2", ">&-", "0<c"},
		`a a2>b '2'>c`:                 {">b", ">c"},
		`a >|b &>c &>>d >&e <>f`:       {">|b", "&>c", "&>>d", ">&e", "<>f"},
		`a <<<"b <c" <<< d`:            {"<<<b <c", "<<<d"},
		"a <<B >c\n>d\nB\n":            {"<<", ">c"},
		"a \"$(b <<B\n'\nB\n)\" >c <d": {">c", "<d"},
		`>a`:                           {">a"},
		`a >`:                          nil,
		`a > >(b <c) <d`:               {">>(b <c)", "<d"},
	} {
		var got []string
		all := Written(command)
		for _, d := range all[len(all)-1].Redirections {
			got = append(got, d.String())
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", command, got, want)
		}
	}
}
