"""Lexicons: found by being there, checked when loaded, with errors that name file and rule."""

import pytest

from skilltune.errors import ConfigError
from skilltune.mining.lexicon import KINDS, PLACES, find_lexicons, parse_lexicon

HEAD = 'language = "xx"\nname = "Invented"\nmatching = "words"\ncommon = "foo bar"\n'
RULE = '[[rules]]\nid = "no"\nkind = "rejection"\npatterns = ["all wrong"]\n'


def test_lexicons_hold_the_documented_languages():
    """English, Chinese and seven smaller languages are there."""
    assert set(find_lexicons()) == {"de", "en", "es", "fr", "ja", "ko", "pt", "ru", "zh"}


@pytest.mark.parametrize("language", sorted(find_lexicons()))
def test_lexicon_names_the_four_signals(language):
    """Every language can tell rejection, redo, revert and acceptance."""
    kinds = {rule.kind for rule in find_lexicons()[language].rules}
    assert {"rejection", "redo", "revert", "approval"} <= kinds <= set(KINDS)


@pytest.mark.parametrize("language", sorted(find_lexicons()))
def test_lexicon_rule_ids_carry_the_language(language):
    """A rule's id begins with its language and is there once."""
    lexicon = find_lexicons()[language]
    ids = [rule.id for rule in (*lexicon.rules, *lexicon.dimensions)]
    assert len(set(ids)) == len(ids)
    assert all(rule_id.startswith(f"{language}.") for rule_id in ids)


def test_lexicon_reads_a_small_file():
    """Language, rules and vocabulary come from the text; a pattern's first words belong to the vocabulary."""
    lexicon = parse_lexicon(HEAD + RULE, source="xx.toml")
    assert (lexicon.language, [rule.id for rule in lexicon.rules]) == ("xx", ["xx.no"])
    assert lexicon.vocabulary == {"foo", "bar", "all"}
    assert lexicon.rules[0].where in PLACES


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("language = ", "xx.toml: not TOML"),
        ('language = "xx"', "xx.toml: 'matching' is missing"),
        (HEAD.replace('"words"', '"letters"') + RULE, "xx.toml: matching 'letters' is none of"),
        (HEAD + "colour = 1\n" + RULE, "xx.toml: unknown key 'colour'"),
        (HEAD + RULE.replace("rejection", "anger"), "xx.toml: rule 'no': kind 'anger' is none of"),
        (HEAD + RULE + 'where = "above"\n', "xx.toml: rule 'no': where 'above' is none of"),
        (HEAD + RULE.replace('["all wrong"]', "[]"), "xx.toml: rule 'no': patterns must be a list"),
        (HEAD + RULE.replace("all wrong", "[ab]+"), "xx.toml: rule 'no': pattern"),
        (HEAD + RULE + RULE, "xx.toml: rule 'xx.no' is there twice"),
        (HEAD + RULE.replace('id = "no"', 'name = "no"'), "unknown key 'name'"),
        (HEAD + 'variants = "對对 錯"\n' + RULE, "variants are pairs of two signs"),
        (HEAD + RULE + '[[dimensions]]\nid = "d"\ndimension = "mood"\npatterns = ["sad"]\n', "dimension 'mood'"),
    ],
)
def test_lexicon_error_names_file_and_rule(text, complaint):
    """Whatever is wrong with a file is said with its name and, in a rule, the rule's."""
    with pytest.raises(ConfigError, match=complaint.replace("(", r"\(")):
        parse_lexicon(text, source="xx.toml")
