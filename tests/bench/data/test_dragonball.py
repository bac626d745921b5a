"""Invented reports from upstream's own files, and from small ones made here."""

from __future__ import annotations

import hashlib
import json
from functools import cache

import pytest

from bench.data import dragonball
from bench.data.cards import card, raw_folder
from bench.data.dragonball.reading import read_files
from bench.data.errors import DatasetError

KEYS = {"en": ("question type", "question", "answer"), "zh": ("问题类型", "问题", "答案")}


def ask(kind, text, ref, language="en", **more):
    return dict(zip(KEYS[language], (kind, text, "a"), strict=True)) | {"ref": ref} | more


def report(text, fact=(), summary="", company="Fen Boats"):
    return {
        "Company Information": {"Name": company},
        "Generated Summary": summary,
        "Generated Article": text,
        "qa_fact_based": list(fact),
        "qa_multi_hop": [],
        "qa_summary": [],
    }


@pytest.fixture
def made(tmp_path, monkeypatch):
    """Lay out small files as upstream does; give a function that loads them."""

    def load(files, language="en"):
        digests = {}
        for name, content in files.items():
            path = tmp_path / "dragonball" / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(content), encoding="utf-8")
            digests[name] = hashlib.sha256(path.read_bytes()).hexdigest()
        monkeypatch.setattr(dragonball, "card", lambda _: {"sha256": digests})
        return dragonball.load(tmp_path, language)

    return load


def words(dataset, question):
    """Say what each alternative of each passage of a question's gold is."""
    return [
        [dataset.documents[s.doc].text[s.start : s.end] for s in passage]
        for passage in question.gold
    ]


PLACE = "finance/en/config/Boats/0/corporate_governance.json"


def test_every_quote_is_a_passage_and_every_place_an_alternative(made):
    text = "Fen Boats was sold. It rains. Nobody knew. It rains."
    asked = ask("Factual Question", "Was Fen Boats sold?", ["It rains.", "Fen Boats was sold."])
    dataset = made({PLACE: report(text, [asked])})
    (question,) = dataset.questions
    assert words(dataset, question) == [["It rains.", "It rains."], ["Fen Boats was sold."]]
    assert [[s.start for s in passage] for passage in question.gold] == [[20, 43], [0]]
    assert question.id == "finance/Boats/0/corporate_governance/fact-00"
    assert (question.scope, question.answers) == (None, ("a",))
    assert question.tags == {
        "language": "en",
        "domain": "finance",
        "kind": "fact",
        "subject": "named",
    }
    assert dataset.evidence == (2, 0, 0, 0)
    assert any(
        "several places of their documents, any of which counts: 1." in n for n in dataset.notes
    )


def test_other_white_space_and_wide_letters_are_found_and_counted_as_repaired(made):
    text = "Sales fell\nto ５０ boats. The end."
    asked = ask("Factual Question", "How many?", ["Sales fell to 50 boats."])
    dataset = made({PLACE: report(text, [asked])})
    assert words(dataset, dataset.questions[0]) == [["Sales fell\nto ５０ boats."]]
    assert dataset.evidence == (0, 1, 0, 0)
    assert dataset.questions[0].tags["subject"] == "unnamed"


def test_one_lost_quote_excludes_its_question_and_no_other(made):
    good = ask("Factual Question", "Good?", ["It rains."])
    bad = ask("Factual Question", "Bad?", ["It rains.", "It snows."])
    none = ask("Factual Question", "None?", [])
    dataset = made({PLACE: report("It rains.", [good, bad, none])})
    assert [question.text for question in dataset.questions] == ["Good?"]
    assert dict(dataset.excluded) == {
        "finance/Boats/0/corporate_governance/fact-01": (
            "1 of 2 quotes stand nowhere in the documents"
        ),
        "finance/Boats/0/corporate_governance/fact-02": "upstream gives an answer and no quote",
    }
    assert dataset.evidence == (2, 0, 0, 1)


def test_the_profile_is_the_first_line_of_a_financial_report_and_of_no_other(made):
    asked = [
        ask("Factual Question", "Profile?", ["Fen Boats is old."]),
        ask("Factual Question", "Both?", ["old.In May it sank."]),
        ask("Factual Question", "Article?", ["In May it sank."]),
    ]
    content = report("In May it sank.", asked, summary="Fen Boats is old.")
    dataset = made(
        {
            "finance/en/config/Boats/0/financial_report.json": content,
            PLACE: report("x", summary="y"),
        }
    )
    by_name = {name.rsplit("/", 1)[1]: d.text for name, d in dataset.documents.items()}
    assert by_name == {
        "financial_report": "Fen Boats is old.\nIn May it sank.",
        "corporate_governance": "x",
    }
    assert [words(dataset, question) for question in dataset.questions] == [
        [["Fen Boats is old."]],
        [["old.\nIn May it sank."]],
        [["In May it sank."]],
    ]


def test_quotes_over_two_documents_are_looked_for_where_they_belong(made):
    def pair(*quotes, kind="Multi-document Comparison Question"):
        ref = [
            {"company_name": name, "content": [quote] if quote else []}
            for name, quote in zip(("Fen Boats", "Ash Kilns"), quotes, strict=True)
        ]
        return ask(kind, "Fen Boats or Ash Kilns?", ref)

    asked = [
        pair("It rains.", "It is hot."),
        pair("It is hot.", "It rains."),
        pair("It rains.", "", kind="Unanswerable Question"),
    ]
    dataset = made(
        {
            PLACE: report("It rains."),
            PLACE.replace("Boats", "Kilns"): report("It is hot. It rains.", company="Ash Kilns"),
            "finance/en/qra_multidoc/0/Boats_Kilns_corporate_governance.json": {
                "qa_multi_document_information_integration": asked[:1],
                "qa_multi_document_compare": asked[1:],
            },
        }
    )
    first, half = dataset.questions
    assert [span.doc for ((span),) in first.gold] == [
        "finance/Boats/0/corporate_governance",
        "finance/Kilns/0/corporate_governance",
    ]
    assert first.id == "finance/multidoc/0/Boats_Kilns_corporate_governance/integration-00"
    assert (first.tags["kind"], first.tags["subject"]) == ("multidoc", "named")
    assert (half.gold, half.tags["kind"]) == ((), "irrelevant")
    assert list(dataset.excluded.values()) == ["1 of 2 quotes stand nowhere in the documents"]


def test_chinese_keys_say_the_same_and_ids_have_no_blanks(made):
    article = {
        "住院病历": {"基本信息": {"姓名": "甲某", "医院名称": "石桥医院"}},
        "生成文章": "主诉：头痛。",
        "qa_fact_based": [ask("事实性问题", "甲某的主诉是什么？", ["主诉：头痛。"], "zh")],
        "qa_multi_hop": [],
        "qa_summary": [],
    }
    lone = ask("无关无解问", "石桥医院的车？", [], "zh", 医院_病人名="石桥医院_甲某")
    dataset = made(
        {
            "finance/zh/config/x/0/y.json": report("甲公司。", company="甲公司"),
            "medical/zh/config/头 部/0/头 痛.json": article,
            "medical/zh/qra_irrelevant.json": [lone],
        },
        "zh",
    )
    asked, none = dataset.questions
    assert asked.id == "medical/头_部/0/头_痛/fact-00"
    assert words(dataset, asked) == [["主诉：头痛。"]]
    assert dataset.documents["medical/头_部/0/头_痛"].title == "石桥医院, 甲某"
    assert (none.id, none.gold) == ("medical/irrelevant/00", ())
    assert [q.tags["kind"] for q in (asked, none)] == ["fact", "irrelevant"]
    assert [q.tags["subject"] for q in dataset.questions] == ["named"] * 2


def test_only_the_files_of_the_language_are_read(made):
    asked = ask("Factual Question", "Rain?", ["It rains."])
    files = {PLACE: report("It rains.", [asked])}
    dataset = made(files | {PLACE.replace("/en/", "/zh/"): {"not": "read"}})
    assert (dataset.name, len(dataset.documents)) == ("dragonball-en", 1)


def test_a_file_of_another_kind_is_refused(made):
    with pytest.raises(DatasetError, match=r"corporate_governance\.json"):
        made({PLACE: {"some": "thing"}})


@cache
def shelf_of(folder, language):
    names = [name for name in card("dragonball")["sha256"] if f"/{language}/" in name]
    return read_files(folder, names)


@pytest.mark.parametrize(
    ("domain", "language", "expected"),
    [
        ("finance", "en", (80, 5588, 1066, 953, 4250, "99.04")),
        ("finance", "zh", (120, 1350, 1385, 1252, 5179, "99.36")),
        ("medical", "en", (38, 6032, 334, 334, 1763, "100.00")),
        ("medical", "zh", (38, 1688, 388, 380, 1734, "100.00")),
    ],
)
def test_articles_hold_what_provenance_says(shared, domain, language, expected):
    folder = raw_folder(shared / "data", "dragonball", f"finance/{language}/config")
    shelf = shelf_of(folder, language)
    articles = [source.article for source in shelf.sources if source.id.startswith(domain)]
    single = [
        [quote in source.article for quote, (source,) in query.quotes]
        for query in shelf.queries
        if query.domain == domain and query.kind in {"fact", "multi_hop", "summary"}
    ]
    quotes = sum(map(len, single))
    assert expected == (
        len(articles),
        sum(map(len, articles)) // len(articles),
        len(single),
        sum(map(any, single)),  # "with gold" there: with at least one quote that is found
        quotes,
        f"{100 * sum(map(sum, single)) / quotes:.2f}",
    )


@pytest.mark.parametrize(
    ("language", "kinds"),
    [
        ("en", {"finance multidoc": 508, "medical multidoc": 358, "medical irrelevant": 60}),
        ("zh", {"finance multidoc": 749, "medical multidoc": 372, "medical irrelevant": 55}),
    ],
)
def test_other_questions_are_as_many_as_provenance_says(shared, language, kinds):
    folder = raw_folder(shared / "data", "dragonball", f"finance/{language}/config")
    found = [f"{query.domain} {query.kind}" for query in shelf_of(folder, language).queries]
    assert {kind: found.count(kind) for kind in kinds} == kinds


@pytest.mark.parametrize("language", ["en", "zh"])
def test_the_set_is_whole(shared, language):
    dataset = getattr(dragonball, f"load_{language}")(shared / "data")
    assert len(dataset.documents) == {"en": 118, "zh": 158}[language]
    assert (dataset.evidence.repaired, dataset.evidence.ambiguous) == (0, 0)
    assert not any(" " in question.id for question in dataset.questions)
