package shop;

import static org.junit.Assert.assertEquals;

import org.junit.Assume;
import org.junit.Before;
import org.junit.Ignore;
import org.junit.Test;

public class CartTest {
  private Cart cart;

  @Before
  public void cart() {
    cart = new Cart();
  }

  @Test
  public void adds() {
    cart.add(2);
    assertEquals(2, cart.sum());
  }

  @Test
  public void fails() {
    cart.add(2);
    assertEquals("sum of the cart", 3, cart.sum());
  }

  @Test
  public void throwsAnError() {
    cart.add(-1);
  }

  @Ignore("not yet")
  @Test
  public void isIgnored() {}

  @Test
  public void assumes() {
    Assume.assumeTrue("no shop here", false);
  }

  @Test
  public void prints() {
    System.out.println("hello from the cart");
    System.err.println("and a warning");
  }

  @Test(timeout = 50)
  public void isTooSlow() throws InterruptedException {
    Thread.sleep(5_000);
  }
}
