from __future__ import annotations

from services.analyzer.packing import Packed
from services.analyzer.prompts import MergeAnswer, fixed_tokens, question_for, system_text
from shared.domain.reading import Seen
from shared.settings.language_model import ModelSettings


def test_a_packed_merge_becomes_a_question_with_the_estimate_of_all_that_is_sent() -> None:
    settings = ModelSettings(name="routine", language="Deutsch", output_tokens=700)
    question = question_for(Packed('{"title":"{x}"}', Seen(), 5), "strong", settings)

    assert question.document == '{"title":"{x}"}'
    assert question.system == system_text("Deutsch")
    assert question.answer is MergeAnswer
    assert (question.model, question.output_tokens) == ("strong", 700)
    assert question.estimated_tokens == fixed_tokens("Deutsch") + 5
    assert fixed_tokens("Deutsch") > 1_500
