"""Names by their capitals."""

from __future__ import annotations

from evaluation.language.names import casing, find_names


def test_inner_capitals_are_names_and_units_are_not() -> None:
    assert find_names("The fridge of Tern costs 5 EUR, and I like Polar Nook.") == ("Tern", "Polar", "Nook")


def test_a_first_word_is_a_name_if_the_next_is() -> None:
    assert find_names("Larkhaven Clinic pays.") == ("Larkhaven", "Clinic")
    assert find_names("Delivery takes long.") == ()


def test_a_first_word_is_a_name_if_the_sources_have_it_capitalised_inside_a_sentence() -> None:
    known = casing(["The offer is by Tern."])

    assert find_names("Tern pays.", known) == ("Tern",)


def test_a_first_word_is_no_name_if_the_sources_have_it_in_lower_case() -> None:
    known = casing(["The offer pays.", "See Offer 2214."])

    assert find_names("Offer Tern pays.", known) == ("Tern",)


def test_a_name_is_listed_once() -> None:
    assert find_names("He saw Anna and Anna's dog.") == ("Anna",)


def test_known_limit_lower_case_and_all_capitals_hide_names() -> None:
    assert find_names("he saw anna in paris.") == ()
    assert find_names("HE SAW ANNA IN PARIS.") == ()
