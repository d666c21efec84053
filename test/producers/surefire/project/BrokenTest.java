import org.junit.*;

public class BrokenTest {
  @BeforeClass public static void open() { throw new IllegalStateException("cannot open"); }
  @Test public void neverRuns() { }
}
