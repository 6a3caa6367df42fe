# The people of foreign-ngit.sh; to be sourced by it. Each has a home, and so an account, a configuration and a cache, of its own.

# person <name>: a home with what git wants to know.
person() {
    mkdir "$place/$1"
    as "$1" "$place/$1" git config --global user.name "$1"
    as "$1" "$place/$1" git config --global user.email "$1@example.com"
    as "$1" "$place/$1" git config --global init.defaultBranch main
}

# as <name> <directory> <command>...: runs it there, with nothing of whoever started the script. All relays that ngit would
# ask by itself are this one.
as() (
    name=$1
    cd "$2"
    shift 2
    exec env -i PATH="$PATH" HOME="$place/$name" LC_ALL=C GIT_CONFIG_NOSYSTEM=1 GIT_TERMINAL_PROMPT=0 \
        NGIT_SECRET_STORAGE=file NGIT_RELAY_DEFAULT_SET="$relay" NGIT_RELAY_ANNOUNCEMENT_INDEXER_SET="$relay" \
        NGIT_RELAY_BLASTER_SET="$relay" NGIT_RELAY_SIGNER_FALLBACK_SET="$relay" NGIT_GRASP_DEFAULT_SET="$url" "$@" </dev/null
)

# in_work <name> <command>...: the same in its working copy.
in_work() {
    who=$1
    shift
    as "$who" "$place/$who/work" "$@"
}

# commit <name> <file>: a commit in its working copy with one more file.
commit() {
    echo "$2 by $1" >"$place/$1/work/$2"
    in_work "$1" git add "$2"
    in_work "$1" git commit -q -m "Add $2"
}

npub() { cat "$place/$1/npub"; }
# nevent <file>: the first event that ngit's answer names.
nevent() { grep -o 'nevent1[a-z0-9]*' "$1" | head -n 1; }

head_of() { in_work "$1" git rev-parse HEAD; }

# served <name> <ref>: what the server has at that ref in the repository of that person, asked with stock git.
served() { git ls-remote "$url/$(npub "$1")/tour.git" "$2" | cut -f 1; }

# same <what> <expected> <found>
same() {
    [ "$2" = "$3" ] || { echo "$1: not $2 but $3" && return 1; }
}

# refused <text> <command>...: the command must fail, and say so.
refused() {
    text=$1
    shift
    if "$@" >"$place/refused.log" 2>&1; then
        cat "$place/refused.log"
        echo "was not refused: $*"
        return 1
    fi
    cat "$place/refused.log"
    grep -q -e "$text" "$place/refused.log" || { echo "the refusal does not say: $text" && return 1; }
}

# flow <what> <function>: runs it in a shell of its own that ends at the first failure.
flow() {
    set +e
    (
        set -eu
        "$2"
    ) >"$place/flow.log" 2>&1
    ended=$?
    set -e
    if [ "$ended" = 0 ]; then
        echo "PASS $1"
    else
        echo "FAIL $1"
        # without what was drawn over
        grep -v "$(printf '\033')" "$place/flow.log" | tail -n 30 | sed 's/^/     /'
        failed=1
    fi
}
