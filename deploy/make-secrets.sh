#!/bin/sh
# Makes the secrets of docker-compose.yml, each a file of its own, in the folder ./secrets or the one named. Files that
# exist stay, so that it may run again.
set -eu
folder=${1:-secrets}
mkdir -p "$folder"
# The folder lets no other user of this machine in. The files can be read by the users of the containers.
chmod 700 "$folder"
umask 022

# keep NAME VALUE: writes the file unless it exists.
keep() {
  [ -e "$folder/$1" ] || printf '%s\n' "$2" >"$folder/$1"
}

keep admin_password "$(openssl rand -hex 16)"
keep grafana_password "$(openssl rand -hex 16)"
keep internal_secret "$(openssl rand -hex 32)"
keep secrets_key "$(openssl rand -base64 32)"
keep callback_signing_secret "whsec_$(openssl rand -base64 32)"
keep metrics_token ''

keep postgres_password "$(openssl rand -hex 24)"
keep database_url "postgres://assay:$(cat "$folder/postgres_password")@postgres:5432/assay"

nats_password=$(openssl rand -hex 24)
if [ ! -e "$folder/nats_url" ] || [ ! -e "$folder/nats_conf" ]; then
  rm -f "$folder/nats_url" "$folder/nats_conf"
  keep nats_url "nats://assay:$nats_password@nats:4222"
  keep nats_conf "authorization { user: assay, password: \"$nats_password\" }"
fi
