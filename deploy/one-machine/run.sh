#!/bin/sh
# Runs a whole installation on one machine, from Debian packages and without Docker: PostgreSQL, NATS, HAProxy,
# Prometheus, two gateways, two of each subgraph and three workers. A process that ends is started again.
# docs/how-to/run-on-one-machine.md leads through it. All data, logs and secrets are in the folder one-machine.
#   run.sh start | stop | status | kill NAME… | dashboard [ROW…] | delete
set -eu
cd "$(dirname "$0")/../.."
# Node of the project, and servers of Debian.
PATH=$PWD/node_modules/.bin:$PATH:/usr/sbin:$(echo /usr/lib/postgresql/*/bin)
export PATH
here=$PWD/one-machine
names='postgres nats haproxy prometheus accounts1 accounts2 events1 events2 test-execution1 test-execution2
  worker1 worker2 worker3 gateway1 gateway2'

# PostgreSQL refuses to run as root.
as_postgres=
if [ "$(id -u)" = 0 ]; then as_postgres='setpriv --reuid=postgres --regid=postgres --clear-groups'; fi

prepare() {
  umask 077
  mkdir -p "$here/log" "$here/pid" "$here/keeper"
  keep admin_password "$(openssl rand -hex 16)"
  keep internal_secret "$(openssl rand -hex 32)"
  keep secrets_key "$(openssl rand -base64 32)"
  keep callback_signing_secret "whsec_$(openssl rand -base64 32)"
  keep nats_password "$(openssl rand -hex 24)"
  keep database_password "$(openssl rand -hex 24)"
  keep metrics_token ''
  keep database_url "postgres://assay:$(cat "$here/database_password")@127.0.0.1:5499/postgres"
  keep nats_url "nats://assay:$(cat "$here/nats_password")@127.0.0.1:4299"
  keep nats.conf "listen: 127.0.0.1:4299
authorization { user: assay, password: \"$(cat "$here/nats_password")\" }"
  # Of root's folders, PostgreSQL can read none.
  if [ "$(id -u)" = 0 ]; then place=/var/lib/postgresql; else place=$here; fi
  keep data_folder "$place/assay-$(openssl rand -hex 4)"
  data=$(cat "$here/data_folder")
  if [ ! -e "$data" ]; then
    cp "$here/database_password" "$data.password"
    if [ "$(id -u)" = 0 ]; then chown postgres "$data.password"; fi
    # shellcheck disable=SC2086 # words of a command
    (cd / && $as_postgres initdb -D "$data" -U assay --pwfile="$data.password" --auth=scram-sha-256 \
      --encoding=UTF8 --locale=C.UTF-8) >"$here/log/initdb"
    rm "$data.password"
  fi
}

# keep FILE VALUE: writes a file unless it exists.
keep() {
  [ -e "$here/$1" ] || printf '%s\n' "$2" >"$here/$1"
}

# What a process is started with.
command_of() {
  at=${1#"${1%?}"}
  case $1 in
  postgres)
    # shellcheck disable=SC2086 # words of a command
    cd / && exec $as_postgres postgres -D "$(cat "$here/data_folder")" -c port=5499 -c listen_addresses=127.0.0.1 \
      -c unix_socket_directories= -c max_connections=300
    ;;
  nats) exec nats-server --config "$here/nats.conf" ;;
  haproxy) exec haproxy -db -f deploy/one-machine/haproxy.cfg ;;
  prometheus)
    exec prometheus --config.file=deploy/one-machine/prometheus.yml \
      --storage.tsdb.path="$here/prometheus" --web.listen-address=127.0.0.1:9099
    ;;
  accounts?) exec env PORT="413$at" METRICS_PORT="913$at" ADMIN_PASSWORD_FILE="$here/admin_password" \
    node dist/accounts.js ;;
  events?) exec env PORT="412$at" METRICS_PORT="912$at" node dist/events.js ;;
  test-execution?) exec env PORT="411$at" METRICS_PORT="911$at" node dist/test-execution.js ;;
  worker?) exec env METRICS_PORT="914$at" node dist/worker.js ;;
  gateway?) exec env PORT="410$at" PROXY_ADDRESSES=127.0.0.1/32 node dist/gateway.js --remote ;;
  esac
}

# What the processes of Assay read.
export AUTH_MODE=users OUTBOUND_ALLOW=127.0.0.0/8 SHUTDOWN_DELAY_SECONDS=2 SANDBOX="${SANDBOX:-best-effort}" \
  DATABASE_URL_FILE="$here/database_url" NATS_URL_FILE="$here/nats_url" \
  INTERNAL_SECRET_FILE="$here/internal_secret" SECRETS_KEY_FILE="$here/secrets_key" \
  CALLBACK_SIGNING_SECRET_FILE="$here/callback_signing_secret" \
  TEST_EXECUTION_URL=http://127.0.0.1:4001/graphql EVENTS_URL=http://127.0.0.1:4002/graphql \
  ACCOUNTS_URL=http://127.0.0.1:4003/graphql

# Starts a process again whenever it ends. SIGTERM ends both.
keep_running() {
  trap 'kill -TERM $! 2>/dev/null || true; wait $! || true; exit' TERM
  while true; do
    (command_of "$1") >>"$here/log/$1" 2>&1 &
    echo $! >"$here/pid/$1"
    wait $! || true
    sleep 1
  done
}

start() {
  prepare
  for name in $names; do
    if kill -0 "$(cat "$here/keeper/$name" 2>/dev/null)" 2>/dev/null; then continue; fi
    # A redirected function keeps a copy of what it replaces: readers of this script's output would wait for ever.
    (exec </dev/null >/dev/null 2>&1 && keep_running "$name") &
    echo $! >"$here/keeper/$name"
  done
  for _ in $(seq 600); do
    if curl -fs http://127.0.0.1:4000/readyz >/dev/null; then
      echo 'Assay is ready: http://127.0.0.1:4000'
      return
    fi
    sleep 0.2
  done
  echo "Assay is not ready after two minutes: see $here/log" >&2
  exit 1
}

# pid_of NAME: of the process itself, where a shell started it.
pid_of() {
  pid=$(cat "$here/pid/$1" 2>/dev/null) && [ -n "$pid" ] && kill -0 "$pid" 2>/dev/null && echo "$pid"
}

stop() {
  # Those that others need end last.
  for name in $(echo "$names" | tr -s ' \n' '\n' | tac); do
    keeper=$(cat "$here/keeper/$name" 2>/dev/null) || continue
    kill -TERM "$keeper" 2>/dev/null || true
    while kill -0 "$keeper" 2>/dev/null; do sleep 0.1; done
    rm -f "$here/keeper/$name" "$here/pid/$name"
  done
}

case ${1:-} in
start) start ;;
stop) stop ;;
status)
  for name in $names; do
    if pid=$(pid_of "$name"); then echo "$name runs as $pid"; else echo "$name does not run"; fi
  done
  ;;
kill)
  shift
  for name in "$@"; do kill -KILL "$(pid_of "$name")"; done
  ;;
dashboard)
  shift
  exec node deploy/one-machine/dashboard.js "$@"
  ;;
delete)
  stop
  if [ -s "$here/data_folder" ]; then rm -rf "$(cat "$here/data_folder")"; fi
  rm -rf "$here"
  ;;
*)
  echo 'usage: run.sh start | stop | status | kill NAME… | dashboard [ROW…] | delete' >&2
  exit 2
  ;;
esac
