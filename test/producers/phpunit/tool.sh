debian=(phpunit=9.6.7-1+deb12u1)
run() { phpunit --no-configuration --do-not-cache-result --log-junit report.xml ShopTest.php; }
