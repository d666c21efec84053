#include <QtTest>

class Cart : public QObject {
  Q_OBJECT
private slots:
  void initTestCase() { qDebug() << "begins"; }
  void passes() { QCOMPARE(2 * 4, 8); }
  void fails() { QCOMPARE(2 * 4, 9); }
  void names() { QFAIL("tax differs"); }
  void skipped() { QSKIP("no server"); }
  void announced() {
    QEXPECT_FAIL("", "known bug", Continue);
    QCOMPARE(1, 2);
  }
  void passesAnnounced() {
    QEXPECT_FAIL("", "known bug", Continue);
    QCOMPARE(1, 1);
  }
  void blacklisted() { QVERIFY2(false, "on this list"); }
  void prints() {
    qDebug() << "debug words";
    qWarning("warning words");
  }
  void rows_data() {
    QTest::addColumn<int>("units");
    QTest::newRow("one") << 1;
    QTest::newRow("two") << 2;
    QTest::newRow("three") << 3;
  }
  void rows() {
    QFETCH(int, units);
    if (units == 3) QSKIP("three is off");
    QCOMPARE(units, 1);
  }
};

QTEST_GUILESS_MAIN(Cart)
#include "tst_cart.moc"
