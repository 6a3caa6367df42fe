# Finds the tools Grapnel needs: a JDK 25 or newer, and Maven 3.8 or newer. Sourced by ./grapnel and ./mvnw, so that
# there is one place that knows where tools live. POSIX sh; nothing here starts a JVM unless an installation hides its
# version. Answers are left in variables, because a subshell for each question would cost more than the question.
#
#   GRAPNEL_JDK_PATHS    directories, separated by colons, to search for JDKs instead of the usual ones
#   GRAPNEL_MAVEN_PATHS  the same for Maven
#
# A directory in these lists is an installation itself or holds installations.

jdk_minimum=25
maven_minimum=3.8

# resolve_link FILE: follows symbolic links and leaves the real file in $resolved.
resolve_link() {
    resolved=$1
    [ -L "$1" ] || return 0
    resolved=$(readlink -f "$1" 2>/dev/null) && return 0
    resolved=$1
    while [ -L "$resolved" ]; do # older macOS has no readlink -f
        link_target=$(readlink "$resolved") || return 1
        case $link_target in
            /*) resolved=$link_target ;;
            *) resolved=${resolved%/*}/$link_target ;;
        esac
    done
}

# find_on_path PROGRAM: where the shell would find it is left in $program, and the directory above the bin directory
# in which it really lives in $home.
find_on_path() {
    path_rest=$PATH:
    while [ -n "$path_rest" ]; do
        program=${path_rest%%:*}
        program=${program:-.}/$1
        path_rest=${path_rest#*:}
        if [ -f "$program" ] && [ -x "$program" ]; then
            resolve_link "$program" || return 1
            case $resolved in
                /*/bin/*) home=${resolved%/bin/*} ;;
                *) home=$(cd -P "${resolved%/*}/.." 2>/dev/null && pwd -P) || return 1 ;;
            esac
            return 0
        fi
    done
    return 1
}

# jdk_major HOME: the major version of the JDK in this directory is left in $major, empty if it is not a JDK.
jdk_major() {
    major=
    jdk_version=
    # A JRE has no javac; /usr has one, but it is a link or a stub which asks for the real home.
    if [ ! -x "$1/bin/javac" ] || [ ! -x "$1/bin/java" ] || [ "$1" = /usr ]; then
        return
    fi
    if [ -r "$1/release" ]; then
        while IFS= read -r release_line; do
            case $release_line in
                JAVA_VERSION=*)
                    jdk_version=${release_line#JAVA_VERSION=}
                    break
                    ;;
            esac
        done <"$1/release"
    fi
    if [ -z "$jdk_version" ]; then
        jdk_version=$("$1/bin/javac" -version 2>&1 </dev/null) || return 0
        jdk_version=${jdk_version#javac }
    fi
    jdk_version=${jdk_version#\"}
    jdk_version=${jdk_version#1.} # Java 8 called itself 1.8
    major=${jdk_version%%[!0-9]*}
}

# try_jdks HOME...: takes exactly the minimum if it is among these directories, else the lowest newer one.
try_jdks() {
    best=
    for candidate; do
        jdk_major "$candidate"
        if [ -n "$major" ] && [ "$major" -ge "$jdk_minimum" ]; then
            if [ -z "$best" ] || [ "$major" -lt "$best" ]; then
                best=$major
                jdk_home=$candidate
            fi
        fi
    done
    [ -n "$best" ]
}

# find_jdk: the first suitable JDK is left in $jdk_home. An unsuitable JAVA_HOME is passed over without a word, because
# it usually belongs to another project.
find_jdk() {
    jdk_home=
    if [ -n "${JAVA_HOME:-}" ] && try_jdks "$JAVA_HOME"; then
        return 0
    fi
    find_on_path javac && try_jdks "$home" && return 0
    find_on_path java && try_jdks "$home" && return 0
    places_rest=/usr/lib/jvm:/usr/lib64/jvm:/usr/java:/usr/local:/usr/local/java:/usr/local/lib/jvm:/opt
    places_rest=$places_rest:/opt/java:/opt/jdk:${HOME:-}/.sdkman/candidates/java:${HOME:-}/.jdks
    places_rest=$places_rest:${HOME:-}/.asdf/installs/java:${HOME:-}/.local/share/mise/installs/java
    places_rest=$places_rest:/Library/Java/JavaVirtualMachines:${HOME:-}/Library/Java/JavaVirtualMachines
    places_rest=$places_rest:/opt/homebrew/opt:/usr/local/opt:/home/linuxbrew/.linuxbrew/opt
    places_rest=${GRAPNEL_JDK_PATHS-$places_rest}:
    while [ -n "$places_rest" ]; do
        place=${places_rest%%:*}
        places_rest=${places_rest#*:}
        # Contents/Home is how macOS packs a JDK, libexec how Homebrew does.
        if [ -d "$place" ] && try_jdks "$place" "$place"/* "$place"/*/Contents/Home "$place"/*/libexec \
            "$place"/*/libexec/openjdk.jdk/Contents/Home; then
            return 0
        fi
    done
    if [ -z "${GRAPNEL_JDK_PATHS+set}" ] && [ -x /usr/libexec/java_home ]; then
        home=$(/usr/libexec/java_home -v "$jdk_minimum+" 2>/dev/null) && try_jdks "$home" && return 0
    fi
    return 1
}

say_no_jdk() {
    echo "grapnel: no JDK $jdk_minimum or newer found (looked at JAVA_HOME, the path and the usual places such as" \
        "/usr/lib/jvm, /opt, ~/.sdkman and /Library/Java); install one, for example the package openjdk-25-jdk or" \
        "temurin-25-jdk, or set JAVA_HOME to it." >&2
}

# maven_version HOME MVN: the version is left in $version, empty if it cannot be told.
maven_version() {
    version=
    for core in "$1"/lib/maven-core-*.jar "$1"/libexec/lib/maven-core-*.jar; do
        [ -e "$core" ] || continue
        case $core in
            # Debian links maven-core-3.x.jar to a file whose neighbour carries the version.
            */maven-core-3.x.jar)
                resolve_link "$core"
                for core in "${resolved%.jar}"-[0-9]*.jar; do
                    version=${core##*-core-}
                done
                ;;
            *) version=${core##*/maven-core-} ;;
        esac
        version=${version%.jar}
    done
    case $version in
        [0-9]*.[0-9]*) return ;;
    esac
    version=$(JAVA_HOME=${jdk_home:-${JAVA_HOME:-}} "$2" -version 2>/dev/null </dev/null) || version=
    version=${version#*Apache Maven }
    version=${version%%[!0-9.]*}
}

# try_maven HOME MVN: takes this Maven if it is new enough, else remembers what was wrong with it.
try_maven() {
    [ -f "$2" ] && [ -x "$2" ] || return 1
    maven_version "$1" "$2"
    version_rest=${version#*.}
    version_major=${version%%.*}
    version_minor=${version_rest%%[!0-9]*}
    if [ -n "$version_minor" ] && { [ "$version_major" -gt "${maven_minimum%.*}" ] ||
        { [ "$version_major" -eq "${maven_minimum%.*}" ] && [ "$version_minor" -ge "${maven_minimum#*.}" ]; }; }; then
        maven=$2
        return 0
    fi
    if [ -n "$version" ]; then
        maven_too_old="$version in $1"
    fi
    return 1
}

# find_maven: the first suitable mvn is left in $maven. Call find_jdk before it.
find_maven() {
    maven=
    maven_too_old=
    for place in "${MAVEN_HOME:-}" "${M2_HOME:-}"; do
        if [ -n "$place" ] && try_maven "$place" "$place/bin/mvn"; then
            return 0
        fi
    done
    find_on_path mvn && try_maven "$home" "$program" && return 0
    places_rest=/usr/share/maven:/usr/local:/usr/local/maven:/opt:/opt/maven:${HOME:-}/.sdkman/candidates/maven
    places_rest=$places_rest:${HOME:-}/.asdf/installs/maven:${HOME:-}/.local/share/mise/installs/maven
    places_rest=$places_rest:/opt/homebrew/opt:/usr/local/opt:/home/linuxbrew/.linuxbrew/opt
    places_rest=${GRAPNEL_MAVEN_PATHS-$places_rest}:
    while [ -n "$places_rest" ]; do
        place=${places_rest%%:*}
        places_rest=${places_rest#*:}
        [ -d "$place" ] || continue
        for home in "$place" "$place"/*; do
            if try_maven "$home" "$home/bin/mvn"; then
                return 0
            fi
        done
    done
    return 1
}

say_no_maven() {
    if [ -n "$maven_too_old" ]; then
        echo "grapnel: Maven $maven_minimum or newer is needed to build, and only $maven_too_old was found; install a" \
            "newer one, or set MAVEN_HOME to it." >&2
    else
        echo "grapnel: no Maven $maven_minimum or newer found (looked at MAVEN_HOME, the path and the usual places" \
            "such as /usr/share/maven, /opt and ~/.sdkman); install one, for example the package maven, or set" \
            "MAVEN_HOME to it." >&2
    fi
}
