package shop;

import static org.junit.Assert.assertEquals;

import java.util.Arrays;
import java.util.Collection;
import org.junit.Test;
import org.junit.runner.RunWith;
import org.junit.runners.Parameterized;

@RunWith(Parameterized.class)
public class RowsTest {
  @Parameterized.Parameters(name = "{0} plus {1}")
  public static Collection<Object[]> rows() {
    return Arrays.asList(new Object[][] {{1, 1, 2}, {2, 2, 5}});
  }

  @Parameterized.Parameter(0)
  public int a;

  @Parameterized.Parameter(1)
  public int b;

  @Parameterized.Parameter(2)
  public int sum;

  @Test
  public void adds() {
    assertEquals(sum, a + b);
  }
}
