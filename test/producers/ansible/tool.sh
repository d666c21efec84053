debian=(ansible-core=2.14.18-0+deb12u2)
run() {
  local code=0
  export PATH=/usr/bin:$PATH ANSIBLE_NOCOLOR=1 ANSIBLE_CALLBACKS_ENABLED=ansible.builtin.junit JUNIT_OUTPUT_DIR=.
  ansible-playbook -i hosts site.yml || code=$?
  mv site-*.xml report.xml
  return $code
}
