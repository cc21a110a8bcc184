"""Train the classifier, measure it on turns it had not seen, and keep model, card and pointers.

python benchmarks/model_card.py [SHARED] [--write] [--quick]

SHARED is the folder with data/labels (default: ../shared beside the checkout). With --write four files are replaced:
skilltune/mining/model.json (weights), model_card.json and MODEL_CARD.md beside it (figures), benchmarks/held_out.jsonl
(pointers to the labelled turns with labels and held-out verdicts; no text). --quick leaves sessions out in 20 bundles
instead of one at a time. Predictions for tools/score_turns.py go to --predictions FILE.
"""

import json
import sys
from datetime import UTC, datetime
from pathlib import Path

from skilltune.mining import ruleset_version
from skilltune.mining.model import Model
from skilltune.training.card_text import render_card
from skilltune.training.pointers import pointer_lines
from skilltune.training.publishing import encode_model
from skilltune.training.recipe import train

ROOT = Path(__file__).parents[1]
MINING = ROOT / "skilltune" / "mining"
FILES = ("turns.jsonl", "turns_more.jsonl")


def main(arguments: list[str]) -> None:
    """Train, measure, print; with ``--write`` keep."""
    quick, write = "--quick" in arguments, "--write" in arguments
    at = arguments.index("--predictions") + 1 if "--predictions" in arguments else None
    predictions = Path(arguments[at]) if at else None
    places = [word for place, word in enumerate(arguments) if not word.startswith("--") and place != at]
    shared = Path(places[0]) if places else ROOT.parent / "shared"
    trained = train([shared / "data" / "labels" / name for name in FILES], folds=20 if quick else None, progress=print)
    card = {
        "ruleset": ruleset_version(model=Model(trained.model)),
        "measured": datetime.now(UTC).date().isoformat(),
        **trained.card,
    }
    print(json.dumps(_short(card), indent=1))
    if predictions:
        rows = (
            {"id": one.turn.key, "outcome": one.outcome, "p_negative": one.p_negative} for one in trained.by_session
        )
        predictions.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    if write:
        (MINING / "model.json").write_bytes(encode_model(trained.model))
        (MINING / "model_card.json").write_text(json.dumps(card, indent=1) + "\n", encoding="utf-8")
        (MINING / "MODEL_CARD.md").write_text(render_card(card), encoding="utf-8")
        (ROOT / "benchmarks" / "held_out.jsonl").write_text(
            pointer_lines(trained.by_session, trained.by_source), encoding="utf-8"
        )
        print(f"written: {MINING / 'model.json'} ({(MINING / 'model.json').stat().st_size:,} bytes), card, pointers")


def _short(value: object) -> object:
    """The card with each share on one line."""
    if isinstance(value, dict):
        if "rate" in value and "n" in value:
            return f"{value['rate']} [{value['low']}, {value['high']}] ({value['k']} of {value['n']})"
        return {key: _short(inner) for key, inner in value.items()}
    return [_short(inner) for inner in value] if isinstance(value, list) else value


if __name__ == "__main__":
    main(sys.argv[1:])
