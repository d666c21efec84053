debian=(phpunit=9.6.7-1+deb12u1 php-pcov=1.0.11-5)
run() { phpunit --no-configuration --do-not-cache-result --coverage-filter src --coverage-clover report.xml ShopTest.php; }
