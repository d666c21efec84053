debian=(ant=1.10.13-1 libjacoco-java=0.8.6-2)
# The session has an id of its own, and times.
run() {
  ant -q && sed -E -i 's/<sessioninfo [^>]*>//' report.xml
}
