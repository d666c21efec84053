package shop;

import org.junit.BeforeClass;
import org.junit.Test;

public class BrokenTest {
  @BeforeClass
  public static void database() {
    throw new IllegalStateException("no database");
  }

  @Test
  public void neverRuns() {}
}
