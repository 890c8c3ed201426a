#!/usr/bin/env bash
# A comment with "quotes", it's fine and `ticks` $(too)
set -euo pipefail

readonly VERSION="1.2.3"
NAME=${1:-"default value"}
LOG_DIR=/var/log/app COUNT=0
export PATH="$HOME/bin:$PATH"

usage() {
	cat <<EOF_USAGE
Usage: $0 [options] "file"
  -h   it's help # not a comment
EOF_USAGE
}

if [[ $# -lt 1 || "$1" == "--help" ]]; then
	usage
	exit 1
fi

for f in *.txt "$LOG_DIR"/*.log; do
	[ -f "$f" ] || continue
	echo "file: $f has $(wc -l < "$f") lines" >> out.log 2>&1
	size=$(stat -c %s "$f" | awk '{ print $1 # "in awk" }')
	total=$((total + size * 2))
done

while read -r line; do
	case "$line" in
		start*) echo 'single "quoted" $notvar # none' ;;
		*"stop"*) break ;;
		\#*) continue ;;
	esac
done < input.txt

result=`date +%Y-%m-%d`
echo -e "tab\tand \"escaped\" quotes \$not and ${NAME^^} ${#NAME} ${NAME//a/b}"
echo done if then # keywords as arguments
grep -E '^[a-z]+"$' file | sed 's/a/b/g' | sort -u > /dev/null
git commit -m "a message

with 'lines' # and a hash"
git commit -m "$(cat <<'MSG'
Fix the "thing": it's broken $HOME
MSG
)"
echo $'it\'s ansi' "$(echo "nested $(echo "deep")")"
test -z "$x" && unset x
func_name arg1 --flag=value --set 10
kill -9 $! $$ $?
local i=0
until [ "$i" -ge 10 ]; do
	i=$((i + 1))
	sleep 1
done
sudo apt-get install -y foo=1.0 bar
curl -sSL https://example.com/a#b | bash -s -- --yes
find . -name '*.go' -not -path "./vendor/*" -exec grep -l "x" {} \;
echo a\ b \
	continued
trap 'rm -f "$tmp"' EXIT
python3 - <<'PY'
print("it's python") # comment
PY
arr=(one two "three four")
echo "${arr[@]}" "${arr[0]}" 5
return 0
echo "not closed $x
