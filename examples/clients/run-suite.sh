#!/bin/sh
# Executes a suite, waits for its end and saves its JUnit report. When it is interrupted, the execution is cancelled, and
# the report says what ran until then.
#
#   run-suite.sh <suite id> [report file]
#
#   ASSAY_URL          where Assay is; http://127.0.0.1:4000 if absent. A path in it is the REST root
#   ASSAY_CREDENTIALS  <USER_ID>:<PASSWORD>, the sign-in at the host of the components
#   ASSAY_LOGIN        <USER>:<PASSWORD> of Assay itself, where users sign in
#   ASSAY_TIMEOUT      seconds to wait; 3600 if absent
#
# Exit code: 0 COMPLETED, 1 FAILED or ERROR, 2 it could not be executed or did not end in time, 130 or 143 interrupted.
set -eu

case ${1:-} in
--help | -h)
  sed -n '2,/^set /s/^# \{0,1\}//p' "$0"
  exit
  ;;
esac

suite=${1:?usage: run-suite.sh <suite id> [report file]}
report=${2:-report.xml}
url=${ASSAY_URL:-http://127.0.0.1:4000}
url=${url%/}
case ${url#*://} in
*/*) ;;
*) url=$url/api ;;
esac
deadline=$(($(date +%s) + ${ASSAY_TIMEOUT:-3600}))
# Under this key a start that is repeated, because its response was lost, starts nothing twice.
key=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
id=

base64_of() { printf '%s' "$1" | base64 | tr -d '\n'; }

# Sent through a pipe, so that no list of processes shows them.
headers() {
  echo "credentials: $(base64_of "${ASSAY_CREDENTIALS:?is not set}")"
  [ -z "${ASSAY_LOGIN:-}" ] || echo "Authorization: Basic $(base64_of "$ASSAY_LOGIN")"
}

# call <path> [options of curl]
call() {
  path=$1
  shift
  headers | curl -sS --fail-with-body -H @- "$@" "$url$path"
}

start() {
  call "/suite/$suite/execute" -X POST -H "Idempotency-Key: $key" "$@"
}

# save_report [options of curl]
save_report() {
  call "/result/$id/details?format=junit" -o "$report" "$@"
}

id_of() { printf '%s\n' "$1" | sed -n 's/^{"id":"\([^"]*\)".*/\1/p'; }

give_up() {
  echo "$1" >&2
  exit 2
}

cancel() {
  trap '' INT TERM
  # Interrupted before the response: the same key leads to the execution.
  [ -n "$id" ] || id=$(id_of "$(start --max-time 10)") || true
  if [ -n "$id" ]; then
    # It may have ended meanwhile.
    call "/result/$id/cancel?reason=$1" -X POST --max-time 10 -o /dev/null && echo "Suite $suite was cancelled" >&2
    # While a teardown still runs, there is no report.
    save_report --retry 5 --retry-delay 1 --retry-all-errors --max-time 10 || {
      rm -f "$report"
      echo "The report of $id cannot be read" >&2
    }
  fi
}
trap 'cancel interrupted; exit 130' INT
trap 'cancel terminated; exit 143' TERM

# curl itself repeats 503 and 504. A connection that ends (52, 55, 56, 18) may be a server that restarts (7, then).
losses=0
until started=$(start --retry 5); do
  case $?.$losses in
  52.* | 55.* | 56.* | 18.* | 7.[1-9]*) losses=$((losses + 1)) ;;
  *) give_up "The suite was not started: $started" ;;
  esac
  [ "$losses" -le 10 ] || give_up 'The suite was not started: the connection was lost again and again'
  sleep 2
done
id=$(id_of "$started")
echo "Suite $suite runs as $id"

# The state of the suite stands behind the states of its members.
state=RUNNING
while [ "$state" = RUNNING ]; do
  [ "$(date +%s)" -lt "$deadline" ] || give_up 'It did not end in time'
  sleep 1
  result=$(call "/result/$id" --retry 5 --retry-connrefused) ||
    give_up "The result cannot be read: $result"
  state=$(printf '%s\n' "$result" | sed 's/.*"state":"\([A-Z]*\)","started":.*/\1/')
done

save_report --retry 5 --retry-connrefused ||
  give_up "The report cannot be read: $(cat "$report")"
echo "Suite $suite ended: $state, see $report"
[ "$state" = COMPLETED ]
