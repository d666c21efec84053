<?php
use PHPUnit\Framework\TestCase;

class ShopTest extends TestCase
{
    public function testPasses(): void { $this->assertSame(4, 2 + 2); }
    public function testFails(): void { $this->assertSame(5, 2 + 2, 'price of two'); }
    public function testThrows(): void { throw new RuntimeException('no such unit'); }
    public function testLeftOut(): void { $this->markTestSkipped('not today'); }
    public function testPrints(): void { $this->expectOutputString('printed'); echo 'printed'; }
    /** @dataProvider rows */
    public function testRows(int $units): void { $this->assertGreaterThan(0, $units); }
    public function rows(): array { return ['one' => [1], 'none' => [0]]; }
}
