Feature: Shop
  Scenario: adds
    Given a price of 2
    Then the price is 2
  Scenario: fails
    Given a price of 2
    Then the price is 3
  Scenario: unknown step
    Given nothing of the kind
  Scenario: skips itself
    Given it is not today
  Scenario: attaches
    Given a note
  Scenario Outline: row <net>
    Given a price of <net>
    Then the price is 2
    Examples:
      | net |
      | 2   |
      | 4   |
  Scenario Outline: same name
    Given a price of <net>
    Then the price is 2
    Examples:
      | net |
      | 2   |
      | 4   |
  @flaky
  Scenario: flaky
    Given it works the second time
  @closed
  Scenario: cannot begin
    Given a price of 2
  Rule: Discounts
    Scenario: in a rule
      Given a price of 2
