import static org.junit.Assert.*;
import org.junit.*;

public class ShopTest {
  private static boolean ran;

  @Test public void adds() { System.out.println("printed"); assertEquals(4, 2 + 2); }
  @Test public void fails() { assertEquals("price differs", 5, 2 + 2); }
  @Test public void raises() { throw new IllegalStateException("no such unit"); }
  @Ignore("not today") @Test public void leftOut() { }
  @Test public void assumes() { Assume.assumeTrue("no database", false); }
  @Test(timeout = 50) public void tooSlow() throws Exception { Thread.sleep(5000); }
  @Test public void flaky() { if (!ran) { ran = true; fail("not yet"); } }
}
