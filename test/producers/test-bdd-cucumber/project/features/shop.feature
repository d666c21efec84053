Feature: Shop
  Background:
    Given a shop

  Scenario: adds
    When I add 2 and 2
    Then I have 4

  Scenario: fails
    When I add 2 and 2
    Then I have 5
    And I have 4

  Scenario: undefined
    When I do what nobody defined

  Scenario: dies
    When it dies

  Scenario: skips
    When it skips

  Scenario Outline: rows
    When I add <a> and 1
    Then I have <b>
    Examples:
      | a | b |
      | 3 | 2 |
      | 1 | 2 |
