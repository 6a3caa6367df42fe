# Builds module bench for the scripts beside it when the sources changed. Sourced with $root set; sets $jdk_home and
# $place, a directory whose file classpath says what to run with.
find_jdk || { say_no_jdk; exit 1; }

place=$root/bench/.grapnel/load
if [ ! -s "$place/classpath" ] ||
    [ -n "$(find "$root/pom.xml" "$root"/*/pom.xml "$root"/*/src/main -newer "$place/stamp" -print 2>&1)" ]; then
    rm -rf "$root"/*/.grapnel/load
    mkdir -p "$place"
    : >"$place/stamp"
    "$root/mvnw" -B -q -f "$root/pom.xml" -Pload -pl bench -am process-classes -Dgrapnel.target=.grapnel/load \
        -Dgrapnel.launcher -Dmaven.test.skip=true -Dspotless.check.skip=true >&2
fi
