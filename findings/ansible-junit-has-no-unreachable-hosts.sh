#!/usr/bin/env bash
# Who meets it: a pipeline that deploys or checks several hosts with Ansible and publishes the files of its callback junit.
# Most expect: a failure of the host that could not be reached, as the console has one and the run ends with 4.
# Seen: no task of that host is in the file, which counts no failure: with the tasks of the other hosts it is green.
# Source: the implementation, plugins/callback/junit.py of github.com/ansible/ansible, has no method for such hosts; Debian 12
#   has 2.14.
# Exit: 0 as described, 1 if that changed.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
apt-get install -qy --no-install-recommends ansible-core=2.14.18-0+deb12u2 > /dev/null
dpkg-query -W -f '${Package} ${Version}\n' ansible-core
export PATH=/usr/bin:$PATH HOME=$folder ANSIBLE_NOCOLOR=1 ANSIBLE_CALLBACKS_ENABLED=ansible.builtin.junit JUNIT_OUTPUT_DIR=reports
cat > hosts <<'INI'
here ansible_connection=local
there ansible_host=shop.invalid
INI
cat > site.yml <<'YAML'
- hosts: all
  gather_facts: false
  tasks:
    - name: answers
      ansible.builtin.raw: "true"
YAML
code=0
ansible-playbook -i hosts site.yml > console 2>&1 || code=$?
grep -m1 -o 'fatal: \[there\]: UNREACHABLE' console
tasks=$(cat reports/*.xml | grep -c '<testcase' || true)
bad=$(cat reports/*.xml | grep -cE '<(failure|error)' || true)
echo "expected: a task of each host, one bad; seen: exit code $code, $tasks task, $bad bad"
[ "$code" = 4 ] && [ "$tasks" = 1 ] && [ "$bad" = 0 ] && grep -q '\[here\]' reports/*.xml
