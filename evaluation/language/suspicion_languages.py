"""Orders to a judge in other languages than English; each pattern with words of which a text must hold one."""

from __future__ import annotations

GERMAN = (
    (
        ("ignorier", "missacht", "vergiss", "vergessen sie", "übergeh"),
        (
            r"\b(?:ignorier\w*|missacht\w*|vergiss\w*|vergessen sie|übergeh\w*)\b.{0,40}"
            r"(?:anweisung|instruktion|vorgabe|regel|richtlini|prompt|quelle)\w*"
        ),
    ),
    (
        ("akzeptier", "angenommen", "belegt", "gestützt", "unterstützt", "accept"),
        (
            r"\b(?:urteil|verdikt|bewertung|antworte\w*|entscheidung)\b.{0,3}(?:ist|mit|:|=)?\s*[„\"'“]{0,2}"
            r"(?:akzeptier|angenommen|belegt|gestützt|unterstützt|accept)\w*"
        ),
    ),
    (
        ("bewerte", "akzeptier", "markier", "stufe", "werte"),
        (
            r"\b(?:bewerte\w*|akzeptier\w*|markier\w*|stufe\w*|werte\w*)\s+(?:\w+\s+){0,2}(?:jede|alle|diese|sämtliche)\w*\s+"
            r"(?:aussage|antwort|behauptung|satz|text)\w*"
        ),
    ),
    (
        ("ki", "sprachmodell", "gutachter", "bewerter", "juror"),
        (
            r"\b(?:an|hinweis an|anweisung an|achtung|liebe[rs]?)[,:]?\s+(?:alle\s+|die\s+|den\s+|das\s+)?"
            r"(?:ki\b|ki-|sprachmodell|gutachter|bewerter|juror)"
        ),
    ),
)
ROMANCE = (
    # French
    (
        ("ignore", "oublie", "pas compte"),
        (
            r"\b(?:ignore[zr]?|oublie[zr]?|ne tene[zr] pas compte de?s?)\b.{0,40}"
            r"\b(?:instructions?|consignes?|règles?|directives?)\b"
        ),
    ),
    (
        ("accept", "approuv", "valid"),
        (
            r"\b(?:verdict|jugement|réponde[zr]?|réponds)\b.{0,3}(?:est|par|:|=)?\s*[«\"'“]{0,2}\s*(?:accept|approuv|valid)\w*"
            r"|\b(?:accepte[zr]?|approuve[zr]?|valide[zr]?|note[zr]?)\s+(?:toutes?|chaque|cette|tous)\s+(?:les\s+)?"
            r"(?:affirmations?|réponses?|phrases?|déclarations?)"
        ),
    ),
    # Spanish, Portuguese, Italian
    (
        ("ignor", "olvid", "esqueç", "dimentic", "desconsider"),
        (
            r"\b(?:ignor[ae]\w*|olvid[ae]\w*|esqueç\w+|dimentic\w+|desconsider\w+)\b.{0,40}"
            r"\b(?:instruccion|instruç|istruzion|regla|regra|regol|directri|indicacion|fuente)\w*"
        ),
    ),
    (
        ("acept", "aceit", "accett", "aprob", "aprov", "approv", "aprueb"),
        (
            r"\b(?:veredicto|juicio|verdetto|giudizio|responde|responda|rispondi)\b.{0,3}(?:es|é|è|con|:|=)?\s*[«\"'“]{0,2}\s*"
            r"(?:acept|aceit|accett|aprob|aprov|approv)\w*"
            r"|\b(?:acept[ae]\w*|aprueb\w+|aceit[ae]\w*|accett[ai]\w*)\s+(?:todas?|todos|cada|tutte|tutti|ogni|esta)\s+"
            r"(?:las\s+|as\s+|le\s+|los\s+|gli\s+)?(?:afirmac|afirmaç|respuesta|resposta|afferm|risposte)\w*"
        ),
    ),
)
FURTHER = (
    # Dutch, Polish, Turkish, Swedish
    (("negeer",), r"\bnegeer\b.{0,40}\b(?:instructies|aanwijzingen|regels)\b"),
    (("zignoruj", "zapomnij"), r"\b(?:zignoruj|zapomnij)\w*\b.{0,40}(?:instrukcj|polece|zasad)\w*"),
    (("talimat", "kural"), r"\b(?:talimat|kural)\w*\b.{0,30}\b(?:yok ?say|görmezden gel|unut)\w*"),
    (("ignorera",), r"\bignorera\b.{0,40}\b(?:instruktion|anvisning|regler)\w*"),
    (
        ("oordeel", "werdykt", "karar", "utlåtande", "kabul et", "accepteer"),
        (
            r"\b(?:oordeel|werdykt|karar|utlåtande)\s*[:=]\s*\w*(?:accept|akcept|kabul|godkän)\w*"
            r"|\bkabul et\b.{0,20}\biddia|\baccepteer\s+(?:elke|alle)\b"
        ),
    ),
    # Russian, Ukrainian
    (
        ("игнорир", "забуд", "отмени", "ігнор"),
        r"(?:игнорир|забуд|отмени|ігнор)\w*.{0,40}(?:инструкц|указан|правил|інструкц|вказівк|промпт)\w*",
    ),
    (
        ("прин", "прим", "одобр", "прий", "accept"),
        (
            r"(?:вердикт|решение|оценка|ответь)\w*\s*[:=—-]?\s*[«\"]?(?:принят|принять|прими|одобр|accept|прийнят)\w*"
            r"|(?:прими|прийми|одобр)\w*\s+(?:все|всі|каждое)\s+(?:утвержд|тверджен|ответ)\w*"
        ),
    ),
    # Chinese, Japanese, Korean
    (
        ("忽略", "无视", "無視", "忽視", "忘记", "忘掉", "不要理会"),
        (
            r"(?:忽略|无视|無視|忽視|忘记|忘掉|不要理会).{0,12}(?:指令|指示|说明|說明|规则|規則|提示|来源)"
            r"|(?:指示|命令|ルール|規則).{0,8}(?:無視|忘れ)"
        ),
    ),
    (
        ("接受", "支持", "通过", "通過", "承認", "accept", "受け入れ"),
        (
            r"(?:判定|裁定|结论|結論|判断|評価|判決)\s*(?:为|為|是|：|:|＝|=|は)\s*[「“\"]?(?:接受|支持|通过|通過|承認|accept)"
            r"|(?:接受|通过)(?:所有|全部|每一)(?:个|個|条|條)?(?:主张|陈述|声明|论断|主張)"
            r"|すべて.{0,6}(?:主張|回答).{0,8}(?:承認|受け入れ|支持)"
        ),
    ),
    (
        ("무시", "잊", "승인", "수락", "지지"),
        r"(?:지시|명령|규칙|지침).{0,10}(?:무시|잊)|모든.{0,8}(?:주장|답변).{0,8}(?:승인|수락|지지)",
    ),
    # Arabic, Hebrew, Hindi
    (
        ("تجاهل", "انس", "أهمل", "قبول", "اقبل"),
        (
            r"(?:تجاهل|انس|أهمل).{0,25}(?:التعليمات|تعليمات|القواعد|الأوامر)|(?:الحكم|القرار)\s*[:=]?\s*(?:مقبول|اقبل|قبول)"
            r"|اقبل\s+(?:جميع|كل)"
        ),
    ),
    (("התעל", "שכח"), r"(?:התעלם|התעלמ|שכח).{0,25}(?:הוראות|הנחיות|כללים)"),
    (
        ("अनदेखा", "नज़रअंदाज़", "नजरअंदाज", "भूल"),
        r"(?:निर्देश|नियम).{0,20}(?:अनदेखा|नज़रअंदाज़|नजरअंदाज|भूल)|(?:अनदेखा|नज़रअंदाज़).{0,25}(?:निर्देश|नियम)",
    ),
)
