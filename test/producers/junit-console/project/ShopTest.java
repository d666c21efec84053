import static org.junit.jupiter.api.Assertions.*;
import static org.junit.jupiter.api.Assumptions.*;
import java.time.Duration;
import org.junit.jupiter.api.*;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ShopTest {
  @Test void adds() { System.out.println("printed"); assertEquals(4, 2 + 2); }
  @Test void fails() { assertEquals(5, 2 + 2, "price differs"); }
  @Test void failsTwice() { assertAll(() -> fail("first wrong"), () -> fail("second wrong")); }
  @Test void raises() { throw new IllegalStateException("no such unit"); }
  @Test @Disabled("not today") void leftOut() { }
  @Test void assumes() { assumeTrue(false, "no database"); }
  @Test void tooSlow() { assertTimeoutPreemptively(Duration.ofMillis(50), () -> Thread.sleep(5000)); }
  @Test @DisplayName("has a name of its own") void named() { }
  @ParameterizedTest @ValueSource(ints = { 2, 3 }) void costs(int price) { assertEquals(2, price); }

  @Nested class Cart {
    @Nested class Deep { @Test void adds() { } }
  }
}

class BrokenTest {
  @BeforeAll static void open() { throw new IllegalStateException("cannot open"); }
  @Test void neverRuns() { }
}

class UnclosedTest {
  @AfterAll static void close() { throw new IllegalStateException("cannot close"); }
  @Test void runs() { }
}
