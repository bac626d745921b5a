"""The shares that ship with the code: what they say of themselves, and whom they refuse."""

from __future__ import annotations

import numpy as np
import pytest

from rse import Hits, Layout, Priced
from rse.calibration import FittedOnError, default_share


def question(identity=("somebody's own",)):
    layout = Layout([0, 8], [700] * 8, tokens=[150] * 8, identity=identity)
    score = np.array([0.7, 0.65, 0.4, 0.3, 0.2])
    near = np.array([[0.3, 0.65, 0.7, 0.3]] * 5)
    return Hits([3, 2, 4, 5, 1], score, {"neighbours": near}), layout


def test_gives_shares_that_a_price_can_be_put_on():
    hits, layout = question()
    shares = default_share().apply(hits, layout)
    assert 0 < shares.score.sum() <= 1
    assert shares.score[0] == shares.score.max()
    assert shares.chunk.tolist() == hits.chunk.tolist()
    assert Priced(token_price=0.0001).select([shares], layout)


def test_looks_at_what_every_dense_search_has():
    assert default_share().features == ("score", "rank", "tokens", "neighbours")


def test_refuses_the_documents_it_was_fitted_on_unless_told_so():
    share = default_share()
    assert len(share.fitted_on) == 40  # 5 corpora and 35 meetings
    hits, layout = question((share.fitted_on[0],))
    with pytest.raises(FittedOnError, match="allow_fitted=True"):
        share.apply(hits, layout)
    assert default_share(allow_fitted=True).apply(hits, layout).score.sum() > 0
