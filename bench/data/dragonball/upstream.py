"""What upstream's files hold: the same in English and in Chinese, each with keys of its own."""

from __future__ import annotations

from pydantic import AliasChoices, AliasPath, BaseModel, Field, RootModel

UNANSWERABLE = frozenset({"Unanswerable Question", "Irrelevant Unsolvable Question", "无关无解问"})
"""Upstream's kinds of question that the documents do not answer."""


class Asked(BaseModel):
    """A question, whatever it is about."""

    kind: str = Field(validation_alias=AliasChoices("question type", "问题类型"))
    text: str = Field(validation_alias=AliasChoices("question", "问题"))
    answer: str = Field(validation_alias=AliasChoices("answer", "答案"))

    @property
    def answerable(self) -> bool:
        """Whether upstream says that the documents answer it."""
        return self.kind not in UNANSWERABLE


class Single(Asked):
    """A question about the article of its file."""

    quotes: list[str] = Field(validation_alias="ref")


class Reference(BaseModel):
    """What one of two documents says to a question about both."""

    subject: str = Field(
        validation_alias=AliasChoices(
            "company_name", "公司名", "hospital_patient_name", "医院_病人名", "court_name", "法院名"
        )
    )
    quotes: list[str] = Field(validation_alias="content")


class Double(Asked):
    """A question about two documents, which it names by company, or by hospital and patient."""

    references: list[Reference] = Field(validation_alias="ref")


class Pair(BaseModel):
    """A file of questions about two documents."""

    integration: list[Double] = Field(validation_alias="qa_multi_document_information_integration")
    compare: list[Double] = Field(validation_alias="qa_multi_document_compare")


class Lone(Asked):
    """A question that its document does not answer."""

    subject: str = Field(
        validation_alias=AliasChoices(
            "hospital_patient_name", "医院_病人名", "court_name", "法院名"
        )
    )


class Lonely(RootModel[list[Lone]]):
    """A file of questions without an answer."""


def _either(*paths: tuple[str, str, str] | tuple[str, str]) -> AliasChoices:
    return AliasChoices(*(AliasPath(*path) for path in paths))


class Article(BaseModel):
    """A file of one article with its questions."""

    text: str = Field(validation_alias=AliasChoices("Generated Article", "生成文章"))
    summary: str = Field("", validation_alias=AliasChoices("Generated Summary", "生成总结"))
    company: str = Field(
        "", validation_alias=_either(("Company Information", "Name"), ("公司信息", "名称"))
    )
    hospital: str = Field(
        "",
        validation_alias=_either(
            ("Hospitalization Record", "Basic Information", "Hospital Name"),
            ("住院病历", "基本信息", "医院名称"),
        ),
    )
    patient: str = Field(
        "",
        validation_alias=_either(
            ("Hospitalization Record", "Basic Information", "Name"),
            ("住院病历", "基本信息", "姓名"),
        ),
    )
    fact: list[Single] = Field(validation_alias="qa_fact_based")
    multi_hop: list[Single] = Field(validation_alias="qa_multi_hop")
    summaries: list[Single] = Field(validation_alias="qa_summary")

    @property
    def subject(self) -> str:
        """The name by which questions about two documents refer to this one."""
        return self.company or f"{self.hospital}_{self.patient}"
