#!/usr/bin/env bash
# Who meets it: a playbook with a `block` whose failures its `rescue` handles, and a pipeline that publishes the files of the
#   callback junit.
# Most expect: a passed or skipped task, as the run ends with 0 and counts failed=0 and rescued=1. A task with ignore_errors
#   is passed there.
# Seen: the rescued task is a failure, so that a good run has a red report.
# Source: the implementation, plugins/callback/junit.py of github.com/ansible/ansible; Debian 12 has 2.14.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -qy --no-install-recommends ansible-core=2.14.18-0+deb12u2 > /dev/null
dpkg-query -W -f '${Package} ${Version}\n' ansible-core
export PATH=/usr/bin:$PATH HOME=$folder ANSIBLE_NOCOLOR=1 ANSIBLE_CALLBACKS_ENABLED=ansible.builtin.junit JUNIT_OUTPUT_DIR=reports
cat > site.yml <<'YAML'
- hosts: localhost
  connection: local
  gather_facts: false
  tasks:
    - name: is ignored
      ansible.builtin.fail:
      ignore_errors: true
    - block:
        - name: is rescued
          ansible.builtin.fail:
      rescue:
        - name: rescues
          ansible.builtin.debug:
YAML
code=0
ansible-playbook site.yml > console 2>&1 || code=$?
grep -o 'failed=.*' console
failures=$(grep -c '<failure' reports/*.xml || true)
before=$(grep -B1 '<failure' reports/*.xml | grep -c 'is rescued' || true)
echo "expected: no failure; seen: exit code $code, $failures failure, $before of the rescued task"
[ "$code" = 0 ] && [ "$failures" = 1 ] && [ "$before" = 1 ]
