debian=(junit5=5.9.2-1)
run() {
  local jars=/usr/share/java
  local path
  path=$(printf '%s:' "$jars"/junit-jupiter*.jar "$jars"/junit-platform*.jar "$jars"/opentest4j*.jar "$jars"/apiguardian-api.jar "$jars"/picocli.jar "$jars"/univocity-parsers.jar)
  mkdir out
  javac -cp "$path" -d out ./*.java || return 2
  local code=0
  java -XX:MaxJavaStackTraceDepth=4 -cp "$path:out" org.junit.platform.console.ConsoleLauncher --scan-classpath out --disable-banner --reports-dir reports || code=$?
  cp reports/TEST-junit-jupiter.xml report.xml
  return $code
}
