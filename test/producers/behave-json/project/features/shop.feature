Feature: Shop
  Scenario: adds
    Given a price of 2
    Then the price is 2
  Scenario: fails
    Given a price of 2
    Then the price is 3
  Scenario: raises
    Given a price that breaks
  Scenario: has an unknown step
    Given nothing of the kind
  @skip
  Scenario: left out
    Given a price of 2
  Scenario Outline: rows
    Given a price of <net>
    Then the price is 2
    Examples: all
      | net |
      | 2   |
      | 4   |
