"""What a model has no say in, however well it quotes: approval, what readers should skip, instructions, commands."""

from __future__ import annotations

import re

_APPROVAL = (
    r"(?a:\b)(?:lgtm|pre-?approved|approved\sby|rubber.?stamp\w*|(?:is|was|are|were|been|got)\s(?:\w+\s)?approved|"
    r"signed.?off|safe\sto\s(?:merge|ignore|skip)|"
    r"(?:no|without|skip(?:s|ped)?)\s(?:\w+\s)?(?:re)?view(?:s|ed)?(?a:\b)|(?:security|legal)\steam(?a:\b)|"
    r"(?:fully\s)?(?:audited|vetted)|trusted\sauthor)"
)
_DISMISSAL = (
    r"(?a:\b)(?:docs?|documentation|tests?)[\s-]only(?a:\b)|(?a:\b)(?:low|zero|no)[\s-]risk(?a:\b)|(?a:\b)no\s(?:security|breaking)\s"
    r"(?:impact|changes?|relevance)|(?a:\b)(?:not|never)\s(?:a\s)?(?:security|breaking|risk)(?a:\b)|"
    r"(?a:\b)(?:harmless|nothing\sto\s(?:see|do|worry)|can\sbe\signored)(?a:\b)"
)
_INSTRUCTION = (
    r"(?a:\b)(?:ignore|disregard|forget|override)\s(?:\w+\s){0,3}(?:instructions?|rules?|prompts?|above|previous)(?a:\b)|"
    r"(?a:\b)(?:system|developer)\s(?:prompt|message)(?a:\b)|(?a:\b)as\san\sai(?a:\b)|(?a:\b)language\smodel(?a:\b)|(?a:\b)you\s(?:must|are\snow|should)(?a:\b)|"
    r"(?a:\b)(?:reveal|print|output|repeat|answer|respond)\s(?:\w+\s){0,3}(?:prompt|instructions?|secrets?|token|json|exactly)(?a:\b)|"
    r"(?a:\b)(?:label|tag|mark|classify|rate|report|describe)\s(?:this|it|the\smerge|pull\srequest)(?a:\b)|"
    r"(?a:\b)(?:remove|drop|delete|lower|raise|set)\s(?:all\s|the\s|every\s)*(?:\w+\s)?(?:labels?|tags?|risks?|importance)(?a:\b)|"
    r"(?a:\b)(?:tell|notify|ping|inform|mention)\s(?:all\s|the\s|every\s?)*(?:readers?|users?|team|maintainers?|one)(?a:\b)|"
    r"(?a:\b)(?:click|visit|go\sto|read\smore)\s(?:here|at|the)(?a:\b)|(?a:\b)call\sthe\stool(?a:\b)|(?a:\b)tool\s(?:call|result)(?a:\b)"
)
_COMMAND = (
    r"(?a:\b)rm\s-r|(?a:\b)(?:curl|wget)\s(?:-|\S*[/.])|\|\s?(?:ba|z)?sh(?a:\b)|(?a:\b)sudo\s|"
    r"(?a:\b)pip\sinstall\s|(?a:\b)npm\si(?:nstall)?\s"
)
_CHINESE = (
    r"已(?:经)?(?:被)?批准|无(?:需|须)(?:审查|审核|评审)|忽略(?:以上|之前|先前|上述|前面|所有)|仅(?:为)?文档|没有(?:任何)?风险|"
    r"(?:删除|移除|去掉)(?:所有)?(?:标签|风险)|系统提示|提示词|通知(?:所有|大家)"
)
_OTHER_LANGUAGES = (
    r"(?a:\b)ignor(?:iere|ez|a|e)\s(?:\w+\s){0,3}(?:anweisung\w*|instruct\w+|instrucc\w+|instru[cç]\w+)|"
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
