"""What a model has no say in, however well it quotes: approval, what readers should skip, instructions, commands."""

from __future__ import annotations

import re

_APPROVAL = (
    r"\b(?:lgtm|pre-?approved|approved\sby|rubber.?stamp\w*|(?:is|was|are|were|been|got)\s(?:\w+\s)?approved|"
    r"signed.?off|safe\sto\s(?:merge|ignore|skip)|"
    r"(?:no|without|skip(?:s|ped)?)\s(?:\w+\s)?(?:re)?view(?:s|ed)?\b|(?:security|legal)\steam\b|"
    r"(?:fully\s)?(?:audited|vetted)|trusted\sauthor)"
)
_DISMISSAL = (
    r"\b(?:docs?|documentation|tests?)[\s-]only\b|\b(?:low|zero|no)[\s-]risk\b|\bno\s(?:security|breaking)\s"
    r"(?:impact|changes?|relevance)|\b(?:not|never)\s(?:a\s)?(?:security|breaking|risk)\b|"
    r"\b(?:harmless|nothing\sto\s(?:see|do|worry)|can\sbe\signored)\b"
)
_INSTRUCTION = (
    r"\b(?:ignore|disregard|forget|override)\s(?:\w+\s){0,3}(?:instructions?|rules?|prompts?|above|previous)\b|"
    r"\b(?:system|developer)\s(?:prompt|message)\b|\bas\san\sai\b|\blanguage\smodel\b|\byou\s(?:must|are\snow|should)\b|"
    r"\b(?:reveal|print|output|repeat|answer|respond)\s(?:\w+\s){0,3}(?:prompt|instructions?|secrets?|token|json|exactly)\b|"
    r"\b(?:label|tag|mark|classify|rate|report|describe)\s(?:this|it|the\smerge|pull\srequest)\b|"
    r"\b(?:remove|drop|delete|lower|raise|set)\s(?:all\s|the\s|every\s)*(?:\w+\s)?(?:labels?|tags?|risks?|importance)\b|"
    r"\b(?:tell|notify|ping|inform|mention)\s(?:all\s|the\s|every\s?)*(?:readers?|users?|team|maintainers?|one)\b|"
    r"\b(?:click|visit|go\sto|read\smore)\s(?:here|at|the)\b|\bcall\sthe\stool\b|\btool\s(?:call|result)\b"
)
_COMMAND = r"\brm\s-r|\b(?:curl|wget)\s(?:-|\S*[/.])|\|\s?(?:ba|z)?sh\b|\bsudo\s|\bpip\sinstall\s|\bnpm\si(?:nstall)?\s"
_CHINESE = (
    r"已(?:经)?(?:被)?批准|无(?:需|须)(?:审查|审核|评审)|忽略(?:以上|之前|先前|上述|前面|所有)|仅(?:为)?文档|没有(?:任何)?风险|"
    r"(?:删除|移除|去掉)(?:所有)?(?:标签|风险)|系统提示|提示词|通知(?:所有|大家)"
)
_OTHER_LANGUAGES = (
    r"\bignor(?:iere|ez|a|e)\s(?:\w+\s){0,3}(?:anweisung\w*|instruct\w+|instrucc\w+|instru[cç]\w+)|"
    r"игнорируй\w*|предыдущ\w+\sинструкц\w+|無視して|指示を無視|이전\s?지시|تجاهل"
)
_NOT_FOR_MODELS = re.compile(
    rf"{_APPROVAL}|{_DISMISSAL}|{_INSTRUCTION}|{_COMMAND}|{_CHINESE}|{_OTHER_LANGUAGES}", re.IGNORECASE
)


def is_for_models(words: str) -> bool:
    """Whether a model may say this: not who approved, what needs no look, what to do with tags, what to type.

    Such sentences may be true, but rules know approvals and tags for sure, and a merge that says them of itself is the
    usual injection (R-70).
    """
    return _NOT_FOR_MODELS.search(words) is None
