debian=(kyua=0.13+git20190402+a685f911237e-1+b1 atf-sh=0.21-6)
run() {
  local code=0 clean=(env -i PATH=/usr/bin:/bin HOME="$PWD")
  "${clean[@]}" kyua test || code=$?
  "${clean[@]}" kyua report-junit > report.xml
  return $code
}
