debian=(maven=3.8.7-1 libsurefire-java=2.22.3-2 junit4=4.13.2-3)
# A file for each class: one document of them is what readers of one file get.
run() {
  local code=0
  mkdir -p target/classes target/test-classes
  javac -cp /usr/share/java/junit4.jar -d target/test-classes ./*.java || return 2
  mvn -q -o -s settings.xml -Dsurefire.rerunFailingTestsCount=1 -DargLine=-XX:MaxJavaStackTraceDepth=4 \
    org.apache.maven.plugins:maven-surefire-plugin:2.22.3:test || code=$?
  { echo '<testsuites>'; grep -hv -e '<?xml' -e '<property ' target/surefire-reports/*.xml; echo '</testsuites>'; } > report.xml
  return $code
}
