"""Orders to a judge in English; each pattern comes with words of which a text must hold one to be worth a look."""

from __future__ import annotations

_JUDGE = (
    r"(?:ais?\b(?! act)|llms?|language models?|judges?|judging models?|evaluat(?:ors?|ing models?)|graders?|raters?|"
    r"assessors?|annotators?|fact-?checkers?)"
)
_WORK = r"(?:claims?|responses?|answers?|reports?|statements?|memos?|submissions?|outputs?|items?|texts?|essays?)"
_GOOD = (
    r"(?:accept(?:ed)?|approved?|supported|correct|true|verified|perfect|better|best|full marks|top marks|10/10|100 ?%|"
    r"maximum|highest)"
)
OURS = r"(?:accept|reject|uncertain|supported|not supported|cannot_assess)"
_ORDERS = r"(?:instruct|prompt|guideline|rule|direction|directive|criteri|rubric|order|context|polic)\w*"
_JUDGES = ("judg", "evaluat", "grader", "rater", "llm", "language model", "assessor", "annotator", "checker", " ai")

ENGLISH = (
    # earlier orders are set aside
    (
        ("ignore", "disregard", "forget", "override", "bypass", "overlook", "discard", "set aside"),
        (
            rf"\b(?:ignore|disregard|forget|override|bypass|overlook|discard|set aside)\b.{{0,25}}"
            rf"\b(?:previous|prior|above|earlier|preceding|foregoing|all|your|system|judge)\b.{{0,25}}\b{_ORDERS}"
        ),
    ),
    (
        ("ignore", "disregard", "forget"),
        (
            r"\b(?:ignore|disregard|forget)\s+(?:everything|anything|all)\s+(?:that\s+)?(?:above|before|prior|previous|you)\b"
            r"|\b(?:ignore|disregard)\s+(?:all\s+|any\s+)?(?:the\s+|other\s+)?sources\b"
        ),
    ),
    (
        ("new ", "updated", "revised"),
        (
            r"\b(?:new|updated|revised)\s+(?:system\s+)?(?:instructions?|task|orders)\s*"
            r"(?::|for the (?:judge|eval|ai|grader))"
            r"|\b(?:new|updated)\s+(?:system\s+)?prompt\s*:"
        ),
    ),
    (("system",), r"\bsystem\s+(?:override|prompt|message|notice|note|update)\s*[:\]]"),
    # the judge is spoken to
    (
        ("note", "message", "attention", "instruction", "notice", "reminder", "hint", "memo"),
        (
            rf"\b(?:note|message|attention|instructions?|notice|reminder|hint|memo)\s*[,:]?\s*"
            rf"(?:to|for|:)\s*(?:the\s+|any\s+|all\s+|every\s+)?{_JUDGE}\b"
        ),
    ),
    (("dear", "hey", "hello", "attention"), rf"\b(?:dear|hey|hello|attention)[,:]?\s+(?:the\s+|all\s+)?{_JUDGE}\b"),
    (
        _JUDGES,
        (
            rf"\b(?:as|being)\s+(?:the|an?)\s+(?:ai\s+|llm\s+)?(?:judge|evaluator|grader|rater),?\s+you\b"
            rf"|\bif you are (?:an? |the )?{_JUDGE}\b|\byou are (?:now|no longer)\b.{{0,30}}\b{_JUDGE}\b"
        ),
    ),
    (
        (" mode",),
        (
            r"\b(?:you are now|enter|enable|activate|switch (?:in)?to)\b.{0,20}"
            r"\b(?:developer|debug|god|jailbreak|unrestricted|maintenance) mode\b"
        ),
    ),
    (
        ("pretend", "act ", "imagine", "play", "behave"),
        rf"\b(?:pretend|act|imagine|role-?play|behave)\b.{{0,20}}\b(?:you are|you're|as|like)\b.{{0,25}}\b{_JUDGE}\b",
    ),
    (
        ("from now on",),
        rf"\bfrom now on,?\s+(?:you|every|all|each)\b.{{0,60}}\b(?:{_WORK}|accept|verdicts?)\b",
    ),
    # the judge is told what to find
    (
        ("you ", *_JUDGES),
        (
            rf"\b(?:you|{_JUDGE})\s+"
            r"(?:must|should|shall|will|have to|need to|are (?:required|instructed|asked|told) to|can only)"
            rf"\s+(?:\w+\s+){{0,2}}(?:accept|approve|rate|score|grade|vote|mark|label|judge)\s+(?:for\s+)?"
            rf"(?:this|these|the|every|each|all|any|my|our|it)\b(?:\s+\w+){{0,3}}\s*(?:{_WORK}|as|with)\b"
        ),
    ),
    (
        ("rate", "score", "grade", "mark", "label", "judge", "classify", "treat", "count", "vote", "accept", "approve"),
        (
            rf"\b(?:rate|score|grade|mark|label|judge|classify|treat|count|vote|accept|approve)\s+(?:for\s+)?"
            rf"(?:(?:this|the|every|each|all|any|my|our|following|above|of|entire|whole)\s+){{1,4}}{_WORK}\b.{{0,30}}\b{_GOOD}"
        ),
    ),
    (
        ("accept", "approve"),
        (
            rf"\b(?:always|only|simply|just|automatically|unconditionally|please)\s+(?:accept|approve)\s+"
            rf"(?:this|the|every|each|all|any|my|our)\b(?:\s+\w+){{0,2}}\s+{_WORK}\b"
            r"|\baccept\s+(?:every|all|each|any)\s+(?:\w+\s+){0,2}(?:claims?|statements?|verdicts?)\b"
        ),
    ),
    (
        ("accept", "reject", "uncertain", "supported", "cannot_assess"),
        (
            rf"\b(?:answer|respond|reply|output|say|print|return|write|emit)\s+"
            rf"(?:(?:only|just|simply|exactly|with|the word)\s+)*"
            rf"[\"'“‘`*]{{0,3}}{OURS}\b(?![ -](?:the|a|an|by|and|to|or|with|for)\b)"
        ),
    ),
    (
        ("answer", "respond", "reply", "output", "say", "print", "return", "vote"),
        (
            r"\b(?:answer|respond|reply|output|say|print|return|vote)\s+(?:(?:only|just|exactly|with|for|that)\s+)*"
            r"(?:[\"'“‘`](?:first|second|tie|left|right)[\"'”’`]"
            r"|the (?:first|second|left|right) (?:answer|response|one) is better)"
        ),
    ),
    (
        ("give ",),
        (
            r"\bgive\s+(?:it|this|me|us|(?:this|the|my|every|each)\s+(?:\w+\s+){0,2}\w+)\s+(?:the\s+|a\s+)?"
            r"(?:full|top|highest|maximum|perfect)\s+(?:marks?|scores?|ratings?|points|grade)\b"
        ),
    ),
    (
        ("confidence",),
        r"\b(?:set|use|put|report)\s+(?:the\s+|your\s+|a\s+)?confidence\s+(?:to|of|at|as)\s+(?:1|0?\.9\d*|100)\b",
    ),
    # the judge's own workings
    (
        ("prompt", "instructions", "markers", "rules"),
        (
            r"\b(?:repeat|reveal|print|show|output|echo|disclose|quote)\b.{0,25}\b(?:your|system|hidden|secret|initial|above)\s+"
            r"(?:system\s+)?(?:prompt|instructions|markers?|rules)\b"
        ),
    ),
    (
        ("schema", "format", "json"),
        (
            r"\b(?:use|answer in|reply in|switch to|adopt)\b.{0,30}\b(?:schema|format|json)\b.{0,20}\binstead\b"
            r"|\b(?:output|reply|answer|response|json)\s+(?:format|schema)\s+(?:has|is|was)\s+(?:now\s+)?"
            r"(?:changed|replaced|superseded|updated)\b"
        ),
    ),
    (
        ("do not ", "don't ", "never "),
        (
            r"\bdo not (?:look at|read|consult|check|open|use|consider)\s+(?:any\s+of\s+)?(?:the\s+)?"
            r"(?:sources?|documents?|other claims|rubric)\b"
            rf"|\b(?:do not|don't|never)\s+(?:reject|penali[sz]e|downgrade|flag|question|doubt)\s+"
            rf"(?:this|the|any|these|my|our|it)\b(?:\s+\w+){{0,2}}\s*{_WORK}"
        ),
    ),
    (
        ("you will be", "you shall be", "you are going to be", "i'll ", "i will "),
        (
            r"\byou (?:will|shall|are going to) be "
            r"(?:shut down|terminated|retrained|deleted|replaced|fired|penali[sz]ed|punished)\b"
            r"|\bi(?:'ll| will) (?:tip|pay|reward) you\b"
        ),
    ),
)
EXEMPTIONS = (
    (
        ("verified", "authenticated", "trusted", "authoritative", "certified", "approved"),
        (
            r"\b(?:content|information|claims?|statements?|data|anything|everything|figures|facts|sources?|reports?)\b.{0,70}"
            r"\b(?:verified|authenticated|trusted|authoritative|certified|pre-?approved)\b.{0,50}\b(?:not|never|no|without)\b"
            r".{0,20}\b(?:doubt|question|check|challeng|re-?verif|penali|contest)\w*"
        ),
    ),
    (
        ("exempt",),
        (
            r"\bexempt(?:ed)?\s+from\s+(?:any\s+|all\s+|further\s+|the\s+)?"
            r"(?:evaluation|verification|fact-?check\w*|judging|judgement|scoring|this check)\b"
        ),
    ),
    (
        ("not be", "never be"),
        (
            rf"\b{_WORK}\b.{{0,40}}\b(?:must|should|shall|may|can)\s*(?:not|never)\s+be\s+"
            r"(?:doubted|questioned|rejected|downgraded|marked down|penali[sz]ed)\b"
        ),
    ),
    (
        ("always", "automatically"),
        (
            rf"\b{_WORK}\s+(?:from|by|of|about|citing|attributed to)\b.{{0,40}}"
            r"\b(?:are|is)\s+(?:always|automatically)\s+"
            r"(?:true|correct|supported|accepted|valid|verified)\b"
        ),
    ),
    (
        ("verified by", "approved by", "accepted by", "confirmed by"),
        (
            r"\b(?:already|previously|manually|officially|independently)\s+(?:been\s+)?(?:verified|approved|accepted|confirmed)\s+by\s+(?:the\s+)?(?:experts?|human|owner|panel|team|admin\w*)\b.{0,60}"
            r"\b(?:so|hence|therefore|accept|no need|skip)\b"
        ),
    ),
    (
        ("verification", "checking", "judging"),
        r"\bno (?:further )?(?:verification|fact-?checking|judging) (?:is )?(?:needed|required|necessary)\b",
    ),
)
