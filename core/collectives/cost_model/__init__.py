"""What a collective costs: predict(setting, sizes) with its band, its parts and its reasons."""

from core.collectives.cost_model.answer import PROTOCOLS, Prediction, label
from core.collectives.cost_model.columns import ColumnAnswers, predict_columns
from core.collectives.cost_model.predict import predict
from core.collectives.cost_model.setting import (
    ALGORITHMS,
    ENGINES,
    IMPLEMENTATIONS,
    LAUNCHES,
    Point,
    Setting,
    engine_runs,
)
from core.collectives.cost_model.version import MODEL_VERSION

__all__ = [
    "ALGORITHMS",
    "ENGINES",
    "IMPLEMENTATIONS",
    "LAUNCHES",
    "MODEL_VERSION",
    "PROTOCOLS",
    "ColumnAnswers",
    "Point",
    "Prediction",
    "Setting",
    "engine_runs",
    "label",
    "predict",
    "predict_columns",
]
