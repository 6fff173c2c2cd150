# SPDX-License-Identifier: Apache-2.0 OR MIT
# shellcheck shell=bash
#
# For scripts that build Java: the JDK and Maven.

# The JDK of the javac that is called, unless JAVA_HOME names another.
if [[ -z ${JAVA_HOME:-} ]] && JAVA_HOME=$(readlink -e "$(command -v javac)"); then
    export JAVA_HOME=${JAVA_HOME%/bin/javac}
fi

# Maven itself runs for seconds, which is too short for the second compiler to pay. Tests run in machines of their own.
export MAVEN_OPTS=${MAVEN_OPTS:--XX:TieredStopAtLevel=1 -XX:+UseSerialGC}

# maven GOAL-OR-OPTION...: prints what is wrong.
maven() { mvn --strict-checksums --batch-mode --no-transfer-progress -Dstyle.color=never --quiet -f java/pom.xml "$@"; }

# jni_headers FOLDER: what javac makes of Native.java has the signature of each C function, so that the compilers agree
# or complain.
jni_headers() {
    [[ $JAVA_HOME ]] || { echo "error: there is no javac; install a JDK, or set JAVA_HOME" >&2 && exit 1; }
    "$JAVA_HOME/bin/javac" -d "$1/classes" -h "$1" java/manyfish/src/main/java/org/manyfish/jni/Native.java
}
