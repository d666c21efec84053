package shop

import (
	"fmt"
	"os"
	"testing"
	"time"
)

func TestAdds(t *testing.T)  { fmt.Println("printed") }
func TestFails(t *testing.T) { t.Error("price differs"); t.Error("tax differs") }
func TestNested(t *testing.T) {
	t.Run("inner", func(t *testing.T) { t.Fatal("inner wrong") })
}
func TestLeftOut(t *testing.T) { t.Skip("not today") }
func TestCosts(t *testing.T) {
	for _, price := range []int{2, 3} {
		t.Run(fmt.Sprint(price), func(t *testing.T) {
			if price != 2 {
				t.Errorf("costs %d", price)
			}
		})
	}
}

// The first try fails.
func TestFlaky(t *testing.T) {
	if _, err := os.Stat("ran"); err != nil {
		os.WriteFile("ran", nil, 0o600)
		t.Fatal("not yet")
	}
}
func TestWaits(t *testing.T) { time.Sleep(time.Millisecond) }
