<?php
require __DIR__ . '/src/Shop.php';
final class ShopTest extends PHPUnit\Framework\TestCase
{
    public function testPrice(): void
    {
        $this->assertSame(4, (new Shop())->price(2));
    }
}
