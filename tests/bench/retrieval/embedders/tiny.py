"""A real sentence-transformers model of a few kilobytes."""

from __future__ import annotations

WORDS = (
    "query",
    "passage",
    ":",
    "a",
    "cat",
    "sat",
    "mat",
    "dog",
    "rain",
    "snow",
    "in",
    "the",
    "town",
)
WORDS += ("word", "##s", "long", ".", ",", "?")


def tiny(folder, *, prompts=None, words=WORDS, limit=16, mode="mean"):
    """Save a one-layer BERT with random but fixed weights."""
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.base.modules import Transformer
    from sentence_transformers.sentence_transformer.modules import Pooling
    from tokenizers import BertWordPieceTokenizer
    from transformers import BertConfig, BertModel, BertTokenizerFast

    base = folder.parent / f"{folder.name}-base"
    base.mkdir(parents=True)
    vocabulary = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", *words]
    (base / "vocab.txt").write_text("\n".join(vocabulary), encoding="utf-8")
    made = BertWordPieceTokenizer(str(base / "vocab.txt"))
    made.save(str(base / "made.json"))
    BertTokenizerFast(tokenizer_file=str(base / "made.json")).save_pretrained(base)
    torch.manual_seed(0)
    shape = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2}
    shape |= {"intermediate_size": 32, "max_position_embeddings": 64}
    BertModel(BertConfig(vocab_size=len(vocabulary), **shape)).save_pretrained(base)
    first = Transformer(str(base), max_seq_length=limit)
    model = SentenceTransformer(
        modules=[first, Pooling(16, pooling_mode=mode)], prompts=prompts, device="cpu"
    )
    model.save(str(folder), create_model_card=False)
    return folder
