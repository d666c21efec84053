debian=(meson=1.0.1-5)
run() { local code=0; meson setup build && meson test -C build || code=$?; cp build/meson-logs/testlog.junit.xml report.xml; return $code; }
