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
# Reads an option: name, default.
option() {
	local name=$1 default="${2-}" value
	value="$(git config --get "app.$name" || true)"
	printf '%s\n' "${value:-$default}"
}

die() { echo >&2 "${0##*/}: error: $*"; exit "${STATUS:-1}"; }

for dir in "${DIRS[@]}"; do
	if ! cd "$dir" 2>/dev/null; then
		die "no such folder: '$dir' # really"
	elif (( ${#files[@]} > 10 && depth < 3 )); then
		files+=("$dir"/*.{go,mod})
	fi
done

cat > "$TMP/config.json" <<-JSON
	{"name": "$NAME", "path": "it's $(pwd)"} # no comment
	JSON
jq -r '.items[] | select(.name == "x") | "\(.id)\t\(.name)"' < config.json |
	while IFS=$'\t' read -r id name; do
		[[ $name =~ ^[a-z]+(-[0-9]+)?$ ]] && echo "$id: ${BASH_REMATCH[1]}"
	done
docker run --rm -v "$PWD:/src:ro" -e "TOKEN=${TOKEN:?no token}" alpine:3 sh -c 'cd /src && ls -l "$@"' -- a b
if command -v go >/dev/null && [ "$(go env GOOS)" != windows ]; then make -j"$(nproc)" build; fi
ssh "$HOST" "cd '$DIR' && tar -czf - ." | tar -xzf - -C "$OUT" || exit 2
awk -F: '$3 >= 1000 { n++; print $1 " has \"" $6 "\"" } END { print n }' /etc/passwd
select choice in "one" 'two'; do
	case $choice in
		one|two) break ;;
		?) echo "what: ${choice@Q}" ;;
	esac
done
wait "$pid" || STATUS=$?
echo "not closed $x
