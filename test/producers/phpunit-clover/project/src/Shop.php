<?php
class Shop
{
    public function price(int $net): int
    {
        if ($net < 0) {
            return 0;
        }
        return $net * 2;
    }

    public function unused(): int
    {
        return 1;
    }
}
